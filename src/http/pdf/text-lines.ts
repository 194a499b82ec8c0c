import type { Bidi } from 'bidi-js';
import LineBreaker from 'linebreak';
import {
  type FontFace,
  needsShaping,
  type ShapedRun,
  type FaceStyle,
  type HanRegion,
  type FontSet,
} from './fonts.js';

import bidiFactory = require('bidi-js');

interface LineOptions {
  readonly bold: boolean;
  /** Region for Han characters in text that does not show its own. */
  readonly region: HanRegion;
  /** In em. */
  readonly width: number;
  /** Longer text ends in an ellipsis. */
  readonly maxLines: number;
}

/** Glyphs of one font; {@link text} is in reading order. */
interface TextRun {
  readonly face: FontFace;
  readonly text: string;
  readonly shaped: ShapedRun;
  readonly level: number;
}

/** Runs from left to right; `width` is their total, in em. */
export interface TextLine {
  readonly runs: readonly TextRun[];
  readonly width: number;
}

/** A letter with its marks, its index in the text, and its font. */
interface Letter {
  readonly text: string;
  readonly at: number;
  readonly face: FontFace;
  readonly width: number;
  readonly complex: boolean;
}

/** Letters `from` up to, but not including, `to`. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Shown for a character that no font has. */
const missingGlyph = '\u25a1';
const ellipsis = '…';

/** More than fits into the lines of any cell; the rest is ignored. */
const maxCharacters = 500;

/** Characters without a glyph: variation selectors, direction marks and overrides. */
const invisible = /(?!\u200c|\u200d|\u2068|\u2069)\p{Default_Ignorable_Code_Point}/gu;
/** A joiner matters only between letters of joining scripts. */
const idleJoiner =
  /(?<![\p{sc=Arab}\p{sc=Syrc}\p{sc=Nkoo}\p{sc=Deva}\p{sc=Beng}\p{M}])[\u200c\u200d]/gu;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Breaks a text into lines ready to draw. Text that does not fit is cut; the API has it whole. */
export function breakIntoLines(raw: string, fonts: FontSet, options: LineOptions): TextLine[] {
  const { text, truncated } = normalize(raw);
  const style = { bold: options.bold, region: regionOf(text) ?? options.region };
  const letters = measureLetters(text, fonts, style);
  const ranges = breakLines(text, letters, options);
  const last = ranges[options.maxLines - 1];
  if (last && (truncated || ranges.length > options.maxLines)) {
    const to = fitEllipsis(letters, last, fonts, options);
    const shorter = `${text.slice(0, letters[to]?.at ?? text.length)}${ellipsis}`;
    const kept = [
      ...letters.slice(0, to),
      ...measureLetters(ellipsis, fonts, style, shorter.length - 1),
    ];

    ranges.splice(options.maxLines - 1, Infinity, { from: last.from, to: kept.length });

    return toLines(shorter, kept, ranges);
  }

  return toLines(text, letters, ranges);
}

/** The region that the script of a text shows; undefined for Han characters alone. */
export function regionOf(text: string): HanRegion | undefined {
  if (/[\p{sc=Hira}\p{sc=Kana}]/u.test(text)) return 'jp';
  if (/\p{sc=Hang}/u.test(text)) return 'kr';
  return /\p{sc=Bopo}/u.test(text) ? 'tc' : undefined;
}

