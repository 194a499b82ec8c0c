import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'undici';

/** Why what a PDF says is not looked at; undefined when there is a program that reads it. */
export const pdfReaderMissing =
  spawnSync('pdftotext', ['-v']).error === undefined
    ? undefined
    : 'is pending: no pdftotext was found; on Debian, apt-get install poppler-utils';

/** Fetches an address as a browser does, which has no credential. */
export async function openPdf(url: string, method: 'GET' | 'HEAD' = 'GET', sent = {}) {
  const { statusCode: status, headers, body } = await request(url, { method, headers: sent });
  return { status, headers, bytes: Buffer.from(await body.arrayBuffer()) };
}

/** The text of a PDF as pdftotext reads it; runs of white space are one space. */
export async function textOfPdf(bytes: Uint8Array): Promise<string> {
  return (await read(bytes, '-layout')).replace(/\s+/g, ' ');
}

/** A word of a PDF in reading order, and where on the sheet it stands, in points. */
export interface PlacedWord {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
}

/** The words of a PDF with their places. */
export async function wordsOfPdf(bytes: Uint8Array): Promise<PlacedWord[]> {
  const words = /<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax=".*?">(.*?)<\/word>/g;
  return Array.from((await read(bytes, '-bbox')).matchAll(words), (match) => {
    const [, left, top, right, text = ''] = match;
    // Its letters come as they stand, from left to right.
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
