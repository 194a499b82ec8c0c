import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { eventually } from './eventually.js';
import { type ParsedMail, parseMail } from './parse-mail.js';

/** A mail that the server read, accepted or not. */
export interface ReceivedMail extends ParsedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
}

/** The stages at which the server can fail; `answer` is after it has read the whole mail. */
export type MailStage = 'greeting' | 'recipient' | 'answer';

/** One failure of the server, at one stage. */
export interface MailFault {
  readonly stage: MailStage;
  readonly does: 'hang' | 'drop' | 'trickle' | { readonly code: number; readonly text: string };
}

/** A scripted SMTP server on a free port of this machine. */
export interface MailServer {
  readonly port: number;
  /** For SMTP_URL. */
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

/** Refuses at this stage. */
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

/** A response that never ends. */
async function trickle(socket: Socket): Promise<void> {
  while (!socket.destroyed) {
    socket.write('2');
    await pause(20, undefined, { ref: false });
  }
}
