import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { eventually } from './eventually.js';
import type { Database } from '../../src/database/database.js';
import { makeId } from '../../src/domain/values/id.js';
import { NoticeClaimer } from '../../src/domain/notice/claim.js';
import { enqueueNotices, recordNotice } from '../../src/domain/notice/notices.js';
import type { TestDatabase } from './database.js';

/** A mail that the server read, accepted or not. */
export interface ReceivedMail extends ParsedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
}

/** The stages at which the server can fail; `answer` is after it has read the whole mail. */
export type MailStage = 'greeting' | 'recipient' | 'answer';

/** One failure of the server, at one stage. */
interface MailFault {
  readonly stage: MailStage;
  readonly does: 'hang' | 'drop' | 'trickle' | { readonly code: number; readonly text: string };
}

/** A scripted SMTP server on a free port of this machine. */
export interface MailServer {
  readonly port: number;
  /** The value of SMTP_URL. */
  readonly url: string;
  /** All mails that were read to their end. */
  readonly mails: readonly ReceivedMail[];
  /** Mails that were accepted with 250. */
  readonly taken: readonly ReceivedMail[];
  readonly connections: { readonly accepted: number; readonly open: number; readonly most: number };
  /** User names of logins. */
  readonly logins: readonly string[];
  /** The number of times that a stage was reached. */
  reached(stage: MailStage): number;
  /** Queues faults; each is used once, at its stage. */
  script(...mailFaults: MailFault[]): void;
  /** Sets the fault after the script; undefined accepts mails. */
  always(mailFault: MailFault | undefined): void;
  /** Closes the connections of mails that hang. */
  dropHanging(): void;
  /** Waits until `count` mails are accepted. */
  took(count: number): Promise<readonly ReceivedMail[]>;
  close(): Promise<void>;
}

/** Returns a fault that refuses a mail at this stage. */
export function refuse(code: number, text: string, stage: MailStage = 'recipient'): MailFault {
  return { stage, does: { code, text } };
}

/** Starts a server without password and TLS; `options` can add both. */
export async function startMailServer(
  options: SMTPServerOptions & { readonly port?: number } = {},
): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const taken: ReceivedMail[] = [];
  const logins: string[] = [];
  const reached = { greeting: 0, recipient: 0, answer: 0 };
  const sockets = new Map<number, Socket>();
  const counted = { accepted: 0, most: 0 };
  const hanging: Socket[] = [];
  const queue: MailFault[] = [];
  let fallback: MailFault | undefined;

  const arrive = (
    stage: MailStage,
    session: SMTPServerSession,
    done: (error?: Error | null) => void,
  ): void => {
    reached[stage] += 1;

    const mailFault = queue[0]?.stage === stage ? queue.shift() : fallback;
    if (mailFault?.stage !== stage) {
      done();
      return;
    }

    const socket = sockets.get(session.remotePort);
    const { does } = mailFault;
    if (typeof does === 'object') {
      done(Object.assign(new Error(does.text), { responseCode: does.code }));
    } else if (does === 'drop') socket?.destroy();
    else if (socket && does === 'trickle') void trickle(socket);
    else if (socket) hanging.push(socket);
  };

  const server = new SMTPServer({
    hideSTARTTLS: true,
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 1,
    ...options,
    onAuth: ({ username = '' }, _session, done) => {
      logins.push(username);
      done(null, { user: username });
    },
    onConnect: (session, done) => arrive('greeting', session, done),
    onRcptTo: (_address, session, done) => arrive('recipient', session, done),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));

      stream.once('end', () => {
        const raw = Buffer.concat(chunks).toString();
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom ? mailFrom.address : '';
        const mail = { ...parseMail(raw), from, to: rcptTo.map(({ address }) => address), raw };
        mails.push(mail);
        arrive('answer', session, (error) => {
          if (!error) taken.push(mail);
          done(error);
        });
      });
    },
  });

  server.on('error', () => undefined);

  server.server.on('connection', (socket: Socket) => {
    const { remotePort = 0 } = socket;
    sockets.set(remotePort, socket);
    counted.accepted += 1;
    counted.most = Math.max(counted.most, sockets.size);
    socket.on('error', () => undefined).on('close', () => sockets.delete(remotePort));
  });

  await once(server.listen(options.port ?? 0, '127.0.0.1'), 'listening');

  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    mails,
    taken,
    logins,
    get connections() {
      return { ...counted, open: sockets.size };
    },
    reached: (stage) => reached[stage],
    script: (...mailFaults) => void queue.push(...mailFaults),
    always: (mailFault) => void (fallback = mailFault),
    dropHanging: () => hanging.splice(0).forEach((socket) => socket.destroy()),
    took: (count) =>
      eventually(() => {
        if (taken.length < count) throw new Error(`${taken.length} of ${count}`);
        return taken;
      }, `${count} mails are accepted`),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets.values()) socket.destroy();
      }),
  };
}

