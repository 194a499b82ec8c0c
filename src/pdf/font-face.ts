import type { Font, Glyph, GlyphPosition, GlyphRun } from 'fontkit';

/** Glyphs in visual order; `width` is their total, in em. */
export interface ShapedRun extends GlyphRun {
  readonly width: number;
}

/**
 * Scripts whose letters do not change with their neighbours, so a table of widths is enough.
 * OpenType shaping costs fifty times as much.
 */
const unshaped =
  /^[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Armn}\p{sc=Geor}\p{sc=Hebr}\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\p{sc=Zyyy}]*$/u;

/** A combining mark. */
const mark = /\p{M}/u;

/** Exceptions within these scripts: the Arabic tatweel, and jamo that form a syllable. */
const joining = /[\u0640\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/u;

/** Per face, so that all faces of a folder together fit into the thread's memory. */
const maxCached = 10_000;

/**
 * Whether letters of the text change shape or place with their neighbours, as in Arabic, in Thai
 * and with marks.
 */
export function needsShaping(text: string): boolean {
  return !unshaped.test(text) || mark.test(text) || joining.test(text);
}

/** One font at one weight. The process opens it once; each document that uses it embeds it. */
export class FontFace {
  /** The font as pdfkit embeds it. */
  readonly source: Font;
  readonly #layout: Font['layout'];
  readonly #glyphs = new Map<number, Glyph>();

  /** @param key name of the face in a document */
  constructor(
    readonly key: string,
    font: Font,
  ) {
    this.source = font;
    this.#layout = font.layout.bind(font);
    // pdfkit asks the font to lay out each text; it gets the run that was shaped before.
    font.layout = (_text, features) => forPdfkit(features as ShapedRun);
  }

  /** Whether the face has a glyph for every character. */
  covers(text: string): boolean {
    return Array.from(text).every((character) =>
      this.source.hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
    );
  }

  /** The width of text that needs no shaping, in em. Marks have no width. */
  widthOf(text: string): number {
    let width = 0;
    for (const character of text) {
      if (!mark.test(character)) width += this.#glyphOf(character).advanceWidth;
    }
    return width / this.source.unitsPerEm;
  }

  /** Chooses and places the glyphs of a text in one script and one direction. */
  shape(text: string, rightToLeft: boolean): ShapedRun {
    if (needsShaping(text)) return this.#shapeByRules(text, rightToLeft);
    const glyphs = Array.from(text, (character) => this.#glyphOf(character));
    if (rightToLeft) glyphs.reverse();
    return this.#measured(glyphs, glyphs.map(unshapedPosition));
  }

  /**
   * Drops fontkit's data per glyph, about 12 KB each: a CJK font has more glyphs than the thread's
   * memory can hold.
   */
  dropOutlines(): void {
    Object.assign(this.source, { _glyphs: {} });
  }

  #shapeByRules(text: string, rightToLeft: boolean): ShapedRun {
    // A cached glyph keeps the characters of the document that first used it. Without this, the
    // bytes of a document would depend on earlier documents.
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

function unshapedPosition({ advanceWidth }: Glyph): GlyphPosition {
  return { xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 };
}

/** Copies, because pdfkit scales positions in place. */
function forPdfkit({ glyphs, positions, width }: ShapedRun): GlyphRun {
  const copies = positions.map(({ xAdvance, yAdvance, xOffset, yOffset }) => {
    return { xAdvance, yAdvance, xOffset, yOffset };
  });
  return { glyphs, positions: copies, advanceWidth: width * 1_000 } as GlyphRun;
}
