import PDFDocument from 'pdfkit';
import { fonts, showable } from './fonts.js';

/** A cell of a row. */
export interface Cell {
  readonly text: string;
  readonly width: number;
  readonly align?: 'left' | 'right';
}

/** How a text is set. */
export interface TextStyle {
  readonly bold?: boolean;
  /** In points; 9 unless said. */
  readonly size?: number;
}

const margin = 50;
const footerRoom = 30;
const gap = 6;

/** Of pdfkit, which keeps its font to itself and would set what it lacks as an empty box or nothing. */
interface EmbeddedFont {
  readonly font: { hasGlyphForCodePoint(codePoint: number): boolean };
}

/** Sheets of A4 that are filled from top to bottom; a row is never torn apart. */
export class Paper {
  readonly #pdf: PDFKit.PDFDocument;
  readonly #finished: Promise<Buffer>;
  #y = margin;

  /** @param at when the document says it was made; the same input gives the same bytes */
  constructor(title: string, at: Date) {
    this.#pdf = new PDFDocument({
      size: 'A4',
      margin,
      bufferPages: true,
      lang: 'en',
      displayTitle: true,
      info: { Title: title, CreationDate: at, ModDate: at },
    });
    const chunks: Buffer[] = [];
    this.#finished = new Promise((resolve, reject) => {
      this.#pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
      this.#pdf.on('end', () => resolve(Buffer.concat(chunks)));
      this.#pdf.on('error', reject);
    });
    this.#pdf.registerFont('regular', fonts.regular);
    this.#pdf.registerFont('bold', fonts.bold);
  }

  /** Points from margin to margin. */
  get width(): number {
    return this.#pdf.page.width - 2 * margin;
  }

  /** Leaves room below what was set last. */
  space(points: number): void {
    this.#y += points;
  }

  /**
   * Sets cells side by side, as high as the highest of them.
   * @param begin sets what stands above them when they begin a sheet
   */
  row(cells: readonly Cell[], style: TextStyle = {}, begin?: () => void): void {
    const texts = this.#set(style, cells);
    const height = Math.max(
      ...texts.map(({ text, width }) => this.#pdf.heightOfString(text, { width: width - gap })),
    );
    if (this.#y + height > this.#pdf.page.height - margin - footerRoom) {
      this.#pdf.addPage();
      this.#y = margin;
      begin?.();
      this.#set(style, cells);
    }
    let x = margin;
    for (const { text, width, align } of texts) {
      this.#pdf.text(text, x, this.#y, { width: width - gap, align: align ?? 'left', height });
      x += width;
    }
    this.#y += height + gap / 2;
  }

  /** Draws a line from margin to margin. */
  line(): void {
    const { page } = this.#pdf;
    this.#pdf.moveTo(margin, this.#y).lineTo(page.width - margin, this.#y);
    this.#pdf.lineWidth(0.5).strokeColor('#999999').stroke();
    this.#y += gap;
  }

  /** Numbers the sheets and ends the document. */
  finish(footer: string): Promise<Buffer> {
    const { count } = this.#pdf.bufferedPageRange();
    for (let index = 0; index < count; index += 1) {
      this.#pdf.switchToPage(index);
      const [{ text } = { text: '' }] = this.#set({ size: 8 }, [
        { text: `${footer} · ${index + 1} / ${count}`, width: this.width },
      ]);
      const y = this.#pdf.page.height - margin - footerRoom / 2;
      this.#pdf.text(text, margin, y, { width: this.width, align: 'center', lineBreak: false });
    }
    this.#pdf.end();
    return this.#finished;
  }

  /** Chooses the font and makes the texts ones that it can show. */
  #set({ bold = false, size = 9 }: TextStyle, cells: readonly Cell[]): Cell[] {
    this.#pdf
      .font(bold ? 'bold' : 'regular')
      .fontSize(size)
      .fillColor('#111111');
    const { font } = (this.#pdf as unknown as { readonly _font: EmbeddedFont })._font;
    const has = (codePoint: number) => font.hasGlyphForCodePoint(codePoint);
    return cells.map((cell) => ({ ...cell, text: showable(cell.text, has) }));
  }
}
