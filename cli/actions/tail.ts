import { type CommonOptions, openContext } from '../context.js';
import { exitCodes } from '../failure.js';
import { onInterrupt } from '../interruption.js';
import { type Line, paint } from '../output/text.js';
import { followStream } from '../stream/follow-stream.js';
import { jsonOf } from '../stream/frames.js';
import { startOf } from '../stream/since.js';
import { noteUnknownTypes } from './event-types.js';

export interface TailOptions extends CommonOptions {
  readonly events?: string[];
  readonly endpoint?: string;
  readonly since?: string;
  readonly failed?: boolean;
}

interface Attempt {
  readonly id: string;
  readonly status: 'success' | 'failed' | 'abandoned';
  readonly attempt: number;
  readonly max_attempts: number;
  readonly created_at: string;
  readonly duration_ms?: number;
  readonly response_status?: number;
  readonly event_type: string;
  readonly event_id: string;
  readonly endpoint_id: string;
  readonly evidence?: { readonly failure?: string };
}

/** Prints each attempt when it has ended, until Ctrl-C. */
export async function tail(options: TailOptions): Promise<void> {
  const { session, client, print } = openContext(options);
  const signal = onInterrupt();
  const { since } = await startOf(client, options.since);
  if (options.events) await noteUnknownTypes(client, options.events, print);
  print.note(`Waiting for deliveries at ${session.url} (Ctrl-C ends it).`);
  await followStream({
    url: session.url,
    key: session.key,
    query: {
      kinds: 'delivery',
      types: options.events?.join(','),
      endpoint: options.endpoint,
      since,
    },
    onFrame: (frame) => {
      if (frame.event === 'delivery') {
        const attempt = jsonOf(frame) as Attempt;
        if (!options.failed || attempt.status !== 'success') print.line(lineOf(attempt), attempt);
      }
      return Promise.resolve();
    },
    onPosition: () => undefined,
    say: (text) => print.note(text),
    onGap: (text) => {
      process.exitCode = exitCodes.gap;
      print.note(paint('red', text));
    },
    signal,
  });
  process.exitCode ??= exitCodes.interrupted;
}

function lineOf(attempt: Attempt): Line {
  const { status, response_status: code, evidence } = attempt;
  const colour = status === 'success' ? 'green' : 'red';
  const reason = status === 'success' ? undefined : evidence?.failure;
  return [
    attempt.created_at.slice(11, 19),
    attempt.id,
    paint(colour, `${status}${code === undefined ? '' : ` ${code}`}`),
    `${attempt.attempt}/${attempt.max_attempts}`,
    ...(attempt.duration_ms === undefined ? [] : [`${attempt.duration_ms} ms`]),
    attempt.event_type,
    attempt.endpoint_id,
    ...(reason === undefined ? [] : [reason]),
  ];
}
