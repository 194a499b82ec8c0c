/** The part of fontkit in use; the package has no types. */
declare module 'fontkit' {
  export interface Glyph {
    readonly id: number;
    readonly advanceWidth: number;
    readonly codePoints: readonly number[];
  }

  /** In font units. */
  export interface GlyphPosition {
    readonly xAdvance: number;
    readonly yAdvance: number;
    readonly xOffset: number;
    readonly yOffset: number;
  }

  export interface GlyphRun {
    readonly glyphs: readonly Glyph[];
    readonly positions: readonly GlyphPosition[];
  }

  export interface Font {
    readonly postscriptName: string;
    readonly fullName: string;
    readonly unitsPerEm: number;
    readonly directory: { readonly tables: Readonly<Record<string, unknown>> };
    hasGlyphForCodePoint(codePoint: number): boolean;
    glyphForCodePoint(codePoint: number): Glyph;
    layout(
      text: string,
      features?: unknown,
      script?: string,
      language?: string,
      direction?: 'ltr' | 'rtl',
    ): GlyphRun;
  }

  export interface FontCollection {
    readonly fonts: readonly Font[];
  }

  /** @throws Error when the bytes are not a font */
  export function create(bytes: Uint8Array): Font | FontCollection;
}

/** Break opportunities of Unicode Standard Annex 14; the package has no types. */
declare module 'linebreak' {
  class LineBreaker {
    constructor(text: string);
    nextBreak(): { readonly position: number } | null;
  }
  export { LineBreaker as default };
}
