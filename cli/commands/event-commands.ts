import { type Command, Option } from 'commander';
import { keyed } from './endpoint-commands.js';
import { commaList, integer, leaf, limited, perSecond } from './leaf.js';
import type { EventListOptions } from '../actions/events.js';
import type { RecoverOptions } from '../actions/recover.js';
import type { TriggerOptions } from '../actions/trigger.js';
import type { CommonOptions } from '../context.js';

const endpoint = 'whs_0VbeRhMqhfG4f350f6gHZ1hz';
const load = () => import('../actions/events.js');

/** Adds `trigger`, `events …`, `recover` and `open`. */
export function addEventCommands(program: Command): void {
  leaf(
    program,
    'trigger <type>',
    'Sends test events to one endpoint or to listen: the example of the type, or data of yours.',
    [
      'trigger cart.order.completed',
      'trigger cart.order.completed --no-endpoint',
      'trigger cart.order.completed --set totals.total_minor_units=4200 --count 10 --rate 2',
      `trigger invoice.issued --endpoint ${endpoint} --data invoice.json`,
    ],
  )
    .option('--endpoint <id>', 'defaults to the only active endpoint, else to listen only')
    .option('--no-endpoint', 'to listen only: no endpoint gets the events')
    .option('--data <file>', 'data of the event as a JSON object; - reads standard input')
    .option('--set <path=value>', 'changes one member; repeat it for more', collect, [])
    .option('--version <version>', 'version of the type; defaults to the lowest')
    .option('--count <n>', 'events to send', integer(1, 10_000), 1)
    .option('--rate <n>', 'events a second, at most; also written 2/s', perSecond(100), 10)
    .action(async (type: string, options: TriggerOptions) =>
      (await import('../actions/trigger.js')).trigger(type, options),
    );
  const events = program.command('events').description('Events of the last 30 days.');
  limited(
    leaf(events, 'list', 'Lists events, newest first.', [
      'events list --type cart.order.completed --since 2h',
    ]),
  )
    .option('--type <type>', 'only this type')
    .option('--subject <subject>', 'only this subject')
    .option('--since <when>', '10m, 2h, 7d, or an RFC 3339 time')
    .option('--until <when>', '10m, 2h, 7d, or an RFC 3339 time')
    .action(async (options: EventListOptions) => (await load()).listEvents(options));
  leaf(events, 'show <id>', 'Shows an event with its body and deliveries.', [
    'events show evt_0VbZiGIyik9E43S6tFR9sk7Z',
  ]).action(async (id: string, options: CommonOptions) => (await load()).showEvent(id, options));
  keyed(
    leaf(
      program,
      'recover [endpoint]',
      'Sends an endpoint again what it failed to take or missed. Defaults to the only endpoint.',
      [
        'recover --since 2h --dry-run',
        `recover ${endpoint} --since 2026-11-21T09:00:00Z --what missed --yes`,
      ],
    ),
  )
    .requiredOption('--since <when>', '10m, 2h, 7d, or an RFC 3339 time; at most 30 days')
    .option('--until <when>', 'defaults to now')
    .option('--events <types>', 'only these types, separated by commas', commaList)
    .addOption(
      new Option('--what <what>', 'which events')
        .choices(['failed', 'missed', 'both'])
        .default('both'),
    )
    .option('--rate <n>', 'deliveries a second; also written 2/s', perSecond(500))
    .option('--dry-run', 'count only, send nothing')
    .option('--no-wait', 'do not wait for the end')
    .option('--yes', 'do not ask')
    .action(async (id: string | undefined, options: RecoverOptions) =>
      (await import('../actions/recover.js')).recover(id, options),
    );
  leaf(
    program,
    'open <id>',
    'Opens the dashboard page of an endpoint, delivery, event or recovery.',
    [`open ${endpoint}`],
  )
    .option('--no-browser', 'only print the URL')
    .action(async (id: string, options: CommonOptions & { browser: boolean }) =>
      (await import('../actions/open.js')).openPage(id, options),
    );
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}
