import type { ComponentChildren } from 'preact';

interface SentenceProps {
  /** A text of the catalogue, with names in braces. */
  readonly template: string;
  readonly values: Readonly<Record<string, ComponentChildren>>;
}

/** A text with elements in place of the names in braces. */
export function Sentence({ template, values }: SentenceProps) {
  const parts = template.split(/\{(\w+)\}/);
  return <>{parts.map((part, place) => (place % 2 === 0 ? part : values[part]))}</>;
}
