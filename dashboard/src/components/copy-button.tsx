import { signal } from '@preact/signals';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { text } from '../texts/text.js';
import { Button } from './button.js';

interface CopyButtonProps {
  readonly value: string;
  /** What is copied, for screen readers. */
  readonly label: string;
}

/** A click whose value the browser refused to copy. Each click is a new object, so that the text is selected again. */
interface Refused {
  readonly value: string;
}

interface SelectedTextProps extends Pick<CopyButtonProps, 'label'> {
  readonly refused: Refused;
}

/** The value in the clipboard, as far as the page knows, and the button that put it there. */
const copied = signal<{ readonly button: string; readonly value: string } | undefined>(undefined);
// The reader copied something else by hand.
for (const event of ['copy', 'cut'] as const) {
  addEventListener(event, () => {
    copied.value = undefined;
  });
}

/** Copies a value, and says "Copied" as long as the clipboard has it. */
export function CopyButton({ value, label }: CopyButtonProps) {
  const id = useId();
  const [refused, setRefused] = useState<Refused>();
  const isCopied = copied.value?.button === id && copied.value.value === value;
  const copy = async () => {
    try {
      // A page over plain HTTP has no clipboard, and a site may forbid it to a frame.
      await navigator.clipboard.writeText(value);
      copied.value = { button: id, value };
      setRefused(undefined);
    } catch {
      setRefused({ value });
    }
  };

  return (
    <>
      <Button small onClick={() => void copy()}>
        <span aria-live="polite">{isCopied ? text.common.copied : text.common.copy}</span>
        <span class="visually-hidden"> {label}</span>
      </Button>
      {refused?.value === value && <SelectedText refused={refused} label={label} />}
    </>
  );
}

/** The value as selected text, for a reader whose browser lets the page copy nothing. */
function SelectedText({ refused, label }: SelectedTextProps) {
  const id = useId();
  const element = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    element.current?.focus();
    element.current?.select();
  }, [refused]);

  return (
    <div class="copy-by-hand stack-s">
      <textarea
        class="input mono"
        aria-label={label}
        aria-describedby={id}
        readOnly
        rows={Math.min(refused.value.split('\n').length, 8)}
        value={refused.value}
        ref={element}
      />
      <p class="field-hint" id={id} role="status">
        {text.common.copyByHand}
      </p>
    </div>
  );
}

interface SecretProps {
  readonly value: string;
  /** Its name, for the copy button. */
  readonly label?: string;
}

/** A secret that the service shows once. */
export function Secret({ value, label = text.endpoints.secret }: SecretProps) {
  return (
    <div class="stack-s">
      <div class="copyable copyable-secret">
        <code>{value}</code>
        <CopyButton value={value} label={label} />
      </div>
      <p class="field-hint">{text.endpoints.secretOnce}</p>
    </div>
  );
}
