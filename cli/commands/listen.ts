// `listen` prints each event of the live stream, forwards it with signatures to a local server, and runs a command
// for it.
//
// It handles each event at least once: the stored position never passes an event that is not handled. Two processes
// with one name never run at once. A crash leaves the position and the ids of the events that were in flight; the
// next `listen` handles these again and marks them as redelivered.
import { type Command, InvalidArgumentError } from 'commander';
import type { Client } from '../api/client.js';
import { type CommonOptions, integer, openContext, withCommonOptions } from '../command.js';
import { readEnvironment } from '../environment.js';
import { exitCodes, Failure } from '../failure.js';
import {
  forward,
  type ForwardableEvent,
  type Forwarded,
  type StreamedEvent,
} from '../listen/forward.js';
import { type Handled, StreamListener } from '../listen/listener.js';
import {
  listenerId,
  type ListenerState,
  lockListener,
  noPositionFile,
  openPositionFile,
} from '../listen/position.js';
import { runCommand } from '../listen/run-command.js';
import type { Printer } from '../output/printer.js';
import { type Line, paint } from '../output/text.js';
import { followStream, onInterrupt, startOf, withStreamOptions } from '../stream.js';
import { parseUrl } from '../url.js';
import { noteUnknownTypes } from './event-types.js';

interface ListenOptions extends CommonOptions {
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

export function defineListen(command: Command): void {
  withStreamOptions(
    withCommonOptions(command, [
      'listen --forward-to http://localhost:3000/webhooks',
      'listen --events cart.order.completed --since 10m --print-body',
      'listen --forward-to http://localhost:3000/webhooks --since evt_0VbZiGIyik9E43S6tFR9sk7Z',
      "listen --forward-to https://staging.example/hooks --header 'Authorization: Bearer …'",
      "listen --exec 'jq .data' --json",
    ]),
  )
    .option('--forward-to <url>', 'send each event to this URL, one at a time', url)
    .option('--header <header>', 'add a header, as name: value; can be repeated', header)
    .option('--exec <command>', 'run it for each event, with the body on standard input')
    .option('--print-body', 'print the body of each event')
    .option('--parallel <n>', 'handle n events at once, in any order', integer(1, 20), 1)
    .option('--skip-verify', 'accept any certificate of --forward-to')
    .option('--name <name>', 'name of this listener; two at once need two names', 'default')
    .action((options: Omit<ListenOptions, 'verify'> & { skipVerify?: boolean }) =>
      listen({ ...options, verify: !options.skipVerify }),
    );
}

function url(text: string): URL {
  const parsed = parseUrl(text);
  if (parsed && ['http:', 'https:'].includes(parsed.protocol)) return parsed;
  throw new InvalidArgumentError('Must be an http or https URL.');
}

/** Another value of these headers would break the request or its signature. */
const ownHeaders =
  /^(?:x-service-.*|webhook-.*|signalpost-.*|connection|content-length|expect|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;

/** Adds one header such as `Cookie: a=b` to those before it. */
function header(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const [, name = '', value = ''] = /^([!#$%&'*+\-.^_`|~\w]+):[\t ]*(.*)$/s.exec(text) ?? [];
  if (name === '' || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    throw new InvalidArgumentError('Must be a header of the form name: value.');
  }
  if (ownHeaders.test(name)) throw new InvalidArgumentError(`listen sets ${name} itself.`);
  return { ...before, [name]: value.trimEnd() };
}

/** The results of forwarding the event and of running the command. */
interface Result {
  readonly status?: number;
  readonly error?: string;
  readonly exit?: number | string;
}

/** Resuming from an older position would send a flood of events that nobody asked for. */
const resumeMs = 3_600_000;

const noBodies = 'This key may not read orders, so events have no body.';

/** Handles each event of the stream until Ctrl-C. */
async function listen(options: ListenOptions): Promise<void> {
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

    let saidNoBodies = false;
    const listener = new StreamListener({
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
      note: (text) => print.note(text),
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
        onStart: () =>
          print.note(
            `Listening for ${types?.join(', ') ?? 'all events'} at ${url} (press Ctrl-C to stop).`,
          ),
        onFrame: (frame) => listener.onFrame(frame),
        onPosition: (position) => listener.onPosition(position),
        note: (text) => print.note(text),
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

/** Returns the position to resume from, if it is recent enough, and says so. */
function resumable(saved: ListenerState | undefined, print: Printer): ListenerState | undefined {
  if (saved?.position === undefined) return undefined;
  const minutes = Math.ceil((Date.now() - saved.at) / 60_000);
  if (Date.now() - saved.at <= resumeMs) {
    print.note(`Resuming where this listener stopped ${minutes} min ago.`);
    return saved;
  }
  print.note(
    `This listener stopped ${minutes} min ago, so it starts with new events. Use --since ${minutes}m to get those in between.`,
  );
  return undefined;
}

async function typesOf(
  client: Client,
  endpoint: string | undefined,
): Promise<string[] | undefined> {
  if (endpoint === undefined) return undefined;
  const path = { id: endpoint };
  return (await client.request('GET', '/v1/webhooks/endpoints/{id}', { path })).data.event_types;
}

async function handle(
  { event, redelivered, replay }: Handled,
  options: ListenOptions,
  secret: string,
  print: Printer,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = performance.now();
  const result: { -readonly [Name in keyof Result]: Result[Name] } = {};
  let forwarded: Forwarded | undefined;

  if (options.forwardTo) {
    const complete = forwardable(event);
    try {
      forwarded = await forward(complete, redelivered, {
        target: options.forwardTo,
        secret,
        verifyCertificate: options.verify,
        headers: options.header,
        signal,
      });

      result.status = forwarded.status;
    } catch (error) {
      // The event counts as not handled: the next listen sends it again, marked.
      if (signal.aborted) throw new Failure('', exitCodes.interrupted);
      if (!(error instanceof Failure)) throw error;
      result.error = error.message;
    }
  }

  if (options.exec !== undefined) {
    result.exit = await runCommand(options.exec, forwardable(event), redelivered, { signal });
  }

  const ms = Math.round(performance.now() - startedAt);
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

/** @throws Failure for an event without a body */
function forwardable(event: StreamedEvent): ForwardableEvent {
  const { body } = event;
  if (body !== undefined) return { ...event, body };
  throw new Failure(`${noBodies} --forward-to and --exec need it: use a key that may read orders.`);
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

  const outcome = (isGood: boolean, text: string) => paint(isGood ? 'green' : 'red', text);
  return [
    event.time.slice(11, 19),
    event.id,
    event.type,
    ...(marks.length > 0 ? [paint('yellow', `(${marks.join(', ')})`)] : []),
    ...(status !== undefined
      ? [outcome(status >= 200 && status < 300, `→ ${status}`), `${ms} ms`]
      : []),
    ...(error !== undefined ? [outcome(false, `→ ${error}`)] : []),
    ...(exit !== undefined ? [outcome(exit === 0, `exit ${exit}`), `${ms} ms`] : []),
  ];
}
