import type { ComponentChildren } from 'preact';

interface NoticeProps {
  readonly kind: 'bad' | 'warn' | 'good';
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** Something to know before going on. Screen readers read it when it appears. */
export function Notice({ kind, title, children }: NoticeProps) {
  return (
    <div class={`notice notice-${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <strong>{title}</strong>
      {children}
    </div>
  );
}
