import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Client, runDocument } from '../api/client.js';
import { listByCursor, noteMore } from '../api/lists.js';
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
import {
  deliveryOptionsDocument,
  setEndpointOptionsDocument,
  setRateLimitDocument,
  tryFilterDocument,
} from '../generated/documents.js';
import { type Printer, snakeNames } from '../output/printer.js';
import { type Column, member, status, time } from '../output/table.js';
import { confirm } from '../terminal.js';

interface ListOptions extends CommonOptions {
  readonly status?: string;
  readonly limit: number;
}

interface ChangeOptions extends KeyedOptions {
  readonly endpointUrl?: string;
  readonly events?: string[];
  readonly email?: string;
  readonly description?: string;
}

interface CreateOptions extends ChangeOptions {
  readonly inactive?: boolean;
}

interface DeleteOptions extends KeyedOptions {
  readonly yes?: boolean;
}

interface DeliveryOptions extends CommonOptions {
  readonly rate?: number | 'none';
  readonly schedule?: string;
  readonly filter?: string;
  readonly try?: boolean;
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

  addSubcommand(
    endpoints,
    'options <id>',
    'Shows how an endpoint gets its events, or changes the given options.',
    [
      `endpoints options ${exampleId}`,
      `endpoints options ${exampleId} --rate 10`,
      `endpoints options ${exampleId} --schedule slow`,
      `endpoints options ${exampleId} --filter '$.data.currency == "EUR"' --try`,
    ],
  )
    .addOption(
      new Option('--rate <n>', 'requests a second, evenly spaced: 1 to 1000, or none').argParser(
        rateOf,
      ),
    )
    .option('--schedule <name>', 'retry schedule of the service: default, or another name')
    .option('--filter <text>', 'sends it only events that match; none removes it')
    .option('--try', 'with --filter: change nothing, and print which recent events match')
    .action((id: string, options: DeliveryOptions) => changeOptions(id, options));

  withIdempotencyKey(
    addSubcommand(endpoints, 'delete <id>', 'Deletes an endpoint and its pending deliveries.', [
      `endpoints delete ${exampleId} --yes`,
    ]),
  )
    .option('--yes', 'do not ask for confirmation')
    .action((id: string, options: DeleteOptions) => deleteEndpoint(id, options));
}

type Endpoint = Readonly<Record<string, unknown>>;

interface Envelope {
  readonly data: Endpoint;
}

const path = '/v1/webhooks/endpoints';
const pathOf = (id: string) => `${path}/${encodeURIComponent(id)}`;

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
  const { items, more } = await listByCursor<Endpoint>(client, path, query, options.limit);
  print.rows(columns, items);
  if (more) noteMore(print, options.limit);
}

async function showEndpoint(id: string, options: CommonOptions): Promise<void> {
  const { client, print } = openContext(options);
  print.value((await client.call<Envelope>({ path: pathOf(id) })).data);
}

async function createEndpoint(options: CreateOptions): Promise<void> {
  await change('POST', path, options, {
    ...bodyOf(options),
    ...(options.inactive && { active: false }),
  });
}

async function updateEndpoint(id: string, options: ChangeOptions): Promise<void> {
  const body = bodyOf(options);
  if (Object.keys(body).length === 0) {
    throw new Failure(
      'Nothing to change: use --endpoint-url, --events, --email or --description.',
      exitCodes.usage,
    );
  }
  await change('PATCH', pathOf(id), options, body);
}

async function setActive(id: string, active: boolean, options: KeyedOptions): Promise<void> {
  await change('PATCH', pathOf(id), options, { active });
}

async function rotateSecret(id: string, options: KeyedOptions): Promise<void> {
  await change('POST', `${pathOf(id)}/secret-rotations`, options);
}

async function changeOptions(
  id: string,
  { rate, schedule, filter, try: isTrial = false, ...common }: DeliveryOptions,
): Promise<void> {
  const { client, print } = openContext(common);
  if (isTrial) {
    if (filter === undefined || filter === 'none' || rate !== undefined || schedule !== undefined) {
      throw new Failure('--try takes a --filter and no other option.', exitCodes.usage);
    }
    await tryFilter(id, filter, print, client);
    return;
  }

  if (rate !== undefined) {
    const maxPerSecond = rate === 'none' ? null : rate;
    await runDocument(client, setRateLimitDocument, { id, maxPerSecond });
  }

  const input = {
    ...(schedule !== undefined && { retrySchedule: schedule }),
    ...(filter !== undefined && { filter: filter === 'none' ? null : filter }),
  };
  if (Object.keys(input).length > 0)
    await runDocument(client, setEndpointOptionsDocument, { id, input });

  const { webhookEndpoint } = await runDocument(client, deliveryOptionsDocument, { id });
  const { options, ...limits } = webhookEndpoint;
  print.value(snakeNames({ ...limits, ...options }));
}

/** Prints which of the newest events of the endpoint's types match a filter. */
async function tryFilter(
  id: string,
  filter: string,
  print: Printer,
  client: Client,
): Promise<void> {
  const { tryEndpointFilter: events } = await runDocument(client, tryFilterDocument, {
    id,
    filter,
  });

  print.rows(
    [
      { title: 'MATCHES', text: ({ matches }) => (matches ? 'yes' : 'no') },
      member('id'),
      member('type'),
      member('subject', { free: true, spare: 3 }),
      time('occurredAt', 'TIME'),
    ],
    events,
    snakeNames,
  );

  const count = events.filter(({ matches }) => matches).length;
  print.note(`${count} of the newest ${events.length} events match. Nothing was changed.`);
}

function rateOf(text: string): number | 'none' {
  if (text === 'none') return text;
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Must be 1 to 1000, or none.');
}

async function deleteEndpoint(id: string, options: DeleteOptions): Promise<void> {
  const { client, print } = openContext(options);
  if (!options.yes) await confirm(`Delete endpoint ${id} and its pending deliveries?`);
  const { idempotencyKey = randomUUID() } = options;
  await client.call({ method: 'DELETE', path: pathOf(id), idempotencyKey });
  print.line(`Deleted ${id}.`, { deleted: id });
}

async function change(
  method: 'POST' | 'PATCH',
  target: string,
  options: KeyedOptions,
  body?: object,
): Promise<void> {
  const { client, print } = openContext(options);
  const { idempotencyKey = randomUUID() } = options;
  const { data } = await client.call<Envelope>({ method, path: target, body, idempotencyKey });
  print.value(data);
  if (data['signing_secret'] !== undefined) {
    print.note('Store the signing secret now: the service does not show it again.');
  }
}

function bodyOf({ endpointUrl, events, email, description }: ChangeOptions): object {
  return {
    ...(endpointUrl !== undefined && { url: endpointUrl }),
    ...(events && { event_types: events }),
    ...(email !== undefined && { notification_email: email }),
    ...(description !== undefined && { description: description === '' ? null : description }),
  };
}
