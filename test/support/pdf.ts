import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** Why what a PDF says is not looked at; undefined when there is a program that reads it. */
export const pdfReaderMissing =
  spawnSync('pdftotext', ['-v']).error === undefined
    ? undefined
    : 'is pending: no pdftotext was found; on Debian, apt-get install poppler-utils';

/** The text of a PDF as pdftotext reads it; runs of white space are one space. */
export async function textOfPdf(bytes: Uint8Array): Promise<string> {
  const program = spawn('pdftotext', ['-layout', '-', '-'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  program.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  program.stdin.end(bytes);
  const [code] = (await once(program, 'close')) as [number | null];
  if (code !== 0) throw new Error(`pdftotext ended with ${String(code)}`);
  return Buffer.concat(chunks).toString('utf8').replace(/\s+/g, ' ');
}
