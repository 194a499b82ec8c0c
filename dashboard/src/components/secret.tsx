import { text } from '../texts/text.js';
import { CopyButton } from './copy-button.js';

/** A secret that the service shows once. */
export function Secret({ value }: { readonly value: string }) {
  return (
    <div class="stack-s">
      <div class="copyable copyable-secret">
        <code>{value}</code>
        <CopyButton value={value} label={text.endpoints.secret} />
      </div>
      <p class="field-hint">{text.endpoints.secretOnce}</p>
    </div>
  );
}
