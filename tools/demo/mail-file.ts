import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A mail that the service wrote into a file, without the headers that programs read. */
export interface MailFile {
  /** In the data folder. */
  readonly file: string;
  /** Sender, recipient, subject, and the first sentence. */
  readonly lines: readonly string[];
  readonly text: string;
}

/** The mail in a data folder whose subject begins so; undefined while there is none. */
export function readMailFile(dataDir: string, subject: string): MailFile | undefined {
  const folder = join(dataDir, 'mail');
  if (!existsSync(folder)) return undefined;
  const names = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  return names
    .map((name) => parseMailFile(join('mail', name), readFileSync(join(folder, name), 'utf8')))
    .find(({ lines }) => lines.some((line) => line.startsWith(`Subject: ${subject}`)));
}

function parseMailFile(file: string, mail: string): MailFile {
  const [head = '', body = ''] = mail.split(/\r\n\r\n(.*)/s);
  const text = decoded(body, /^Content-Transfer-Encoding: (\S+)/im.exec(head)?.[1] ?? '');
  const shown = head.split(/\r\n(?! )/).filter((line) => /^(?:From|To|Subject):/.test(line));
  const [sentence = ''] = text.split('\r\n');
  return { file, lines: [...shown, '', sentence], text };
}

/** Amounts have signs that are no ASCII. */
function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
