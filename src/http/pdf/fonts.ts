import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Font, type Glyph, type GlyphPosition, type GlyphRun, create } from 'fontkit';

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
const maxGlyphs = 10_000;

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
    if (this.#glyphs.size >= maxGlyphs) this.#glyphs.clear();
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

/** The region whose form of a Han character is used. */
export type HanRegion = 'sc' | 'tc' | 'hk' | 'jp' | 'kr';

export interface FaceStyle {
  readonly bold: boolean;
  readonly region: HanRegion;
}

interface FontFile {
  readonly path: string;
  readonly bold: boolean;
  /** Undefined until the file is read. */
  faces?: readonly FontFace[];
}

const fontFile = /\.(?:ttf|otf|ttc|otc)$/i;

/** Styles that documents do not use, and emoji fonts, which PDF cannot embed. */
const unused =
  /serif|mono|italic|oblique|emoji|thin|light|demi|medium|semi|extra|black|heavy|condensed/i;

/** Largest part of the folder that is read, in bytes: more than twice the two weights of Noto Sans CJK. */
const maxBytes = 96 * 1_024 * 1_024;

const maxFaces = 20_000;

/**
 * The operator's folder of fonts, for characters that the bundled fonts lack. A file is read when a
 * character is first searched in it, and stays in memory.
 */
export class FontFolder {
  readonly #files: readonly FontFile[];
  readonly #faces = new Map<string, FontFace | undefined>();

  /** @throws Error when the folder cannot be read */
  constructor(folder: string) {
    this.#files = listFonts(folder);
  }

  /** Returns the first face that has the character. Faces of the wanted weight come first. */
  find(character: string, { bold, region }: FaceStyle): FontFace | undefined {
    const key = `${character} ${region} ${bold}`;
    if (!this.#faces.has(key)) {
      if (this.#faces.size >= maxFaces) this.#faces.clear();
      this.#faces.set(key, this.#search(character, bold, region));
    }
    return this.#faces.get(key);
  }

  #search(character: string, bold: boolean, region: HanRegion): FontFace | undefined {
    const weighted = [...this.#files].sort(
      (one, other) => Number(one.bold !== bold) - Number(other.bold !== bold),
    );
    for (const file of weighted) {
      file.faces ??= openFile(file.path);
      const covering = file.faces.filter((face) => face.covers(character));
      const regional = covering.find(
        ({ source }) => regionOfName(source.postscriptName) === region,
      );
      const face = regional ?? covering[0];
      if (face) return face;
    }

    return undefined;
  }
}

/** Lists the fonts by name, up to {@link maxBytes} in total. */
function listFonts(folder: string): FontFile[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => fontFile.test(name))
    .sort()
    .map((name) => join(folder, name));
  const plain = paths.filter((path) => !unused.test(basename(path)));
  let bytes = 0;
  return (plain.length > 0 ? plain : paths).flatMap((path) => {
    // A symbolic link may be broken.
    bytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    return bytes > maxBytes ? [] : [{ path, bold: /bold/i.test(basename(path)) }];
  });
}

/** Opens the faces of a file; none if it is damaged or has no face that PDF can embed. */
function openFile(path: string): FontFace[] {
  let opened: readonly Font[];
  try {
    const font = create(readFileSync(path));
    opened = 'fonts' in font ? font.fonts : [font];
  } catch {
    return [];
  }

  const usable = opened.filter(
    ({ directory: { tables } }) => tables['glyf'] !== undefined || tables['CFF '] !== undefined,
  );
  const plain = usable.filter(({ fullName }) => !/mono/i.test(fullName));
  return (plain.length > 0 ? plain : usable).map(
    (font) => new FontFace(`${path} ${font.postscriptName}`, font),
  );
}

/** For names such as NotoSansCJKjp-Regular and SourceHanSansTC-Bold. */
function regionOfName(name: string): string | undefined {
  return /(sc|tc|hk|jp|kr)(?:-|$)/i.exec(name)?.[1]?.toLowerCase();
}

const open = (key: string, address: string) =>
  new FontFace(key, create(readFileSync(fileURLToPath(address))) as Font);

/**
 * The fonts of documents. DejaVu covers Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic
 * and currency signs. The operator's folder covers what DejaVu lacks.
 */
export class FontSet {
  readonly #regular = open('regular', import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'));
  readonly #bold = open('bold', import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'));
  readonly #folder: FontFolder | undefined;

  constructor(folder?: FontFolder) {
    this.#folder = folder;
  }

  /** The DejaVu face of this weight. */
  main(bold: boolean): FontFace {
    return bold ? this.#bold : this.#regular;
  }

  /** Returns a face that has a letter with its marks; undefined if none has, and for emoji. */
  faceFor(letter: string, style: FaceStyle): FontFace | undefined {
    const main = this.main(style.bold);
    if (main.covers(letter)) return main;
    if (/\p{Emoji_Presentation}/u.test(letter)) return undefined;
    const [base = ''] = letter;
    const face = this.#folder?.find(base, style);
    return face?.covers(letter) ? face : undefined;
  }
}
