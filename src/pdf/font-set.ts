import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { create, type Font } from 'fontkit';
import { FontFace } from './font-face.js';
import type { FaceStyle, FontFolder } from './font-folder.js';

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
