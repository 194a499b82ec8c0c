import PDFDocument from 'pdfkit';
import type { FontFace, HanRegion, FontSet } from './fonts.js';
import { breakIntoLines, type TextLine } from './text-lines.js';

export interface Cell {
  /** One text, or several that each start a line. */
  readonly text: string | readonly string[];
  readonly width: number;
  readonly align?: 'left' | 'right';
  /** In points. Defaults to the size of the row. */
  readonly size?: number;
  /** Longer text ends in an ellipsis. Defaults to 4. */
  readonly maxLines?: number;
}

/** Cells side by side. */
interface Row {
  readonly cells: readonly Cell[];
  readonly style?: TextStyle;
}

/** A cell with its size, and its text broken into lines. */
type MeasuredCell = Cell & { readonly size: number; readonly lines: readonly TextLine[] };

/** The style of a text. */
interface TextStyle {
  readonly bold?: boolean;
  /** In points. Defaults to {@link textSize}. */
  readonly size?: number;
}

interface PageLayoutOptions {
  readonly title: string;
  /** Creation date of the document. The same input gives the same bytes. */
  readonly at: Date;
  readonly fonts: FontSet;
  readonly region: HanRegion;
}

/** Default font size, in points. */
export const textSize = 9;
/** Space at the right of each cell, in points. */
const gap = 6;
/** Space below each row, in points. */
const rowGap = gap / 2;

const margin = 50;
const footerRoom = 30;
/** Metrics of DejaVu, in em. */
const ascent = 0.928;
const lineHeight = 1.164;
const defaultMaxLines = 4;

/** A4 pages, filled from top to bottom. A row never splits across pages. */
export class PageLayout {
  readonly #pdf: PDFKit.PDFDocument;
  readonly #output: Promise<Buffer>;
  readonly #fonts: FontSet;
  readonly #region: HanRegion;
  readonly #usedFaces = new Set<FontFace>();
  #y = margin;

  constructor({ title, at, fonts, region }: PageLayoutOptions) {
    this.#fonts = fonts;
    this.#region = region;

    this.#pdf = new PDFDocument({
      size: 'A4',
      margin,
      bufferPages: true,
      lang: 'en',
      displayTitle: true,
      info: { Title: title, CreationDate: at, ModDate: at },
    });

    const chunks: Buffer[] = [];
    this.#output = new Promise((resolve, reject) => {
      this.#pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
      this.#pdf.on('end', () => resolve(Buffer.concat(chunks)));
      this.#pdf.on('error', reject);
    });
  }

  /** Width between the margins, in points. */
  get width(): number {
    return this.#pdf.page.width - 2 * margin;
  }

  /** Adds vertical space. */
  space(points: number): void {
    this.#y += points;
  }

  /** Width of a text on one line, in points. */
  widthOf(text: string, { bold = false, size = textSize }: TextStyle = {}): number {
    return this.#fonts.main(bold).widthOf(text) * size;
  }

  /**
   * Draws cells side by side. The tallest sets the height of the row.
   * @param onNewPage draws a header if the row starts a page
   */
  row(cells: readonly Cell[], style: TextStyle = {}, onNewPage?: () => void): void {
    this.rows([{ cells, style }], onNewPage);
  }

  /** Draws rows below each other, all on one page. */
  rows(rows: readonly Row[], onNewPage?: () => void): void {
    const measured = rows.map(({ cells, style = {} }) => this.#measure(cells, style));
    const gaps = (measured.length - 1) * rowGap;
    const height = measured.reduce((sum, row) => sum + row.height, gaps);

    if (this.#y + height > this.#pdf.page.height - margin - footerRoom) {
      this.#pdf.addPage();
      this.#y = margin;
      onNewPage?.();
    }

    for (const { cells, height: rowHeight } of measured) {
      this.#drawCells(cells);
      this.#y += rowHeight + rowGap;
    }
  }

  /** Draws a rule between the margins. */
  line(): void {
    const { page } = this.#pdf;
    this.#pdf.moveTo(margin, this.#y).lineTo(page.width - margin, this.#y);
    this.#pdf.lineWidth(0.5).strokeColor('#999999').stroke();
    this.#y += gap;
  }

  /** Numbers the pages and ends the document. */
  async finish(footer: string): Promise<Buffer> {
    const { count } = this.#pdf.bufferedPageRange();
    const size = 8;
    const y = this.#pdf.page.height - margin - footerRoom / 2 + ascent * size;
    for (let index = 0; index < count; index += 1) {
      this.#pdf.switchToPage(index);

      const number = `· ${index + 1} / ${count}`;
      const space = this.widthOf(' ', { size });
      const width = this.width - space - this.widthOf(number, { size });
      const [name] = this.#break({ text: footer, width, maxLines: 1 }, { size });
      const [page] = this.#break({ text: number, width: this.width }, { size });
      if (!name || !page) continue;

      const left = margin + (this.width - space - (name.width + page.width) * size) / 2;
      this.#draw(name, left, y, size);
      this.#draw(page, left + name.width * size + space, y, size);
    }

    this.#pdf.end();

    try {
      return await this.#output;
    } finally {
      for (const face of this.#usedFaces) face.dropOutlines();
    }
  }

  #measure(cells: readonly Cell[], style: TextStyle) {
    const measured = cells.map((cell): MeasuredCell => {
      const size = cell.size ?? style.size ?? textSize;
      return { ...cell, size, lines: this.#break(cell, { ...style, size }) };
    });
    const height = Math.max(...measured.map(({ lines, size }) => lines.length * lineHeight * size));
    return { cells: measured, height };
  }

  #drawCells(cells: readonly MeasuredCell[]): void {
    let x = margin;
    for (const { lines, width, align, size } of cells) {
      lines.forEach((line, index) => {
        const left = align === 'right' ? x + width - gap - line.width * size : x;
        this.#draw(line, left, this.#y + (index * lineHeight + ascent) * size, size);
      });
      x += width;
    }
  }

  #break(cell: Cell, { bold = false, size = textSize }: TextStyle): TextLine[] {
    const { text, width, maxLines = defaultMaxLines } = cell;
    // The tolerance keeps a rounding error from wrapping text that fits exactly.
    const options = { bold, region: this.#region, width: (width - gap) / size + 0.001, maxLines };
    const texts = typeof text === 'string' ? [text] : text;
    return texts.flatMap((line) => breakIntoLines(line, this.#fonts, options));
  }

  /** @param y of the baseline */
  #draw({ runs }: TextLine, left: number, y: number, size: number): void {
    let x = left;
    this.#pdf.fontSize(size).fillColor('#111111');
    for (const { face, text, shaped } of runs) {
      this.#usedFaces.add(face);
      this.#pdf.registerFont(face.key, face.source as never).font(face.key);
      // pdfkit passes this run back to the face, which so does not shape the text again.
      const features = shaped as never;
      this.#pdf.text(text, x, y, { lineBreak: false, baseline: 'alphabetic', features });
      x += shaped.width * size;
    }
  }
}
