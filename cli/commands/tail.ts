import type { Command } from 'commander';
import { type CommonOptions, openContext, withCommonOptions } from '../command.js';
import { exitCodes } from '../failure.js';
import { type Line, paint } from '../output/text.js';
import { followStream, jsonOf, onInterrupt, startOf, withStreamOptions } from '../stream.js';
import { noteUnknownTypes } from './event-types.js';

interface TailOptions extends CommonOptions {
  readonly events?: string[];
  readonly endpoint?: string;
  readonly since?: string;
  readonly failed?: boolean;
}

export function defineTail(command: Command): void {
  withStreamOptions(
    withCommonOptions(command, ['tail', 'tail --failed --endpoint whs_0VbeRhMqhfG4f350f6gHZ1hz']),
  )
    .option('--failed', 'only attempts that did not succeed')
    .action((options: TailOptions) => tail(options));
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

/** Prints each attempt as it ends, until Ctrl-C. */
async function tail(options: TailOptions): Promise<void> {
  const { session, client, print } = openContext(options);
  const signal = onInterrupt();
  const { since } = await startOf(client, options.since);

  if (options.events) await noteUnknownTypes(client, options.events, print);

  await followStream({
    url: session.url,
    key: session.key,
    query: {
      kinds: 'delivery',
      types: options.events?.join(','),
      endpoint: options.endpoint,
      since,
    },
    onStart: () => print.note(`Waiting for deliveries at ${session.url} (press Ctrl-C to stop).`),
    onFrame: (frame) => {
      if (frame.event === 'delivery') {
        const attempt = jsonOf(frame) as Attempt;
        if (!options.failed || attempt.status !== 'success') print.line(lineOf(attempt), attempt);
      }
      return Promise.resolve();
    },
    onPosition: () => undefined,
    note: (text) => print.note(text),
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
