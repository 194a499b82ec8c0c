import { text } from '../texts/text.js';
import { CopyButton } from './copy-button.js';

interface SecretProps {
  readonly value: string;
  /** What it is called. */
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
