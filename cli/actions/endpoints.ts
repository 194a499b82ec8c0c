import { randomUUID } from 'node:crypto';
import { listByCursor } from '../api/pages.js';
import { confirm } from '../confirm.js';
import { type CommonOptions, openContext } from '../context.js';
import { exitCodes, Failure } from '../failure.js';
import { member, status, time } from '../output/columns.js';
import type { Column } from '../output/table.js';

export interface EndpointListOptions extends CommonOptions {
  readonly status?: string;
  readonly limit: number;
}

export interface KeyedOptions extends CommonOptions {
  readonly idempotencyKey?: string;
}

export interface ChangeOptions extends KeyedOptions {
  readonly endpointUrl?: string;
  readonly events?: string[];
  readonly email?: string;
  readonly description?: string;
}

export interface CreateOptions extends ChangeOptions {
  readonly inactive?: boolean;
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

export async function listEndpoints(options: EndpointListOptions): Promise<void> {
  const { client, print } = openContext(options);
  const query = { status: options.status };
  const { items, more } = await listByCursor<Endpoint>(client, path, query, options.limit);
  print.rows(columns, items);
  if (more) print.note(`There are more: --limit ${options.limit * 2}.`);
}

export async function showEndpoint(id: string, options: CommonOptions): Promise<void> {
  const { client, print } = openContext(options);
  print.value((await client.call<Envelope>({ path: pathOf(id) })).data);
}

export async function createEndpoint(options: CreateOptions): Promise<void> {
  await change('POST', path, options, {
    ...changed(options),
    ...(options.inactive && { active: false }),
  });
}

export async function updateEndpoint(id: string, options: ChangeOptions): Promise<void> {
  const body = changed(options);
  if (Object.keys(body).length === 0) {
    throw new Failure(
      'Nothing to change: give --endpoint-url, --events, --email or --description.',
      exitCodes.usage,
    );
  }
  await change('PATCH', pathOf(id), options, body);
}

export async function setActive(id: string, active: boolean, options: KeyedOptions): Promise<void> {
  await change('PATCH', pathOf(id), options, { active });
}

export async function rotateSecret(id: string, options: KeyedOptions): Promise<void> {
  await change('POST', `${pathOf(id)}/secret-rotations`, options);
}

export async function deleteEndpoint(
  id: string,
  options: KeyedOptions & { yes?: boolean },
): Promise<void> {
  const { client, print } = openContext(options);
  if (!options.yes) await confirm(`Delete endpoint ${id} and its pending deliveries?`);
  await client.call({ method: 'DELETE', path: pathOf(id), idempotencyKey: keyOf(options) });
  print.line(`Deleted ${id}.`, { deleted: id });
}

async function change(
  method: 'POST' | 'PATCH',
  target: string,
  options: KeyedOptions,
  body?: object,
): Promise<void> {
  const { client, print } = openContext(options);
  const idempotencyKey = keyOf(options);
  const { data } = await client.call<Envelope>({ method, path: target, body, idempotencyKey });
  print.value(data);
  if (data['signing_secret'] !== undefined) {
    print.note('Store the signing secret: the service shows it only this once.');
  }
}

function keyOf({ idempotencyKey }: KeyedOptions): string {
  return idempotencyKey ?? randomUUID();
}

function changed({ endpointUrl, events, email, description }: ChangeOptions): object {
  return {
    ...(endpointUrl !== undefined && { url: endpointUrl }),
    ...(events && { event_types: events }),
    ...(email !== undefined && { notification_email: email }),
    ...(description !== undefined && { description: description === '' ? null : description }),
  };
}
