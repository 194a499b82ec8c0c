import { type CommonOptions, openContext } from '../context.js';
import { readEnvironment } from '../environment.js';
import { exitCodes, Failure } from '../failure.js';
import { onInterrupt } from '../interruption.js';
import {
  type ForwardableEvent,
  forward,
  type Forwarded,
  type StreamedEvent,
} from '../listen/forward.js';
import { type Handled, Listener } from '../listen/listener.js';
import { lockListener } from '../listen/listener-lock.js';
import {
  listenerId,
  type ListenerState,
  noPositionFile,
  openPositionFile,
} from '../listen/position-file.js';
import { runCommand } from '../listen/run-command.js';
import type { Printer } from '../output/printer.js';
import { type Line, paint } from '../output/text.js';
import { followStream } from '../stream/follow-stream.js';
import { startOf } from '../stream/since.js';
import { noteUnknownTypes } from './event-types.js';

export interface ListenOptions extends CommonOptions {
  readonly forwardTo?: URL;
  readonly events?: string[];
  readonly since?: string;
  readonly endpoint?: string;
  readonly exec?: string;
  /** By name. */
  readonly header?: Readonly<Record<string, string>>;
  readonly name: string;
  readonly parallel: number;
  readonly verify: boolean;
  readonly printBody?: boolean;
}

/** What forwarding and running a command ended with. */
interface Result {
  readonly status?: number;
  readonly error?: string;
  readonly exit?: number | string;
}

/** An older position would bring a flood that was not asked for. */
const resumeMs = 3_600_000;

const noBodies = 'The key may not read orders, so events come without their bodies.';

/** Prints, forwards and runs a command for each event, until Ctrl-C. */
export async function listen(options: ListenOptions): Promise<void> {
  if (options.header && !options.forwardTo) {
    throw new Failure('--header needs --forward-to.', exitCodes.usage);
  }
  const { session, client, print } = openContext(options);
  const { url, key, listenSecret, profile } = session;
  const signal = onInterrupt();
  const id = listenerId(url, profile ?? key, options.name);
  const unlock = await lockListener(id, options.name);
  const file =
    profile === undefined ? noPositionFile : openPositionFile(readEnvironment().stateDir, id);
  try {
    const saved = file.read();
    const resumed = options.since === undefined ? resumable(saved, print) : undefined;
    const start = await startOf(client, options.since);
    const types = options.events ?? (await typesOf(client, options.endpoint));
    if (options.events) await noteUnknownTypes(client, options.events, print);
    if (options.forwardTo) print.note(`Signing secret: ${listenSecret}`);
    print.note(`Listening for ${types?.join(', ') ?? 'all events'} at ${url} (Ctrl-C ends it).`);
    let saidNoBodies = false;
    const listener = new Listener({
      file,
      saved,
      rewound: options.since !== undefined,
      parallel: options.parallel,
      isEarlier: start.isEarlier,
      handle: async (handled) => {
        await handle(handled, options, listenSecret, print, signal);
        if (handled.event.body !== undefined || saidNoBodies) return;
        saidNoBodies = true;
        print.note(noBodies);
      },
      say: (text) => print.note(text),
    });
    try {
      await followStream({
        url,
        key,
        query: {
          kinds: 'event,delivery',
          types: types?.join(','),
          endpoint: options.endpoint,
          since: start.since,
        },
        position: resumed?.position,
        onFrame: (frame) => listener.onFrame(frame),
        onPosition: (position) => listener.onPosition(position),
        say: (text) => print.note(text),
        onGap: (text) => {
          process.exitCode = exitCodes.gap;
          print.note(paint('red', text));
        },
        signal,
      });
    } finally {
      await listener.end();
    }
  } finally {
    unlock();
  }
  process.exitCode ??= exitCodes.interrupted;
}

/** Says every gap: how old the position is, and how to get what came since. */
function resumable(saved: ListenerState | undefined, print: Printer): ListenerState | undefined {
  if (saved?.position === undefined) return undefined;
  const minutes = Math.ceil((Date.now() - saved.at) / 60_000);
  if (Date.now() - saved.at <= resumeMs) {
    print.note(`Going on where this listener stopped ${minutes} min ago.`);
    return saved;
  }
  print.note(
    `This listener stopped ${minutes} min ago. Beginning at the present; --since ${minutes}m gets the events between.`,
  );
  return undefined;
}

async function typesOf(
  client: ReturnType<typeof openContext>['client'],
  endpoint: string | undefined,
): Promise<string[] | undefined> {
  if (endpoint === undefined) return undefined;
  const path = `/v1/webhooks/endpoints/${encodeURIComponent(endpoint)}`;
  return (await client.call<{ data: { event_types: string[] } }>({ path })).data.event_types;
}

async function handle(
  { event, redelivered, replay }: Handled,
  options: ListenOptions,
  secret: string,
  print: Printer,
  signal: AbortSignal,
): Promise<void> {
  const begun = performance.now();
  const result: { -readonly [Name in keyof Result]: Result[Name] } = {};
  let forwarded: Forwarded | undefined;
  if (options.forwardTo) {
    const target = options.forwardTo;
    const verifyCertificate = options.verify;
    const whole = forwardable(event);
    try {
      forwarded = await forward(whole, redelivered, {
        target,
        secret,
        verifyCertificate,
        headers: options.header,
        signal,
      });
      result.status = forwarded.status;
    } catch (error) {
      // Not handled: the position stays behind it, and the next listen marks it.
      if (signal.aborted) throw new Failure('', exitCodes.interrupted);
      if (!(error instanceof Failure)) throw error;
      result.error = error.message;
    }
  }
  if (options.exec !== undefined) {
    result.exit = await runCommand(options.exec, forwardable(event), redelivered, { signal });
  }
  const ms = Math.round(performance.now() - begun);
  const line = lineOf({ event, redelivered, replay }, { ...result, ms });
  const shownBody = options.printBody ? event.body : undefined;
  print.lines(shownBody === undefined ? [line] : [line, `  ${shownBody}`], {
    ...event,
    body: shownBody,
    redelivered,
    replay,
    ...result,
    ...(Object.keys(result).length > 0 && { duration_ms: ms }),
  });
  await forwarded?.ended;
}

/** @throws Failure for an event that came without its body */
function forwardable(event: StreamedEvent): ForwardableEvent {
  const { body } = event;
  if (body !== undefined) return { ...event, body };
  throw new Failure(
    `${noBodies} --forward-to and --exec need them: use a key that reads orders, too.`,
  );
}

function lineOf(
  { event, redelivered, replay }: Handled,
  { status, error, exit, ms }: Result & { readonly ms: number },
): Line {
  const marks = [
    ...(event.test ? ['test'] : []),
    ...(event.body === undefined ? ['no body'] : []),
    ...(replay !== undefined ? ['replay'] : redelivered ? ['redelivered'] : []),
  ];
  const good = (ok: boolean, text: string) => paint(ok ? 'green' : 'red', text);
  return [
    event.time.slice(11, 19),
    event.id,
    event.type,
    ...(marks.length > 0 ? [paint('yellow', `(${marks.join(', ')})`)] : []),
    ...(status !== undefined
      ? [good(status >= 200 && status < 300, `→ ${status}`), `${ms} ms`]
      : []),
    ...(error !== undefined ? [good(false, `→ ${error}`)] : []),
    ...(exit !== undefined ? [good(exit === 0, `exit ${exit}`), `${ms} ms`] : []),
  ];
}
