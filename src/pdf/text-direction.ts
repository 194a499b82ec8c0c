import bidiFactory = require('bidi-js');
import type { Bidi } from 'bidi-js';

// The types declare a default export; the package exports the function itself.
const bidi = (bidiFactory as unknown as () => Bidi)();

/** A quick check for characters of right-to-left scripts. */
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const isolateStart = '\u2068';
const isolateEnd = '\u2069';

/** Keeps a text of unknown direction from changing the order of the text around it. */
export function isolate(text: string): string {
  return rightToLeft.test(text) ? `${isolateStart}${text}${isolateEnd}` : text;
}

/** Whether a character only marks the start or end of an isolated text. */
export function isIsolateMark(character: string): boolean {
  return character === isolateStart || character === isolateEnd;
}

/** The directions of the characters in a paragraph. */
export interface Directions {
  /** The embedding level at an index; odd levels run from right to left. */
  readonly levelAt: (index: number) => number;
  /** The mirrored character at an index, such as ) for (; undefined if it stays. */
  readonly mirrorAt: (index: number) => string | undefined;
}

const leftToRight: Directions = { levelAt: () => 0, mirrorAt: () => undefined };

/** Resolves directions by the Unicode Bidirectional Algorithm (UAX 9). */
export function directionsOf(paragraph: string): Directions {
  if (!rightToLeft.test(paragraph)) return leftToRight;
  const { levels } = bidi.getEmbeddingLevels(paragraph, 'auto');
  const mirrors = bidi.getMirroredCharactersMap(paragraph, levels);
  return {
    levelAt: (index) => levels[index] ?? 0,
    mirrorAt: (index) => mirrors.get(index),
  };
}

/** Reorders the runs of one line from reading order to visual order (UAX 9, rule L2). */
export function inVisualOrder<Run extends { readonly level: number }>(runs: readonly Run[]): Run[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1) {
    let start = 0;
    while (start < ordered.length) {
      let end = start;
      while (end < ordered.length && (ordered[end]?.level ?? 0) >= level) end += 1;
      ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = end + 1;
    }
  }
  return ordered;
}
