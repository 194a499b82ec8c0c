import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { create, type Font } from 'fontkit';
import { FontFace } from './font-face.js';

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

const maxCached = 20_000;

/**
 * The operator's folder of fonts, for characters that the bundled fonts lack. A file is read when a
 * character is first searched in it, and stays in memory.
 */
export class FontFolder {
  readonly #files: readonly FontFile[];
  readonly #found = new Map<string, FontFace | undefined>();

  /** @throws Error when the folder cannot be read */
  constructor(folder: string) {
    this.#files = listFonts(folder);
  }

  /** Returns the first face that has the character. Faces of the wanted weight come first. */
  find(character: string, { bold, region }: FaceStyle): FontFace | undefined {
    const key = `${character} ${region} ${bold}`;
    if (!this.#found.has(key)) {
      if (this.#found.size >= maxCached) this.#found.clear();
      this.#found.set(key, this.#search(character, bold, region));
    }
    return this.#found.get(key);
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
