import { type Command, InvalidArgumentError } from 'commander';
import { parseUrl } from '../parse-url.js';
import { commaList, integer, leaf } from './leaf.js';
import type { ListenOptions } from '../actions/listen.js';
import type { TailOptions } from '../actions/tail.js';

/** Adds `listen` and `tail`. */
export function addStreamCommands(program: Command): void {
  filtered(
    leaf(
      program,
      'listen',
      'Prints each event as it is published, and forwards it to your machine, signed. Goes on after restarts, cuts and sleep.',
      [
        'listen --forward-to http://localhost:3000/webhooks',
        'listen --events cart.order.completed --since 10m --print-body',
        'listen --forward-to http://localhost:3000/webhooks --since evt_0VbZiGIyik9E43S6tFR9sk7Z',
        "listen --forward-to https://staging.example/hooks --header 'Authorization: Bearer …'",
        "listen --exec 'jq .data' --json",
      ],
    ),
  )
    .option('--forward-to <url>', 'send each event there, one after the other', url)
    .option('--header <header>', 'send it along, as name: value; repeat it for more', header)
    .option('--exec <command>', 'run it for each event, with the body on standard input')
    .option('--print-body', 'print the body of each event')
    .option('--parallel <n>', 'events to handle at once; above 1 in any order', integer(1, 20), 1)
    .option('--skip-verify', 'accept every certificate of --forward-to')
    .option('--name <name>', 'names the position; two listeners need two names', 'default')
    .action(async (options: Omit<ListenOptions, 'verify'> & { skipVerify?: boolean }) =>
      (await import('../actions/listen.js')).listen({ ...options, verify: !options.skipVerify }),
    );
  filtered(
    leaf(program, 'tail', 'Prints each attempt when it has ended.', [
      'tail',
      'tail --failed --endpoint whs_0VbeRhMqhfG4f350f6gHZ1hz',
    ]),
  )
    .option('--failed', 'only attempts without success')
    .action(async (options: TailOptions) => (await import('../actions/tail.js')).tail(options));
}

function filtered(command: Command): Command {
  return command
    .option('--events <types>', 'only these types, separated by commas', commaList)
    .option('--endpoint <id>', 'only what concerns this endpoint')
    .option(
      '--since <when>',
      'begin in the past: 10m, 2h, 7d, an RFC 3339 time, or the id of an event; at most 30 days',
    );
}

function url(text: string): URL {
  const found = parseUrl(text);
  if (found && ['http:', 'https:'].includes(found.protocol)) return found;
  throw new InvalidArgumentError('Must be an http or https URL.');
}

/** Headers that say what is sent and how: another value would break the request or its signature. */
const ownHeaders =
  /^(?:x-service-.*|webhook-.*|signalpost-.*|connection|content-length|expect|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;

/** Adds one header such as `Cookie: a=b` to those before it. */
function header(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const [, name = '', value = ''] = /^([!#$%&'*+\-.^_`|~\w]+):[\t ]*(.*)$/s.exec(text) ?? [];
  if (name === '' || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    throw new InvalidArgumentError('Must be a header, as name: value.');
  }
  if (ownHeaders.test(name)) throw new InvalidArgumentError(`listen sends ${name} itself.`);
  return { ...before, [name]: value.trimEnd() };
}
