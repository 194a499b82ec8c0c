import { type Command, Option } from 'commander';
import type { InputOf } from '../../clients/typescript/src/client.js';
import { listByPath, noteMore } from '../api/lists.js';
import {
  addSubcommand,
  commaList,
  type CommonOptions,
  type KeyedOptions,
  openContext,
  withIdempotencyKey,
  withLimit,
} from '../command.js';
import { exitCodes, Failure } from '../failure.js';
import type { Printer } from '../output/printer.js';
import { type Column, member, status, time } from '../output/table.js';
import { confirm } from '../terminal.js';

interface ListOptions extends CommonOptions {
  readonly status?: 'active' | 'inactive';
  readonly limit: number;
}

interface ChangeOptions extends KeyedOptions {
  readonly endpointUrl?: string;
  readonly events?: string[];
  readonly email?: string;
  readonly description?: string;
}

interface CreateOptions extends ChangeOptions {
  readonly endpointUrl: string;
  readonly events: string[];
  readonly email: string;
  readonly inactive?: boolean;
}

interface DeleteOptions extends KeyedOptions {
  readonly yes?: boolean;
}

const exampleId = 'whs_0VbeRhMqhfG4f350f6gHZ1hz';

export function defineEndpoints(endpoints: Command): void {
  withLimit(
    addSubcommand(endpoints, 'list', 'Lists endpoints, newest first.', [
      'endpoints list',
      'endpoints list --status inactive --json',
    ]),
  )
    .addOption(
      new Option('--status <status>', 'only endpoints with this status').choices([
        'active',
        'inactive',
      ]),
    )
    .action((options: ListOptions) => listEndpoints(options));

  addSubcommand(endpoints, 'show <id>', 'Shows one endpoint.', [
    `endpoints show ${exampleId}`,
  ]).action((id: string, options: CommonOptions) => showEndpoint(id, options));

  withIdempotencyKey(
    addSubcommand(
      endpoints,
      'create',
      'Creates an endpoint and prints its signing secret, which is not shown again.',
      [
        'endpoints create --endpoint-url https://shop.example/hooks --events cart.order.completed --email ops@shop.example',
      ],
    ),
  )
    .requiredOption('--endpoint-url <url>', 'https URL that receives the events')
    .requiredOption('--events <types>', 'event types, separated by commas', commaList)
    .requiredOption('--email <address>', 'is notified when the service disables the endpoint')
    .option('--description <text>', 'at most 500 characters')
    .option('--inactive', 'create it disabled')
    .action((options: CreateOptions) => createEndpoint(options));

  withIdempotencyKey(
    addSubcommand(endpoints, 'update <id>', 'Changes the given properties of an endpoint.', [
      `endpoints update ${exampleId} --events cart.order.completed,invoice.issued`,
      `endpoints update ${exampleId} --description ''`,
    ]),
  )
    .option('--endpoint-url <url>', 'https URL that receives the events')
    .option('--events <types>', 'all event types, separated by commas', commaList)
    .option('--email <address>', 'is notified when the service disables the endpoint')
    .option('--description <text>', 'at most 500 characters; empty removes it')
    .action((id: string, options: ChangeOptions) => updateEndpoint(id, options));

  for (const active of [true, false]) {
    const name = active ? 'enable' : 'disable';
    const description = active
      ? 'Starts sending events to an endpoint again.'
      : 'Stops sending events to an endpoint.';
    withIdempotencyKey(
      addSubcommand(endpoints, `${name} <id>`, description, [`endpoints ${name} ${exampleId}`]),
    ).action((id: string, options: KeyedOptions) => setActive(id, active, options));
  }

  withIdempotencyKey(
    addSubcommand(
      endpoints,
      'rotate-secret <id>',
      'Creates a new signing secret and prints it, which happens only once. The old one stays valid for 24 hours.',
      [`endpoints rotate-secret ${exampleId}`],
    ),
  ).action((id: string, options: KeyedOptions) => rotateSecret(id, options));

  withIdempotencyKey(
    addSubcommand(endpoints, 'delete <id>', 'Deletes an endpoint and its pending deliveries.', [
      `endpoints delete ${exampleId} --yes`,
    ]),
  )
    .option('--yes', 'do not ask for confirmation')
    .action((id: string, options: DeleteOptions) => deleteEndpoint(id, options));
}

