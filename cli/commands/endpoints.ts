import { type Command, InvalidArgumentError, Option } from 'commander';
import type { InputOf } from '../../clients/typescript/src/client.js';
import { runDocument } from '../api/client.js';
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
import {
  deliveryOptionsDocument,
  rotatePublicKeyDocument,
  type EndpointHeaderInput,
  setEndpointOptionsDocument,
  setRateLimitDocument,
  tryFilterDocument,
} from '../generated/documents.js';
import { type Printer, snakeNames } from '../output/printer.js';
import { type Column, member, status, time } from '../output/table.js';
import { confirm, readInput } from '../terminal.js';

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

interface DeliveryOptions extends CommonOptions {
  readonly rate?: number | 'none';
  readonly schedule?: string;
  readonly publicKeySignature?: 'on' | 'off';
  readonly ordering?: 'subject' | 'none';
  readonly filter?: string;
  readonly try?: boolean;
}

interface HeaderOptions {
  readonly header?: readonly EndpointHeaderInput[] | undefined;
  readonly headersFile?: string | undefined;
  /** False for --no-headers. */
  readonly headers?: boolean | undefined;
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
      `endpoints options ${exampleId} --headers-file headers.txt --header X-Kept`,
      `endpoints options ${exampleId} --public-key-signature on`,
      `endpoints options ${exampleId} --filter '$.data.currency == "EUR"' --try`,
    ],
  )
    .addOption(
      new Option('--rate <n>', 'requests a second, evenly spaced: 1 to 1000, or none').argParser(
        rateOf,
      ),
    )
    .option('--schedule <name>', 'retry schedule of the service: default, or another name')
    .addOption(
      new Option(
        '--header <header>',
        'header that goes with each request, as "Name: value"; a name alone keeps its value; all others are removed; repeatable',
      ).argParser((text, before: readonly EndpointHeaderInput[] | undefined) => [
        ...(before ?? []),
        headerOf(text),
      ]),
    )
    .option(
      '--headers-file <file>',
      'such headers, one a line, or - for stdin, so that no shell history has them',
    )
    .addOption(
      new Option('--no-headers', 'removes all headers').conflicts(['header', 'headersFile']),
    )
    .addOption(
      new Option(
        '--public-key-signature <on|off>',
        'also sign with a key pair; off deletes it at once',
      ).choices(['on', 'off']),
    )
    .addOption(
      new Option(
        '--ordering <order>',
        'subject: sends the events of a subject one at a time',
      ).choices(['subject', 'none']),
    )
    .option('--filter <text>', 'sends it only events that match; none removes it')
    .option('--try', 'with --filter: change nothing, and print which recent events match')
    .action((id: string, options: DeliveryOptions & HeaderOptions) => changeOptions(id, options));

  addSubcommand(
    endpoints,
    'rotate-public-key <id>',
    'Gives an endpoint that signs with a key pair a new one, and prints its options. The old one stays valid for 24 hours.',
    [`endpoints rotate-public-key ${exampleId}`],
  ).action((id: string, options: CommonOptions) => rotatePublicKey(id, options));

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

async function changeOptions(id: string, options: DeliveryOptions & HeaderOptions): Promise<void> {
  const { rate, schedule, ordering, filter, publicKeySignature, ...rest } = options;
  const { try: isTrial = false, header, headersFile, headers, ...common } = rest;
  const context = openContext(common);
  const { client } = context;

  if (isTrial) {
    const others = [rate, schedule, ordering, publicKeySignature, header, headersFile];
    const isAlone = headers !== false && others.every((option) => option === undefined);
    if (filter === undefined || filter === 'none' || !isAlone) {
      throw new Failure('--try takes a --filter and no other option.', exitCodes.usage);
    }
    await tryFilter(id, filter, context);
    return;
  }

  const wantedHeaders = await headersOf({ header, headersFile, headers });
  if (rate !== undefined) {
    const maxPerSecond = rate === 'none' ? null : rate;
    await runDocument(client, setRateLimitDocument, { id, maxPerSecond });
  }

  const input = {
    ...(schedule !== undefined && { retrySchedule: schedule }),
    ...(wantedHeaders !== undefined && { headers: wantedHeaders }),
    ...(publicKeySignature && { publicKeySignature: publicKeySignature === 'on' }),
    ...(ordering !== undefined && { ordering: ordering === 'none' ? null : ordering }),
    ...(filter !== undefined && { filter: filter === 'none' ? null : filter }),
  };
  if (Object.keys(input).length > 0)
    await runDocument(client, setEndpointOptionsDocument, { id, input });

  await showOptions(id, context);
}

async function rotatePublicKey(id: string, options: CommonOptions): Promise<void> {
  const context = openContext(options);
  await runDocument(context.client, rotatePublicKeyDocument, { id });
  await showOptions(id, context);
}

async function showOptions(
  id: string,
  { client, print }: ReturnType<typeof openContext>,
): Promise<void> {
  const { webhookEndpoint } = await runDocument(client, deliveryOptionsDocument, { id });
  const { options, ...limits } = webhookEndpoint;
  print.value(snakeNames({ ...limits, ...options }));
}

/** The headers to set; null removes all, undefined keeps them. @throws Failure if a file has none */
async function headersOf({
  header = [],
  headersFile,
  headers,
}: HeaderOptions): Promise<EndpointHeaderInput[] | null | undefined> {
  if (headers === false) return null;
  if (headersFile === undefined) return header.length > 0 ? [...header] : undefined;

  const lines = (await readInput(headersFile)).split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length > 0) return [...lines.map(headerOf), ...header];
  throw new Failure(
    `${headersFile} has no headers. Remove all with --no-headers.`,
    exitCodes.usage,
  );
}

function headerOf(line: string): EndpointHeaderInput {
  const colon = line.indexOf(':', 1);
  if (colon < 0) return { name: line.trim(), value: null };
  return { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() };
}

/** Prints which of the newest events of the endpoint's types match a filter. */
async function tryFilter(
  id: string,
  filter: string,
  { client, print }: ReturnType<typeof openContext>,
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
