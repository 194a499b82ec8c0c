import { selectionOf } from '../columns.js';
import { notFound } from '../errors.js';
import { isId } from '../id.js';
import { type Page, pageOf, type PageRequest, pageStart } from '../cursor-page.js';
import type { Read } from '../tx.js';
import { shownFields, type EndpointView } from './endpoint.entity.js';

/** The columns of a {@link EndpointView}, by the names of the entity. */
export const endpointColumns = selectionOf(shownFields);

/** The one endpoint $1 of the account $2. */
export const fromOwnEndpoint = `from endpoint where id = $1 and account_id = $2 and deleted_at is null`;

const findStatement = {
  name: 'endpoint-find',
  text: `select ${endpointColumns} ${fromOwnEndpoint}`,
};

const findManyStatement = {
  name: 'endpoints-find',
  // One look-up for each, and of the deleted too: an index of those that are not begins with the account.
  text: `select ${endpointColumns} from (
           select e.* from unnest($1::text[]) i (id)
             cross join lateral (select * from endpoint e where e.id = i.id limit 1) e) e
         where deleted_at is null`,
};

// Upper bound instead of "is null or": the bound stays a condition of the index.
const list = {
  name: 'endpoint-list',
  text: `select ${endpointColumns} from endpoint
         where account_id = $1 and deleted_at is null and id < $2 and active = any($3::boolean[])
         order by id desc limit $4`,
};

const greaterThanAnyId = 'whs~';

/**
 * The account's endpoint of that id.
 * @throws DomainError not_found
 */
export async function getEndpoint(read: Read, account: string, id: string): Promise<EndpointView> {
  const [endpoint] = isId('whs', id)
    ? await read.sql<EndpointView>(findStatement, [id, account])
    : [];
  if (!endpoint) throw notFound('webhook endpoint');
  return endpoint;
}

/**
 * The endpoints of those ids, whoever they belong to, for what was looked up inside an account
 * already; deleted ones are not in the map.
 */
export async function endpointsById(
  read: Read,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EndpointView>> {
  const endpoints = await read.sql<EndpointView>(findManyStatement, [ids]);
  return new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
}

/**
 * The account's endpoints, newest first (H30–H36).
 * @throws DomainError validation_failed
 */
export async function listEndpoints(
  read: Read,
  account: string,
  request: PageRequest<'active' | 'inactive'>,
): Promise<Page<EndpointView>> {
  const { limit, status } = request;
  const scope = { list: 'endpoints', account, filter: status ?? undefined };
  const [before = greaterThanAnyId] = pageStart(read, scope, request) ?? [];
  const activeValues = status == null ? [true, false] : [status === 'active'];
  const rows = await read.sql<EndpointView>(list, [account, before, activeValues, limit + 1]);
  return pageOf(read, scope, limit, rows, ({ id }) => [id]);
}
