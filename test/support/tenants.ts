import { fetch } from 'undici';
import { createAccount } from '../../src/domain/account/accounts.js';
import { type CredentialInput, createCredential } from '../../src/domain/account/credentials.js';
import type { Role } from '../../src/domain/account/permission.js';
import type { Database } from '../../src/database/database.js';
import { RestClient } from './rest-client.js';
import type { Service } from './service.js';
import { sampleOf } from './random.js';

/** The parts of a service that clients know. */
export type ServiceHost = Pick<Service, 'url' | 'internalUrl' | 'database'>;

/** An account of a service, with a live key of an owner. */
export interface Tenant {
  readonly account: string;
  readonly rest: RestClient;
  /** Creates another credential of the account. */
  credential(input: Omit<CredentialInput, 'account'>): Promise<{ id: string; token: string }>;
  /** Creates a client with another credential of the account. */
  client(input: Omit<CredentialInput, 'account'>): Promise<RestClient>;
  /** Runs a GraphQL document, a text or one known by id, as an internal credential. @throws Error with the first error */
  graphql<Data>(query: string, variables?: object): Promise<Data>;
  /** Publishes an event to the account. @returns its id */
  publish(event: PublishedEvent): Promise<string>;
}

/** The input of {@link Tenant.publish}; everything has a default. */
export interface PublishedEvent {
  readonly type?: string;
  readonly subject?: string;
  readonly data?: object;
  readonly test?: boolean;
  readonly key?: string;
}

const databases = new WeakMap<ServiceHost, Promise<Database>>();

/** Creates a new account, so that tests that share a service do not see each other's data. */
export async function createTenant(service: ServiceHost): Promise<Tenant> {
  const { transact } = await databaseOf(service);
  const { id: account } = await transact((tx) => createAccount(tx, { name: 'Test shop' }));
  const credential: Tenant['credential'] = (input) =>
    transact((tx) => createCredential(tx, { ...input, account }));
  const client: Tenant['client'] = async (input) =>
    new RestClient(service.url, (await credential(input)).token);
  const { token: internal } = await credential({ kind: 'internal' });
  const graphql = <Data>(query: string, variables: object = {}) =>
    callGraphql<Data>(service, internal, query, variables);
  return {
    account,
    credential,
    client,
    graphql,
    rest: await client({ kind: 'live' }),
    async publish({ type = 'cart.order.completed', subject = 'order:ord_1', data = {}, ...rest }) {
      const { publishEvent } = await graphql<{ publishEvent: { id: string } }>('publishEvent', {
        input: { account, type, subject, data: sampleOf(type, data), ...rest },
      });
      return publishEvent.id;
    },
  };
}

/** Gives the holder of a credential another role, in the API process of the service. */
export async function setRole(service: Service, credential: string, role: Role): Promise<void> {
  const [holder] = await service.database.query<{ account: string; member: string }>(
    'select account_id as account, member_id as member from credential where id = $1',
    [credential],
  );
  if (!holder) throw new Error(`no credential ${credential}`);
  const { account } = holder;
  const { transact } = await databaseOf(service);
  const { token } = await transact((tx) => createCredential(tx, { account, kind: 'internal' }));
  const mutation =
    'mutation ($input: ChangeMemberRoleInput!) { changeMemberRole(input: $input) { role } }';
  await callGraphql(service, token, mutation, { input: { ...holder, role } });
}

/** Opens the database of a service once; it is closed with the service. */
export function databaseOf(service: ServiceHost): Promise<Database> {
  const opened = databases.get(service) ?? service.database.open();
  databases.set(service, opened);
  return opened;
}

/** An error of /graphql. */
export class GraphqlRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly extensions: Readonly<Record<string, unknown>>,
  ) {
    super(`${code}: ${message}`);
  }
}

/**
 * Runs a GraphQL document on the internal listener.
 * @param query a text, or the id of a document that the service knows
 * @throws GraphqlRefusal with the first error
 */
export async function callGraphql<Data>(
  service: Pick<Service, 'internalUrl'>,
  token: string,
  query: string,
  variables: object = {},
  headers: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<Data> {
  const operation = isDocumentId(query) ? { documentId: query } : { query };
  const response = await fetch(`${service.internalUrl}/graphql`, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ ...operation, variables }),
    ...(signal && { signal }),
  });

  const text = await response.text();
  const body = JSON.parse(text) as {
    data?: Data;
    errors?: { message: string; extensions?: { code?: string } }[];
    code?: string;
    detail?: string;
  };

  // A Problem, as of a request that took too long, has errors of another form.
  if (body.code !== undefined) throw new GraphqlRefusal(response.status, body.code, text, {});

  const [error] = body.errors ?? [];
  if (error) {
    const { extensions = {} } = error;
    throw new GraphqlRefusal(response.status, extensions.code ?? '', error.message, extensions);
  }

  if (!body.data) throw new GraphqlRefusal(response.status, '', text, {});

  return body.data;
}

function isDocumentId(query: string): boolean {
  return /^\w+$/.test(query);
}
