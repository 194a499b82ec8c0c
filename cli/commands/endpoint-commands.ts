import { type Command, Option } from 'commander';
import { commaList, leaf, limited } from './leaf.js';
import type {
  ChangeOptions,
  CreateOptions,
  EndpointListOptions,
  KeyedOptions,
} from '../actions/endpoints.js';
import type { CommonOptions } from '../context.js';

const id = 'whs_0VbeRhMqhfG4f350f6gHZ1hz';
const load = () => import('../actions/endpoints.js');

/** Adds `endpoints …`. */
export function addEndpointCommands(program: Command): void {
  const endpoints = program.command('endpoints').description('Webhook endpoints.');
  limited(
    leaf(endpoints, 'list', 'Lists endpoints, newest first.', [
      'endpoints list',
      'endpoints list --status inactive --json',
    ]),
  )
    .addOption(new Option('--status <status>', 'only these').choices(['active', 'inactive']))
    .action(async (options: EndpointListOptions) => (await load()).listEndpoints(options));
  leaf(endpoints, 'show <id>', 'Shows one endpoint.', [`endpoints show ${id}`]).action(
    async (endpoint: string, options: CommonOptions) =>
      (await load()).showEndpoint(endpoint, options),
  );
  keyed(
    leaf(
      endpoints,
      'create',
      'Creates an endpoint and prints its signing secret, only this once.',
      [
        'endpoints create --endpoint-url https://shop.example/hooks --events cart.order.completed --email ops@shop.example',
      ],
    ),
  )
    .requiredOption('--endpoint-url <url>', 'where the service sends events, https')
    .requiredOption('--events <types>', 'event types, separated by commas', commaList)
    .requiredOption('--email <address>', 'gets the notice when the service disables the endpoint')
    .option('--description <text>', 'at most 500 characters')
    .option('--inactive', 'create it without sending events')
    .action(async (options: CreateOptions) => (await load()).createEndpoint(options));
  keyed(
    leaf(endpoints, 'update <id>', 'Changes the given members of an endpoint.', [
      `endpoints update ${id} --events cart.order.completed,invoice.issued`,
      `endpoints update ${id} --description ''`,
    ]),
  )
    .option('--endpoint-url <url>', 'where the service sends events, https')
    .option('--events <types>', 'all event types, separated by commas', commaList)
    .option('--email <address>', 'gets the notice when the service disables the endpoint')
    .option('--description <text>', 'at most 500 characters; empty removes it')
    .action(async (endpoint: string, options: ChangeOptions) =>
      (await load()).updateEndpoint(endpoint, options),
    );
  for (const active of [true, false]) {
    const name = active ? 'enable' : 'disable';
    const does = active
      ? 'Sends events to an endpoint again.'
      : 'Sends no more events to an endpoint.';
    keyed(leaf(endpoints, `${name} <id>`, does, [`endpoints ${name} ${id}`])).action(
      async (endpoint: string, options: KeyedOptions) =>
        (await load()).setActive(endpoint, active, options),
    );
  }
  keyed(
    leaf(
      endpoints,
      'rotate-secret <id>',
      'Makes a new signing secret and prints it, only this once. The old one stays valid for 24 hours.',
      [`endpoints rotate-secret ${id}`],
    ),
  ).action(async (endpoint: string, options: KeyedOptions) =>
    (await load()).rotateSecret(endpoint, options),
  );
  keyed(
    leaf(endpoints, 'delete <id>', 'Deletes an endpoint and its pending deliveries.', [
      `endpoints delete ${id} --yes`,
    ]),
  )
    .option('--yes', 'do not ask')
    .action(async (endpoint: string, options: KeyedOptions & { yes?: boolean }) =>
      (await load()).deleteEndpoint(endpoint, options),
    );
}

/** Adds the option that makes a repeated command change nothing. */
export function keyed(command: Command): Command {
  return command.option(
    '--idempotency-key <key>',
    'a repeated command with the same key changes nothing; defaults to a new one',
  );
}
