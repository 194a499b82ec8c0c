// How the demo reaches the service: as a client of REST and of the internal GraphQL, as the browser of a buyer without
// scripts, and as the reader of mails that the service wrote to files.
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The fields of a delivery of `/v1` that the demo reads. */
export interface DeliveryRecord {
  readonly id: string;
  readonly attempt: number;
  readonly status: string;
  readonly response_status?: number;
  readonly event_id: string;
  readonly replayed_from?: string;
}

/** Calls `/v1` as a client does. @throws Error if the response is a problem */
export async function callRest<Answer>(
  url: string,
  token: string,
  method: 'GET' | 'POST' | 'PATCH',
  body?: object,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(method !== 'GET' && { 'Idempotency-Key': randomUUID() }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Answer;
  if (!response.ok) throw new Error(`${method} ${url}: ${JSON.stringify(answer)}`);
  return answer;
}

/** Calls the internal GraphQL, as the platform's own tools do. @throws GraphqlError */
export async function callGraphql<Data>(
  internalUrl: string,
  token: string,
  query: string,
  variables: object,
): Promise<Data> {
  const response = await fetch(`${internalUrl}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as {
    data?: Data;
    errors?: readonly { readonly extensions?: { readonly errors?: readonly Issue[] } }[];
  };
  if (!data || errors) throw new GraphqlError(errors);
  return data;
}

/** A refused operation of the internal GraphQL. */
export class GraphqlError extends Error {
  readonly issues: readonly Issue[];

  constructor(
    errors: readonly { readonly extensions?: { readonly errors?: readonly Issue[] } }[] = [],
  ) {
    super(`GraphQL: ${JSON.stringify(errors)}`);
    this.issues = errors.flatMap(({ extensions }) => extensions?.errors ?? []);
  }
}

/** A page of the service, as a browser without scripts reads it. */
interface OpenedPage {
  /** The text of its button; undefined if it has none. */
  readonly button: string | undefined;
  /** The status below its title; undefined if it shows none. */
  readonly statusText: string | undefined;
}

/** Opens a hosted checkout page or an offer page. @throws Error if the status is not 2xx */
export async function openPage(url: string): Promise<OpenedPage> {
  const response = await fetch(url);
  const page = await response.text();
  if (!response.ok) throw new Error(`GET ${url}: ${response.status}`);
  return {
    button: /<button type="submit">(.+?)<\/button>/.exec(page)?.[1]?.replace(/<[^>]+>/g, ''),
    statusText: /<section>\s*<h2>([^<]+)</.exec(page)?.[1],
  };
}

/**
 * Submits the form of the page.
 * @returns the URL of the redirect
 * @throws Error if the page refuses the form
 */
export async function payOnPage(url: string, form: Record<string, string>): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
  const location = response.headers.get('location');
  if (response.status !== 303 || location === null) {
    throw new Error(`POST ${url}: ${response.status} ${await response.text()}`);
  }
  return new URL(location, url).href;
}

/** A mail that the service wrote to a file, without its technical headers. */
interface MailFile {
  /** Path, relative to DATA_DIR. */
  readonly file: string;
  /** Sender, recipient, subject and first line. */
  readonly lines: readonly string[];
  readonly text: string;
}

/** Finds the mail in DATA_DIR whose subject begins with `subject`; undefined until there is one. */
export function readMailFile(dataDir: string, subject: string): MailFile | undefined {
  const folder = join(dataDir, 'mail');
  if (!existsSync(folder)) return undefined;
  const names = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  return names
    .map((name) => parseMailFile(join('mail', name), readFileSync(join(folder, name), 'utf8')))
    .find(({ lines }) => lines.some((line) => line.startsWith(`Subject: ${subject}`)));
}

/** Waits until `probe` returns a value. @throws Error after 30 s without one */
export async function waitFor<T>(
  what: string,
  probe: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const end = performance.now() + 30_000;
  while (performance.now() < end) {
    const value = await probe();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Timed out after 30 s waiting for ${what}`);
}

/** A field that the service refuses, and why. */
interface Issue {
  readonly param: string;
  readonly detail: string;
}

function parseMailFile(file: string, mail: string): MailFile {
  const [head = '', body = ''] = mail.split(/\r\n\r\n(.*)/s);
  const text = decoded(body, /^Content-Transfer-Encoding: (\S+)/im.exec(head)?.[1] ?? '');
  const headers = head.split(/\r\n(?! )/).filter((line) => /^(?:From|To|Subject):/.test(line));
  const [sentence = ''] = text.split('\r\n');
  return { file, lines: [...headers, '', sentence], text };
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
