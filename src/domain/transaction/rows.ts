import { notFound } from '../errors.js';
import { isId } from '../values/id.js';
import type { Read, Statement } from './tx.js';

/** The names of resources in errors, by the prefix of their ids. */
const nouns = {
  chk: 'checkout',
  era: 'erasure',
  evt: 'event',
  off: 'offer',
  pay: 'payment',
  pdl: 'dead letter',
  rcv: 'recovery',
  whs: 'webhook endpoint',
} as const;

/** Returns the first row of a statement that always has one. */
export async function singleRow<Row>(
  read: Pick<Read, 'sql'>,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<Row> {
  const [row] = await read.sql<Row>(statement, values);
  if (row === undefined) throw new Error(`${statement.name} returned no row`);
  return row;
}

/**
 * Returns the row that an id names. The id comes first among the values.
 * @throws DomainError not_found
 */
export async function rowById<Row>(
  read: Pick<Read, 'sql'>,
  prefix: keyof typeof nouns,
  statement: Statement,
  values: readonly [id: string, ...others: unknown[]],
): Promise<Row> {
  const [row] = isId(prefix, values[0]) ? await read.sql<Row>(statement, values) : [];
  if (row === undefined) throw notFound(nouns[prefix]);
  return row;
}

const endpointStatement: Statement = {
  name: 'account_endpoint',
  text: 'select from endpoint where id = $1 and account_id = $2',
};

/**
 * Checks that an endpoint belongs to the account. A deleted endpoint still belongs to it while its row is kept.
 * @throws DomainError not_found
 */
export async function requireAccountEndpoint(
  read: Read,
  account: string,
  id: string,
): Promise<void> {
  await rowById(read, 'whs', endpointStatement, [id, account]);
}

const clockStatement: Statement = { name: 'clock', text: 'select now() as now' };

/** Returns PostgreSQL's time. */
export async function databaseTime(read: Pick<Read, 'sql'>): Promise<Date> {
  return (await singleRow<{ readonly now: Date }>(read, clockStatement)).now;
}
