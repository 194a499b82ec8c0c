import type { ComponentChildren } from 'preact';
import type { RequestError } from '../api/request-error.js';
import { text } from '../texts/text.js';
import { Button } from './button.js';
import { DataText } from './data-text.js';

interface NoticeProps {
  readonly kind: 'bad' | 'warn' | 'good';
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** A message that the reader should know before going on. Screen readers read it when it appears. */
export function Notice({ kind, title, children }: NoticeProps) {
  return (
    <div class={`notice notice-${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <strong>{title}</strong>
      {children}
    </div>
  );
}

interface ErrorNoticeProps {
  readonly error: RequestError;
  readonly retry?: () => void;
}

/** The reason why a request failed, in the words of the service. */
export function ErrorNotice({ error, retry }: ErrorNoticeProps) {
  return (
    <Notice kind="bad" title={text.common.problem}>
      <p>
        <DataText value={error.message} />
      </p>
      {retry && (
        <div>
          <Button small onClick={retry}>
            {text.common.tryAgain}
          </Button>
        </div>
      )}
    </Notice>
  );
}
