import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'undici';
import type { InvoiceDocument } from '../../src/domain/payment/invoice-document.js';
import { type LineItem, Totals } from '../../src/domain/commerce/line-items.js';
import { existsSync } from 'node:fs';

/** The reason why tests of PDF text are pending; undefined when pdftotext is installed. */
export const pdfReaderMissing =
  spawnSync('pdftotext', ['-v']).error === undefined
    ? undefined
    : 'is pending: found no pdftotext; on Debian, apt-get install poppler-utils';

/** Fetches a URL without a credential, as a browser does. */
export async function openPdf(url: string, method: 'GET' | 'HEAD' = 'GET', sent = {}) {
  const { statusCode: status, headers, body } = await request(url, { method, headers: sent });
  return { status, headers, bytes: Buffer.from(await body.arrayBuffer()) };
}

/** Returns the text of a PDF, read by pdftotext; each run of white space becomes one space. */
export async function textOfPdf(bytes: Uint8Array): Promise<string> {
  return (await read(bytes, '-layout')).replace(/\s+/g, ' ');
}

/** Returns the text of each page of a PDF, as {@link textOfPdf} does. */
export async function pagesOfPdf(bytes: Uint8Array): Promise<string[]> {
  const pages = (await read(bytes, '-layout')).split('\f');
  // Each page ends with a form feed.
  return pages.slice(0, -1).map((page) => page.replace(/\s+/g, ' '));
}

/** A word of a PDF and its position on the sheet, in points. */
interface PlacedWord {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
}

/** Returns the words of a PDF with their positions, in reading order. */
export async function wordsOfPdf(bytes: Uint8Array): Promise<PlacedWord[]> {
  const words = /<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax=".*?">(.*?)<\/word>/g;
  return Array.from((await read(bytes, '-bbox')).matchAll(words), (match) => {
    const [, left, top, right, text = ''] = match;
    // Right-to-left words come in visual order.
    const shown = /[\u0590-\u08ff]/.test(text) ? Array.from(text).reverse().join('') : text;
    return { text: shown, left: Number(left), right: Number(right), top: Number(top) };
  });
}

async function read(bytes: Uint8Array, option: string): Promise<string> {
  const program = spawn('pdftotext', [option, '-', '-'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  program.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  program.stdin.end(bytes);
  const [code] = (await once(program, 'close')) as [number | null];
  if (code !== 0) throw new Error(`pdftotext ended with ${String(code)}`);
  return Buffer.concat(chunks).toString('utf8');
}

/** Returns the contents of an invoice; `changes` override them. */
export function makeDocument(changes: Partial<InvoiceDocument> = {}): InvoiceDocument {
  const totals = Object.assign(new Totals(), {
    currency: 'EUR',
    subtotalMinorUnits: 300,
    discountMinorUnits: 0,
    shippingMinorUnits: 0,
    taxMinorUnits: 0,
    totalMinorUnits: 300,
  });

  return {
    account: 'acc_1',
    type: 'invoice',
    number: 'INV-000001',
    corrects: null,
    issuedAt: new Date('2026-11-21T12:00:00.000Z'),
    seller: 'Tea Ltd',
    buyer: { email: 'buyer@example.com', name: null, country: null },
    orderId: 'ord_1',
    paymentId: 'pay_1',
    refundId: null,
    lineItems: [],
    totals,
    ...changes,
  };
}

/** Returns a line item with this name; `changes` override it. */
export function makeItem(name: string, changes: Partial<LineItem> = {}): LineItem {
  return {
    product: { id: 'prd_1', name },
    quantity: 1,
    unitAmountMinorUnits: 1_900,
    discountMinorUnits: 0,
    taxMinorUnits: 361,
    taxPercentage: '19.00',
    totalMinorUnits: 2_261,
    ...changes,
  };
}

/** The folder of the package fonts-noto-cjk on Debian and Ubuntu. */
export const cjkFontFolder = '/usr/share/fonts/opentype/noto';

/** The reason why tests of CJK letters are pending; undefined when the fonts are installed. */
export const cjkFontsMissing = existsSync(`${cjkFontFolder}/NotoSansCJK-Regular.ttc`)
  ? undefined
  : 'is pending: found no Noto CJK fonts; on Debian, apt-get install fonts-noto-cjk';
