// Follows the live stream of the service, for `listen` and `tail`.
//
// A stream resumes after the last frame that was handled, so a lost connection loses no frame. If the service
// cannot resume there, the command says that events may be missing. A crash loses the position, unless the
// command stores it, as `listen` does.
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { errorOf } from '../clients/typescript/src/exchange.js';
import { type Client, failureOf, Refusal, runDocument } from './api/client.js';
import { readBody, send } from './api/http.js';
import { commaList } from './command.js';
import { exitCodes, Failure } from './failure.js';
import { eventTimeDocument } from './generated/documents.js';
import { version } from './version.js';

/** Adds the options that `listen` and `tail` share. */
export function withStreamOptions(command: Command): Command {
  return command
    .option('--events <types>', 'only these types, separated by commas', commaList)
    .option('--endpoint <id>', 'only what concerns this endpoint')
    .option(
      '--since <when>',
      'start in the past: 10m, 2h, 7d, an RFC 3339 time, or the id of an event; at most 30 days ago',
    );
}

/** Returns a signal that Ctrl-C aborts. A second Ctrl-C ends the process at once. */
export function onInterrupt(): AbortSignal {
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => interrupted.abort());
  }
  return interrupted.signal;
}

/** The service sends a heartbeat every 15 s. */
const silentMs = 45_000;
const watchMs = 5_000;
/** A timer that fires this late shows that the machine slept. */
const lateMs = 15_000;

interface FollowOptions {
  readonly url: string;
  readonly key: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Where to resume. Takes precedence over `since` of the query. */
  readonly position?: string | undefined;
  /** Called once, when the service has said where the stream starts: what happens from now on arrives. */
  readonly onStart: () => void;
  /** Handles a frame; the next one waits until it resolves. */
  readonly onFrame: (frame: Frame) => Promise<void>;
  /** Takes the position up to which all frames were handled. */
  readonly onPosition: (position: string) => void;
  /** Tells the user something. */
  readonly note: (text: string) => void;
  /** Tells the user that events may be missing. */
  readonly onGap: (text: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Follows the stream until `signal` aborts. Resumes after the last handled frame when the connection
 * breaks, is silent for 45 s, or the machine slept.
 * @throws Failure if the first connection fails, or if the service refuses a later one for good
 */
export async function followStream(options: FollowOptions): Promise<void> {
  const { note, onStart, onGap, onPosition, signal } = options;
  let { position } = options;
  let { since } = options.query;
  let failures = 0;
  let connected = false;
  let started = false;

  while (!signal.aborted) {
    try {
      const { attempt, response } = await connect(options, position, since);
      try {
        if (failures > 0) {
          note(position ? 'Reconnected; resuming where the stream broke off.' : 'Reconnected.');
        }

        connected = true;

        // Until the first position arrives, the clock of the service says where the stream started.
        if (position === undefined) since ??= timeOf(response);

        for await (const frame of framesOf(response)) {
          failures = 0;

          if (!started && frame.id !== undefined) {
            started = true;
            onStart();
          }

          if (frame.event === 'reset') {
            onGap(
              'The database of the service was replaced. Continuing from now: events may be missing.',
            );
            position = since = undefined;
            break;
          }

          if (frame.event === 'cut') note(`The service closed the stream: ${frame.data}.`);
          else await options.onFrame(frame);
          if (frame.id !== undefined) onPosition((position = frame.id));
        }
      } finally {
        // Before stop(): an abort would make the socket fail, and nobody listens for that any more.
        response.destroy();
        attempt.stop();
      }
    } catch (error) {
      if (isAborted(signal)) return;

      if (error instanceof Refusal && error.status === 410) {
        for (const line of error.lines) note(line);
        onGap('Continuing from now: events may be missing.');
        position = since = undefined;
        continue;
      }

      // An error of the handler does not concern the connection.
      if (!(error instanceof Failure && isBroken(error)) || !connected) throw error;

      if (failures === 0) note(`${error.message} Reconnecting …`);
    }

    failures += 1;
    await wait(backOffMs(failures, Math.random()), undefined, { signal }).catch(() => undefined);
  }
}

async function connect(
  { url, key, query, signal }: FollowOptions,
  position: string | undefined,
  since: string | undefined,
): Promise<{ attempt: Attempt; response: IncomingMessage }> {
  const target = new URL(`${url}/stream`);

  for (const [name, value] of Object.entries({ ...query, since })) {
    if (value !== undefined && !(name === 'since' && position !== undefined)) {
      target.searchParams.set(name, value);
    }
  }

  const attempt = new Attempt(signal);
  try {
    const response = await send(target, {
      method: 'GET',
      headers: {
        Authorization: `Bearer ${key}`,
        Accept: 'text/event-stream, application/problem+json',
        'User-Agent': `signalpost-cli/${version}`,
        ...(position !== undefined && { 'Last-Event-ID': position }),
      },
      idleMs: silentMs,
      signal: attempt.signal,
    });

    const { statusCode = 0, headers } = response;
    const isStream = headers['content-type']?.startsWith('text/event-stream') === true;
    if (statusCode === 200 && isStream) return { attempt, response };

    const text = await readBody(response, target, 65_536);
    throw failureOf(errorOf({ status: statusCode, headers, text }, target.href));
  } catch (error) {
    attempt.stop();
    throw error;
  }
}

/** Aborts a connection when the command ends, and when the machine slept. */
class Attempt {
  readonly #broken = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#broken.signal]);
    let last = Date.now();
    this.#timer = setInterval(() => {
      const late = Date.now() - last - watchMs;
      last = Date.now();
      if (late > lateMs) this.#broken.abort();
    }, watchMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#broken.abort();
  }
}

