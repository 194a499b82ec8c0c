import type { ComponentChildren } from 'preact';
import { textParts } from './data-text-parts.js';
import './code.css';

/** A text from outside, never as markup. It shows invisible characters as escapes. */
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

interface SentenceProps {
  /** A text of the catalogue, such as `{who} paid {amount}.` */
  readonly template: string;
  readonly values: Readonly<Record<string, ComponentChildren>>;
}

/** A text of the catalogue with elements in place of its `{names}`. */
export function Sentence({ template, values }: SentenceProps) {
  const parts = template.split(/\{(\w+)\}/);
  return <>{parts.map((part, place) => (place % 2 === 0 ? part : values[part]))}</>;
}
