import { textParts } from './data-text-parts.js';
import './code.css';

/** A text that others wrote, always as text. Hidden characters are shown as escapes. */
export function DataText({ value }: { readonly value: string }) {
  return (
    <bdi>
      {textParts(value).map(({ text, escape }, place) =>
        escape ? (
          <span key={place} class="escape">
            {text}
          </span>
        ) : (
          text
        ),
      )}
    </bdi>
  );
}
