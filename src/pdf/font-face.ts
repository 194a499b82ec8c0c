import type { Font, Glyph, GlyphPosition, GlyphRun } from 'fontkit';

/** Glyphs in the order they stand on paper, and how wide they are together, in parts of the size. */
export interface ShapedRun extends GlyphRun {
  readonly width: number;
}

/**
 * Scripts whose letters stand side by side whatever their neighbours are, so that a table of widths
 * is enough. OpenType shaping costs fifty times as much.
 */
const unshaped =
  /^[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Armn}\p{sc=Geor}\p{sc=Hebr}\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\p{sc=Zyyy}]*$/u;

/** Stands above or below a letter. */
const mark = /\p{M}/u;

/** Of the scripts above, or of all: the Arabic tatweel, and jamo that form a syllable. */
const joining = /[\u0640\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/u;

/** Of one face, so that all faces of a folder together stay within the thread's memory. */
const maxCached = 10_000;

/** Whether the letters of a text change shape or place beside each other: Arabic, Thai, marks. */
export function needsShaping(text: string): boolean {
  return !unshaped.test(text) || mark.test(text) || joining.test(text);
}

/** One font at one weight, opened once per process and embedded by every document that uses it. */
export class FontFace {
  /** The face as pdfkit embeds it. */
  readonly source: Font;
  readonly #layout: Font['layout'];
  readonly #glyphs = new Map<number, Glyph>();

  /** @param key names the face in a document */
  constructor(
    readonly key: string,
    font: Font,
  ) {
    this.source = font;
    this.#layout = font.layout.bind(font);
    // pdfkit asks the font to lay out each text that it sets; it gets the run that was shaped before.
    font.layout = (_text, features) => forPdfkit(features as ShapedRun);
  }

  /** Whether the face has a glyph for every character of the text. */
  covers(text: string): boolean {
    return Array.from(text).every((character) =>
      this.source.hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
    );
  }

  /** The width of a text whose letters stand side by side, in parts of the size; marks have none. */
  widthOf(text: string): number {
    let width = 0;
    for (const character of text) {
      if (!mark.test(character)) width += this.#glyphOf(character).advanceWidth;
    }
    return width / this.source.unitsPerEm;
  }

  /** Chooses and places the glyphs of a text of one script and one direction. */
  shape(text: string, rightToLeft: boolean): ShapedRun {
    if (needsShaping(text)) return this.#shapeByRules(text, rightToLeft);
    const glyphs = Array.from(text, (character) => this.#glyphOf(character));
    if (rightToLeft) glyphs.reverse();
    return this.#measured(glyphs, glyphs.map(besides));
  }

  /** Drops what fontkit keeps of each glyph, about 12 KB: a CJK font has more glyphs than the thread has room for. */
  dropOutlines(): void {
    Object.assign(this.source, { _glyphs: {} });
  }

  #shapeByRules(text: string, rightToLeft: boolean): ShapedRun {
    // A cached glyph keeps the characters it first stood for, of whatever document that was; without
    // this the bytes of a document would depend on the documents before it.
    this.dropOutlines();
    const direction = rightToLeft ? 'rtl' : 'ltr';
    const { glyphs, positions } = this.#layout(text, {}, undefined, undefined, direction);
    return this.#measured(glyphs, positions);
  }

  #measured(glyphs: readonly Glyph[], positions: readonly GlyphPosition[]): ShapedRun {
    const width = positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
    return { glyphs, positions, width: width / this.source.unitsPerEm };
  }

  #glyphOf(character: string): Glyph {
    const codePoint = character.codePointAt(0) ?? 0;
    const known = this.#glyphs.get(codePoint);
    if (known) return known;
    const { id, advanceWidth } = this.source.glyphForCodePoint(codePoint);
    const glyph = { id, advanceWidth, codePoints: [codePoint] };
    if (this.#glyphs.size >= maxCached) this.#glyphs.clear();
    this.#glyphs.set(codePoint, glyph);
    return glyph;
  }
}

function besides({ advanceWidth }: Glyph): GlyphPosition {
  return { xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 };
}

/** A copy, because pdfkit scales positions where they stand. */
function forPdfkit({ glyphs, positions, width }: ShapedRun): GlyphRun {
  const copies = positions.map(({ xAdvance, yAdvance, xOffset, yOffset }) => {
    return { xAdvance, yAdvance, xOffset, yOffset };
  });
  return { glyphs, positions: copies, advanceWidth: width * 1_000 } as GlyphRun;
}
