import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A mail that the service wrote to a file, without its technical headers. */
export interface MailFile {
  /** Path, relative to DATA_DIR. */
  readonly file: string;
  /** Sender, recipient, subject and first line. */
  readonly lines: readonly string[];
  readonly text: string;
}

/** Finds the mail in DATA_DIR whose subject begins with `subject`; undefined while there is none. */
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

/** Decodes the body, which is encoded because currency symbols are not ASCII. */
function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