/** A function, because the compiler believes that the check of the loop still holds. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

function timeOf({ headers }: IncomingMessage): string | undefined {
  const at = Date.parse(headers.date ?? '');
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** @throws Failure 4 if the connection breaks */
async function* framesOf(response: IncomingMessage): AsyncGenerator<Frame> {
  const reader = new FrameReader();
  response.setEncoding('utf8');
  const texts = response[Symbol.asyncIterator]() as AsyncIterator<string>;
  for (;;) {
    const next = await texts.next().catch((cause: unknown) => {
      const { code = 'unknown reason' } = cause as NodeJS.ErrnoException;
      throw new Failure(`The connection broke (${code}).`, exitCodes.unreachable, { cause });
    });
    if (next.done) return;
    yield* reader.read(next.value);
  }
}

/** Whether a retry may help: the connection broke, or the service is busy or unavailable. */
function isBroken(failure: Failure): boolean {
  if (!(failure instanceof Refusal)) return failure.exitCode === exitCodes.unreachable;
  return failure.status >= 500 || [408, 429].includes(failure.status);
}

const firstMs = 100;
const longestMs = 5_000;

/**
 * Returns the pause after `failures` failures: 0.1 s, doubling to 5 s, less up to half of it as jitter.
 * @param random from 0 up to 1
 */
export function backOffMs(failures: number, random: number): number {
  const most = Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 10));
  return Math.round(most * (1 - random / 2));
}

/** One server-sent event. */
export interface Frame {
  /** The position after this frame, if it has one. */
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** Parses the data of a frame. @throws Failure if it is not JSON */
export function jsonOf({ event, data }: Frame): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    const text = `The stream sent a frame "${event}" that is not JSON.`;
    throw new Failure(text, undefined, { cause: error });
  }
}

/** In characters. No frame of the service is this large. */
const largestFrame = 4 * 1_048_576;

/** Parses frames from chunks of text, which may end anywhere. */
export class FrameReader {
  #rest = '';
  #id: string | undefined;
  #event = 'message';
  #data: string[] = [];
  #size = 0;

  /** Returns the frames that `text` completes. @throws Error if a frame is too large */
  read(text: string): Frame[] {
    const frames: Frame[] = [];
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    this.#size += text.length;
    for (const line of lines) {
      if (line !== '') this.#field(line);
      else frames.push(...this.#end());
    }
    if (this.#size > largestFrame) throw new Error('a frame of the stream is too large');
    return frames;
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'id') this.#id = value;
    else if (name === 'event') this.#event = value;
    else if (name === 'data') this.#data.push(value);
  }

  #end(): Frame[] {
    const frame = { id: this.#id, event: this.#event, data: this.#data.join('\n') };
    const complete = this.#data.length > 0;
    this.#id = undefined;
    this.#event = 'message';
    this.#data = [];
    this.#size = this.#rest.length;
    return complete ? [frame] : [];
  }
}

/** The clocks of two processes of the service differ by less. */
const clockMs = 1_000;

/** Where a stream starts. */
interface Start {
  /** A duration or a time that the stream accepts; undefined for now. */
  readonly since: string | undefined;
  /** Whether the event comes before the first one that was asked for. */
  readonly isEarlier: (event: { readonly id: string; readonly time: string }) => boolean;
}

/**
 * Turns `--since` into the start of a stream. An event id means the time of that event, which comes
 * first.
 * @throws Failure if the account does not have the event, or if it is older than 30 days
 */
export async function startOf(client: Client, since: string | undefined): Promise<Start> {
  if (since?.startsWith('evt_') !== true) return { since, isEarlier: () => false };
  const { event } = await runDocument(client, eventTimeDocument, { id: since });
  const first = new Date(event.occurredAt);
  return {
    since: new Date(first.getTime() - clockMs).toISOString(),
    isEarlier: beforeFirst(since, first),
  };
}

/**
 * Returns a check for events before the one with this id and time. After that one no event is earlier, so
 * that an event of a slow transaction is not lost.
 */
export function beforeFirst(id: string, at: Date): Start['isEarlier'] {
  let reached = false;
  return (event) => {
    reached ||= event.id === id;
    return !reached && Date.parse(event.time) < at.getTime();
  };
}