/** Sends a response that never ends. */
async function trickle(socket: Socket): Promise<void> {
  while (!socket.destroyed) {
    socket.write('2');
    await pause(20, undefined, { ref: false });
  }
}

/** A mail as its reader sees it, decoded. */
export interface ParsedMail {
  /** The headers by name in lower case; unfolded and decoded, one entry per occurrence. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly text: string;
}

/** Parses a mail with one plain text part. @throws Error when a line is longer than 998 characters */
export function parseMail(raw: string): ParsedMail {
  const longest = Math.max(...raw.split('\r\n').map((line) => line.length));
  if (longest > 998) throw new Error(`a line has ${longest} characters, at most 998`);

  const split = raw.indexOf('\r\n\r\n');
  const head = raw.slice(0, split).replace(/\r\n[ \t]+/g, ' ');
  const headers: Record<string, string[]> = {};

  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    (headers[name] ??= []).push(decodeEncodedWords(line.slice(colon + 1).trim()));
  }

  const body = raw.slice(split + 4);
  const encoding = headers['content-transfer-encoding']?.[0];
  const text =
    encoding === 'quoted-printable' ? decodeQuotedPrintable(body.replace(/=\r\n/g, '')) : body;
  return { headers, text: text.replaceAll('\r\n', '\n') };
}

/** Decodes encoded words; removes the space between two of them (RFC 2047). */
function decodeEncodedWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_all, how: string, word: string) =>
      how.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString()
        : decodeQuotedPrintable(word.replaceAll('_', ' ')),
    );
}

function decodeQuotedPrintable(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/g, (_all, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString();
}

/** A row of the table `notice`. */
interface NoticeRow {
  readonly id: string;
  readonly recipient: string;
  readonly message_id: string;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly lease_token: string | null;
  readonly sent_at: Date | null;
  readonly refused_at: Date | null;
  /** Seconds from now() of the database. */
  readonly due_in: number;
}

/** Enqueues one notice of a disabled endpoint to each address, in one transaction. */
export function enqueueNoticesTo(database: Database, ...recipients: string[]): Promise<void> {
  return enqueueNoticesFor(database, 'acc_1', ...recipients);
}

/** Enqueues one notice of a disabled endpoint of this account to each address, in one transaction. */
export async function enqueueNoticesFor(
  database: Database,
  accountId: string,
  ...recipients: string[]
): Promise<void> {
  await database.transact((tx) =>
    enqueueNotices(
      tx,
      recipients.map((recipient) => ({
        kind: 'endpoint_disabled' as const,
        accountId,
        resourceId: makeId('whs', tx.now),
        recipient,
        data: {
          url: 'https://shop.example/hook',
          reason: 'receiver_gone' as const,
          disabledAt: tx.now.toISOString(),
          lastStatus: 410,
        },
      })),
    ),
  );
}

/** Enqueues the mail of an offer to each address, for this account. */
export async function enqueueOfferNotices(
  database: Database,
  accountId: string,
  ...recipients: string[]
): Promise<void> {
  const seller = 'Shop';
  const title = 'Tea';
  const message = null;
  const total = 'EUR 3.00';
  const url = 'https://api.example/offer/off_1';
  await database.transact((tx) => {
    const expiresAt = tx.now.toISOString();
    const data = { seller, title, message, total, url, expiresAt };
    const kind = 'offer_sent' as const;
    return enqueueNotices(
      tx,
      recipients.map((recipient) => ({ kind, accountId, resourceId: 'off_1', recipient, data })),
    );
  });
}

/** Enqueues, claims and records a notice, twice. The second is held back, because a mail was just sent. */
export async function claimAndRecord(database: Database): Promise<void> {
  const claimer = new NoticeClaimer(60_000);
  const recipient = `${makeId('ntc', new Date())}@shop.example`;
  for (let count = 0; count < 2; count += 1) {
    await enqueueNoticesFor(database, 'acc_notices', recipient);
    const claims = await claimer.claim(database.transact, 10);
    for (const claim of claims) await recordNotice(database.read, claim, { kind: 'sent' });
  }
}

/** Returns all notices, oldest first. */
export function noticesOf(database: TestDatabase): Promise<NoticeRow[]> {
  return database.query<NoticeRow>(
    'select *, extract(epoch from due_at - now())::float8 as due_in from notice order by id',
  );
}

/** Ends every backoff, every lease and every time that mails are held back. */
export async function makeNoticesDue(database: TestDatabase): Promise<void> {
  await moveNoticesBack(database, 3_600);
  await database.query(
    "update notice set due_at = date_trunc('milliseconds', now()) where sent_at is null",
  );
}

/** Moves all notices into the past by `seconds`. */
export async function moveNoticesBack(database: TestDatabase, seconds: number): Promise<void> {
  await database.query(
    `update notice set due_at = due_at - $1 * interval '1 second',
            claimed_at = claimed_at - $1 * interval '1 second',
            sent_at = sent_at - $1 * interval '1 second'`,
    [seconds],
  );
}