type Endpoint = Readonly<Record<string, unknown>>;

type Changes = InputOf<'PATCH', typeof pathOfOne>['body'];

const path = '/v1/webhooks/endpoints';
const pathOfOne = '/v1/webhooks/endpoints/{id}';

const columns: readonly Column<Endpoint>[] = [
  member('id'),
  status((endpoint) => (endpoint['active'] === true ? 'active' : 'inactive')),
  member('url', { free: true }),
  member('event_types', { title: 'EVENTS', free: true }),
  { ...time<Endpoint>('created_at', 'CREATED'), spare: 1 },
];

async function listEndpoints(options: ListOptions): Promise<void> {
  const { client, print } = openContext(options);
  const query = { status: options.status };
  const { items, more } = await listByPath(client, path, query, options.limit);
  print.rows(columns, items);
  if (more) noteMore(print, options.limit);
}

async function showEndpoint(id: string, options: CommonOptions): Promise<void> {
  const { client, print } = openContext(options);
  print.value((await client.request('GET', pathOfOne, { path: { id } })).data);
}

async function createEndpoint(options: CreateOptions): Promise<void> {
  const { client, print } = openContext(options);
  const { idempotencyKey, endpointUrl, events, email, inactive } = options;
  const { data } = await client.request('POST', path, {
    idempotencyKey,
    body: {
      ...bodyOf(options),
      url: endpointUrl,
      event_types: events,
      notification_email: email,
      ...(inactive && { active: false }),
    },
  });
  printWithSecret(data, print);
}

async function updateEndpoint(id: string, options: ChangeOptions): Promise<void> {
  const body = bodyOf(options);
  if (Object.keys(body).length === 0) {
    throw new Failure(
      'Nothing to change: use --endpoint-url, --events, --email or --description.',
      exitCodes.usage,
    );
  }
  await change(id, options, body);
}

async function setActive(id: string, active: boolean, options: KeyedOptions): Promise<void> {
  await change(id, options, { active });
}

async function change(id: string, options: KeyedOptions, body: Changes): Promise<void> {
  const { client, print } = openContext(options);
  const { idempotencyKey } = options;
  const { data } = await client.request('PATCH', pathOfOne, { path: { id }, body, idempotencyKey });
  print.value(data);
}

async function rotateSecret(id: string, options: KeyedOptions): Promise<void> {
  const { client, print } = openContext(options);
  const { data } = await client.request('POST', `${pathOfOne}/secret-rotations`, {
    path: { id },
    idempotencyKey: options.idempotencyKey,
  });
  printWithSecret(data, print);
}

async function deleteEndpoint(id: string, options: DeleteOptions): Promise<void> {
  const { client, print } = openContext(options);
  if (!options.yes) await confirm(`Delete endpoint ${id} and its pending deliveries?`);
  const { idempotencyKey } = options;
  await client.request('DELETE', pathOfOne, { path: { id }, idempotencyKey });
  print.line(`Deleted ${id}.`, { deleted: id });
}

function printWithSecret(endpoint: object, print: Printer): void {
  print.value(endpoint);
  if ('signing_secret' in endpoint) {
    print.note('Store the signing secret now: the service does not show it again.');
  }
}

function bodyOf({ endpointUrl, events, email, description }: ChangeOptions): Changes {
  return {
    ...(endpointUrl !== undefined && { url: endpointUrl }),
    ...(events && { event_types: events }),
    ...(email !== undefined && { notification_email: email }),
    ...(description !== undefined && { description: description === '' ? null : description }),
  };
}
