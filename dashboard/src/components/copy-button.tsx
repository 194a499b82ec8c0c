import { useState } from 'preact/hooks';
import { text } from '../texts/text.js';
import { Button } from './button.js';

interface CopyButtonProps {
  readonly value: string;
  /** What is copied, for screen readers. */
  readonly label: string;
}

/** Copies a value, and says so on the button. */
export function CopyButton({ value, label }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const copy = () => {
    navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      // A page on plain http has no clipboard. The value can still be selected.
      () => undefined,
    );
  };
  return (
    <Button small onClick={copy}>
      <span aria-live="polite">{copied ? text.common.copied : text.common.copy}</span>
      <span class="visually-hidden"> {label}</span>
    </Button>
  );
}
