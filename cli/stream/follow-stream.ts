import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { Refusal, refusalOf } from '../api/problem.js';
import { readBody, send } from '../api/request.js';
import { exitCodes, Failure } from '../failure.js';
import { version } from '../version.js';
import { backOffMs } from './back-off.js';
import { type Frame, FrameReader } from './frames.js';

/** The service sends a heartbeat every 15 s. */
const silentMs = 45_000;
const watchMs = 5_000;
/** A timer that fires this much later woke from the sleep of the machine. */
const lateMs = 15_000;

export interface FollowOptions {
  readonly url: string;
  readonly key: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Where to go on. Wins over `since` of the query. */
  readonly position?: string | undefined;
  /** Called for one frame after the other; the next waits until it returns. */
  readonly onFrame: (frame: Frame) => Promise<void>;
  /** Called with the position that was handled. */
  readonly onPosition: (position: string) => void;
  /** Called with a sentence for people. */
  readonly say: (text: string) => void;
  /** Called when events may be missing. */
  readonly onGap: (text: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Follows the stream until `signal`. Goes on at the position of the last handled frame after a cut, a
 * silence of 45 s, and the sleep of the machine.
 * @throws Failure when the first connection fails, and later when the service refuses for good
 */
export async function followStream(options: FollowOptions): Promise<void> {
  const { say, onGap, onPosition, signal } = options;
  let { position } = options;
  let { since } = options.query;
  let failures = 0;
  let connected = false;
  while (!signal.aborted) {
    try {
      const { attempt, response } = await connect(options, position, since);
      try {
        if (failures > 0)
          say(position ? 'Connected again; going on where it broke off.' : 'Connected again.');
        connected = true;
        // Until the first position arrives, the time of the service says where it began.
        if (position === undefined) since ??= timeOf(response);
        for await (const frame of framesOf(response)) {
          failures = 0;
          if (frame.event === 'reset') {
            onGap(
              'The database of the service was replaced. Going on from now: events may be missing.',
            );
            position = since = undefined;
            break;
          }
          if (frame.event === 'cut') say(`The service cut the stream: ${frame.data}.`);
          else await options.onFrame(frame);
          if (frame.id !== undefined) onPosition((position = frame.id));
        }
      } finally {
        // First: an abort would end its socket with an error, which nobody hears once the response is whole.
        response.destroy();
        attempt.stop();
      }
    } catch (error) {
      if (isAborted(signal)) return;
      if (error instanceof Refusal && error.status === 410) {
        for (const line of error.lines) say(line);
        onGap('Going on from now: events may be missing.');
        position = since = undefined;
        continue;
      }
      // What the handler throws is no matter of the connection.
      if (!(error instanceof Failure && isBroken(error)) || !connected) throw error;
      if (failures === 0) say(`${error.message} Connecting again …`);
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
    throw refusalOf(statusCode, await readBody(response, target, 65_536), target.origin);
  } catch (error) {
    attempt.stop();
    throw error;
  }
}

/** One connection: ends with the command, and when the machine slept. */
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

/** The compiler takes the check at the head of a loop for one that still holds. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

function timeOf({ headers }: IncomingMessage): string | undefined {
  const at = Date.parse(headers.date ?? '');
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** @throws Failure 4 when the connection breaks */
async function* framesOf(response: IncomingMessage): AsyncGenerator<Frame> {
  const reader = new FrameReader();
  response.setEncoding('utf8');
  const texts = response[Symbol.asyncIterator]() as AsyncIterator<string>;
  for (;;) {
    const next = await texts.next().catch((cause: unknown) => {
      const { code = 'no reason' } = cause as NodeJS.ErrnoException;
      throw new Failure(`The connection broke (${code}).`, exitCodes.unreachable, { cause });
    });
    if (next.done) return;
    yield* reader.read(next.value);
  }
}

/** Whether trying again may help: the connection broke, or the service is busy or away. */
function isBroken(failure: Failure): boolean {
  if (!(failure instanceof Refusal)) return failure.exitCode === exitCodes.unreachable;
  return failure.status >= 500 || [408, 429].includes(failure.status);
}