/** Puts a text on one line in NFC, without invisible characters. */
function normalize(raw: string): { text: string; truncated: boolean } {
  const line = raw
    .slice(0, 2 * maxCharacters)
    .normalize('NFC')
    .replace(invisible, '')
    .replace(idleJoiner, '')
    .replace(/[\t\n\v\f\r\u2028\u2029\p{Cc}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  const characters = Array.from(line);
  const truncated = characters.length > maxCharacters;
  return { text: truncated ? characters.slice(0, maxCharacters).join('') : line, truncated };
}

function measureLetters(text: string, fonts: FontSet, style: FaceStyle, offset = 0): Letter[] {
  const letters: Letter[] = [];
  const add = (part: string, at: number) => {
    // An isolate mark only affects the order, by its place in the text.
    if (isIsolateMark(part)) return;
    const face = fonts.faceFor(part, style);
    const shown = face ? part : missingGlyph.repeat(Array.from(part).length);
    const used = face ?? fonts.main(style.bold);
    const width = used.widthOf(shown);
    letters.push({ text: shown, at, face: used, width, complex: needsShaping(shown) });
  };

  if (needsShaping(text)) {
    for (const { segment, index } of graphemes.segment(text)) add(segment, offset + index);
  } else {
    let at = offset;
    for (const character of text) {
      add(character, at);
      at += character.length;
    }
  }

  return letters;
}

/** Fills each line with as many words as fit. Breaks a word that is wider than a line. */
function breakLines(text: string, letters: readonly Letter[], { width, maxLines }: LineOptions) {
  const breaks = new Set<number>();
  const breaker = new LineBreaker(text);
  for (let lineBreak = breaker.nextBreak(); lineBreak; lineBreak = breaker.nextBreak()) {
    breaks.add(lineBreak.position);
  }

  const ranges: Range[] = [];
  let from = 0;
  let wordEnd = 0;
  let used = 0;
  for (let index = 0; index < letters.length; index += 1) {
    const letter = letters[index];
    if (!letter) break;

    if (index > from && breaks.has(letter.at)) wordEnd = index;
    used += letter.width;

    // A space at the end of a line may exceed the width.
    if (used <= width || letter.text === ' ' || index === from) continue;

    const to = wordEnd > from ? wordEnd : index;
    ranges.push({ from, to });
    if (ranges.length > maxLines) return ranges;

    from = to;
    used = 0;
    index = to - 1;
  }

  if (from < letters.length || ranges.length === 0) ranges.push({ from, to: letters.length });

  return ranges;
}

/** How many letters to keep so that an ellipsis fits on the last line. */
function fitEllipsis(
  letters: readonly Letter[],
  { from, to }: Range,
  fonts: FontSet,
  { bold, width }: LineOptions,
): number {
  let used = fonts.main(bold).widthOf(ellipsis);
  let end = from;
  while (end < to) {
    used += letters[end]?.width ?? 0;
    if (used > width) break;
    end += 1;
  }
  while (end > from && letters[end - 1]?.text === ' ') end -= 1;
  return end;
}

function toLines(text: string, letters: readonly Letter[], ranges: readonly Range[]): TextLine[] {
  const directions = directionsOf(text);
  return ranges.map(({ from, to }) => {
    let end = to;
    while (end > from && letters[end - 1]?.text === ' ') end -= 1;
    const runs = inVisualOrder(toRuns(letters.slice(from, end), directions));
    return { runs, width: runs.reduce((sum, { shaped }) => sum + shaped.width, 0) };
  });
}

/** Shapes adjacent letters of the same font, direction and kind together. */
function toRuns(letters: readonly Letter[], { levelAt, mirrorAt }: Directions): TextRun[] {
  const groups: { face: FontFace; level: number; complex: boolean; text: string }[] = [];

  for (const letter of letters) {
    const level = levelAt(letter.at);
    const text = mirrorAt(letter.at) ?? letter.text;
    const last = groups.at(-1);
    // A space belongs to the word before it.
    const same = letter.complex === last?.complex || letter.text === ' ';
    if (last?.face === letter.face && last.level === level && same) last.text += text;
    else groups.push({ face: letter.face, level, complex: letter.complex, text });
  }

  return groups.map(({ face, level, text }) => {
    return { face, level, text, shaped: face.shape(text, level % 2 === 1) };
  });
}

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
function isIsolateMark(character: string): boolean {
  return character === isolateStart || character === isolateEnd;
}

/** The directions of the characters in a paragraph. */
interface Directions {
  /** The embedding level at an index; odd levels run from right to left. */
  readonly levelAt: (index: number) => number;
  /** The mirrored character at an index, such as ) for (; undefined if it stays. */
  readonly mirrorAt: (index: number) => string | undefined;
}

const leftToRight: Directions = { levelAt: () => 0, mirrorAt: () => undefined };

/** Resolves directions by the Unicode Bidirectional Algorithm (UAX 9). */
function directionsOf(paragraph: string): Directions {
  if (!rightToLeft.test(paragraph)) return leftToRight;
  const { levels } = bidi.getEmbeddingLevels(paragraph, 'auto');
  const mirrors = bidi.getMirroredCharactersMap(paragraph, levels);
  return {
    levelAt: (index) => levels[index] ?? 0,
    mirrorAt: (index) => mirrors.get(index),
  };
}

/** Reorders the runs of one line from reading order to visual order (UAX 9, rule L2). */
function inVisualOrder<Run extends { readonly level: number }>(runs: readonly Run[]): Run[] {
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
