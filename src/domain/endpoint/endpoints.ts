import { type Page, pageOf, type PageRequest, pageStart } from '../list/cursor-page.js';
import { rowById } from '../transaction/rows.js';
import { selectionOf } from '../transaction/sql.js';
import type { Read } from '../transaction/tx.js';
import { type EndpointView, shownFields } from './endpoint.entity.js';

/** The columns of an {@link EndpointView}, named as its members. */
export const endpointColumns = selectionOf(shownFields);

/** In SQL: from the endpoint $1 of the account $2. */
export const fromAccountEndpoint = `from endpoint where id = $1 and account_id = $2 and deleted_at is null`;

const findStatement = {
  name: 'endpoint-find',
  text: `select ${endpointColumns} ${fromAccountEndpoint}`,
};

const findManyStatement = {
  name: 'endpoints-find',
  // Looks each endpoint up by id, deleted or not, because the index without deleted ones begins with the account.
  text: `select ${endpointColumns} from (
           select e.* from unnest($1::text[]) i (id)
             cross join lateral (select * from endpoint e where e.id = i.id limit 1) e) e
         where deleted_at is null`,
};

// Uses an upper bound in place of "is null or", so that the index can apply the condition.
const list = {
  name: 'endpoint-list',
  text: `select ${endpointColumns} from endpoint
         where account_id = $1 and deleted_at is null and id < $2 and active = any($3::boolean[])
         order by id desc limit $4`,
};

const greaterThanAnyId = 'whs~';

/**
 * Returns one endpoint of an account.
 * @throws DomainError not_found
 */
export function getEndpoint(read: Read, account: string, id: string): Promise<EndpointView> {
  return rowById<EndpointView>(read, 'whs', findStatement, [id, account]);
}

/**
 * Returns endpoints of any account, by id. Deleted ones are not in the map. Only for ids that were
 * looked up within an account already.
 */
export async function endpointsById(
  read: Read,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EndpointView>> {
  const endpoints = await read.sql<EndpointView>(findManyStatement, [ids]);
  return new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
}

/**
 * Lists the account's endpoints, newest first.
 * @throws DomainError validation_failed
 */
export async function listEndpoints(
  read: Read,
  account: string,
  request: PageRequest<'active' | 'inactive'>,
): Promise<Page<EndpointView>> {
  const { limit, status } = request;
  const scope = { list: 'endpoints', account, filter: status ?? undefined };
  const before = pageStart(read, scope, request) ?? greaterThanAnyId;
  const activeValues = status == null ? [true, false] : [status === 'active'];
  const rows = await read.sql<EndpointView>(list, [account, before, activeValues, limit + 1]);
  return pageOf(read, scope, limit, rows);
}
