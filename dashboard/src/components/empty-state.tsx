import type { ComponentChildren } from 'preact';

interface EmptyStateProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** What to do next. */
  readonly action?: ComponentChildren;
}

/** Stands in place of a list without entries, and says what to do next. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div class="card empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  );
}
