import { type Command, Option } from 'commander';
import { keyed } from './endpoint-commands.js';
import { leaf, limited } from './leaf.js';
import type { DeliveryListOptions } from '../actions/deliveries.js';
import type { CommonOptions } from '../context.js';
import type { KeyedOptions } from '../actions/endpoints.js';

const id = 'whd_0VbeRhVltTGzdGZVPlpFwXFe';
const load = () => import('../actions/deliveries.js');

/** Adds `deliveries …`. */
export function addDeliveryCommands(program: Command): void {
  const deliveries = program
    .command('deliveries')
    .description('Webhook deliveries: one record for each attempt.');
  limited(
    leaf(deliveries, 'list', 'Lists attempts, newest first.', [
      'deliveries list',
      'deliveries list --status failed --limit 100',
      'deliveries list --endpoint whs_0VbeRhMqhfG4f350f6gHZ1hz --since 2h --no-test',
    ]),
  )
    .addOption(
      new Option('--status <status>', 'only these').choices(['success', 'failed', 'abandoned']),
    )
    .option('--endpoint <id>', 'only to this endpoint')
    .option('--type <type>', 'only events of this type')
    .option('--event <id>', 'only of this event')
    .option('--since <when>', 'begun since: 10m, 2h, 7d, or an RFC 3339 time')
    .option('--until <when>', 'begun before: 10m, 2h, 7d, or an RFC 3339 time')
    .option('--test', 'only test deliveries')
    .option('--no-test', 'no test deliveries')
    .option('--replayed', 'only replays')
    .option('--no-replayed', 'no replays')
    .action(async (options: DeliveryListOptions) => (await load()).listDeliveries(options));
  leaf(deliveries, 'show <id>', 'Shows an attempt, and why it failed.', [
    `deliveries show ${id}`,
  ]).action(async (delivery: string, options: CommonOptions) =>
    (await load()).showDelivery(delivery, options),
  );
  keyed(
    leaf(
      deliveries,
      'replay <id>',
      'Sends the event of an attempt again, and shows the first attempt when it has ended.',
      [`deliveries replay ${id}`],
    ),
  ).action(async (delivery: string, options: KeyedOptions) =>
    (await load()).replayDelivery(delivery, options),
  );
}
