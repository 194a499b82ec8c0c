// Finds what any id of the service names, for operators who have it from a log, a URL or a customer.
import type { Read, Statement } from '../transaction/tx.js';
import { type IdPrefix, isId, smallestId, timestampOf } from '../values/id.js';

/** The kind of resource that an id names, by its prefix. A new prefix needs an entry here. */
const kinds = {
  acc: 'account',
  aud: 'audit_entry',
  chk: 'checkout',
  crd: 'credential',
  era: 'erasure',
  evt: 'event',
  inv: 'invoice',
  lnk: 'sign_in_link',
  mem: 'member',
  ntc: 'notice',
  off: 'offer',
  ops: 'operator_session',
  ord: 'order',
  pay: 'payment',
  pdl: 'pending_delivery',
  plk: 'portal_link',
  prod: 'product',
  pse: 'portal_session',
  rcv: 'recovery',
  req: 'request',
  rfd: 'refund',
  sec: 'signing_secret',
  ses: 'session',
  whd: 'delivery',
  whs: 'endpoint',
} as const satisfies Record<IdPrefix, string>;

/** The kind of resource that an id names. */
export type IdKind = (typeof kinds)[IdPrefix];
export const idKinds: readonly IdKind[] = Object.values(kinds);

/** What the service knows about an id, in any account. */
export interface IdLookup {
  readonly id: string;
  readonly kind: IdKind;
  /** False if nothing has this id, or no longer. */
  readonly found: boolean;
  /** The time in the id, also if its row is deleted; null if the id has none. */
  readonly madeAt: Date | null;
  readonly accountId: string | null;
  readonly accountName: string | null;
  readonly endpointId: string | null;
  readonly eventId: string | null;
  /** The id of what it belongs to or is about: a member, a link, a checkout. */
  readonly resourceId: string | null;
  /** The subject of events about it. */
  readonly subject: string | null;
  /** The command that finds a request in the logs. The database does not store requests. */
  readonly logQuery: string | null;
}

type Row = Pick<IdLookup, 'accountId' | 'accountName' | 'endpointId' | 'eventId' | 'resourceId'>;

/** The columns of a table that say where a row belongs. */
interface Columns {
  readonly account?: string;
  readonly endpoint?: string;
  readonly event?: string;
  readonly resource?: string;
}

/** Adds the name of the account. */
const withAccount = (prefix: IdPrefix, rows: string): Statement => ({
  name: `look_up_${prefix}`,
  text: `
    select f.*, (select a.name from account a where a.id = f."accountId") as "accountName"
      from (${rows}) f`,
});

const columnsOf = ({ account = 't.account_id', endpoint, event, resource }: Columns) => `
           ${account} as "accountId", ${endpoint ?? 'null'} as "endpointId",
           ${event ?? 'null'} as "eventId", ${resource ?? 'null'} as "resourceId"`;

/** Finds a row by its primary key. */
const byKey = (prefix: IdPrefix, table: string, columns: Columns = {}): Statement =>
  withAccount(
    prefix,
    `select ${columnsOf(columns)}
       from "${table}" t where t.id = $1`,
  );

const maxAccounts = 100_000;

/**
 * The primary key of deliveries begins with the account, because an index of ids alone would slow down every insert.
 * So this probes each account, newest first, as `oneDelivery` does.
 */
const ofDelivery = withAccount(
  'whd',
  `select d.account_id as "accountId", d.endpoint_id as "endpointId", d.event_id as "eventId",
          null as "resourceId"
     from (select a.id from account a order by a.id desc limit ${maxAccounts}) a
    cross join lateral (
      select d.account_id, d.endpoint_id, d.event_id from delivery d
       where d.account_id = a.id and d.id between $1 and $1 order by d.id desc limit 1) d
    limit 1`,
);

const maxInMillisecond = 1_000;

/**
 * Products are stored in the line items of checkouts and offers. A product without an id gets one in the same
 * millisecond as its checkout or offer, so their ids begin with the same time: $2, $3 and $4, $5.
 */
const ofProduct = withAccount(
  'prod',
  `select t.account_id as "accountId", null as "endpointId", null as "eventId", t.id as "resourceId"
     from ((select o.id, o.account_id, o.line_items from offer o
             where o.id >= $2 and o.id < $3 order by o.id limit ${maxInMillisecond})
           union all
           (select c.id, c.account_id, c.line_items from checkout c
             where c.id >= $4 and c.id < $5 order by c.id limit ${maxInMillisecond})) t
    where strpos(t.line_items::text, $1) > 0
    limit 1`,
);

/** Requests are in the logs only. */
const statements: Readonly<Record<Exclude<IdPrefix, 'req'>, Statement>> = {
  acc: byKey('acc', 'account', { account: 't.id' }),
  aud: byKey('aud', 'audit_entry', { resource: 't.resource_id' }),
  chk: byKey('chk', 'checkout', { resource: 't.order_id' }),
  crd: byKey('crd', 'credential', { resource: 't.member_id' }),
  era: byKey('era', 'erasure'),
  evt: withAccount(
    'evt',
    `select ${columnsOf({ event: 't.id' })}
       from event t where t.id between $1 and $1`,
  ),
  inv: byKey('inv', 'invoice', { resource: 't.order_id' }),
  lnk: byKey('lnk', 'sign_in_link', { resource: 't.member_id' }),
  mem: byKey('mem', 'member'),
  ntc: byKey('ntc', 'notice', { resource: 't.resource_id' }),
  off: byKey('off', 'offer', { resource: 't.order_id' }),
  ops: byKey('ops', 'operator_session', {
    account: '(select c.account_id from credential c where c.id = t.credential_id)',
    resource: 't.credential_id',
  }),
  ord: byKey('ord', 'order', { resource: 't.checkout_id' }),
  pay: byKey('pay', 'payment', { resource: 't.order_id' }),
  pdl: byKey('pdl', 'pending_delivery', { endpoint: 't.endpoint_id', event: 't.event_id' }),
  plk: byKey('plk', 'portal_link', { resource: 't.member_id' }),
  prod: ofProduct,
  pse: byKey('pse', 'portal_session', { resource: 't.link_id' }),
  rcv: byKey('rcv', 'recovery', { endpoint: 't.endpoint_id' }),
  rfd: byKey('rfd', 'refund', { resource: 't.payment_id' }),
  sec: byKey('sec', 'endpoint_secret', {
    account: '(select e.account_id from endpoint e where e.id = t.endpoint_id)',
    endpoint: 't.endpoint_id',
  }),
  ses: byKey('ses', 'session', { resource: 't.member_id' }),
  whd: ofDelivery,
  whs: byKey('whs', 'endpoint', { endpoint: 't.id' }),
};

/** The subjects of events, for kinds whose changes are events. */
const subjects: Partial<Record<IdPrefix, string>> = {
  chk: 'checkout',
  inv: 'invoice',
  off: 'offer',
  ord: 'order',
  pay: 'payment',
  rfd: 'refund',
};

const wholeId = /(?<![0-9A-Za-z])[a-z]{3,4}_[0-9A-Za-z]{24}(?![0-9A-Za-z])/g;

/** Logs show only prefix and time of an id that opens a page. */
const loggedId = /(?<![0-9A-Za-z])(?:chk|off)_[0-9A-Za-z]{8}(?![0-9A-Za-z])/g;
const loggedLength = 12;

const completing = {
  chk: 'checkout',
  off: 'offer',
} as const;

const ofLogged = (prefix: keyof typeof completing): Statement => ({
  name: `look_up_logged_${prefix}`,
  text: `
    select t.id from "${completing[prefix]}" t
     where t.id >= $1 and t.id < $1 || '~' order by t.id limit 2`,
});

const loggedStatements = { chk: ofLogged('chk'), off: ofLogged('off') };

/**
 * Finds what an id names, in any account. The id may stand in a longer text, such as a URL, a subject, the
 * Message-ID of a mail or a line of a log.
 * @returns undefined for a text without an id of the service
 */
export async function lookUpId(read: Read, text: string): Promise<IdLookup | undefined> {
  const named = idIn(text);
  if (named === undefined) return undefined;

  const { prefix } = named;
  const id = await complete(read, prefix, named.id);
  const row = prefix === 'req' ? undefined : await rowOf(read, prefix, id);
  const subject = subjects[prefix];
  return {
    id,
    kind: kinds[prefix],
    found: row !== undefined,
    madeAt: timeOf(id),
    accountId: row?.accountId ?? null,
    accountName: row?.accountName ?? null,
    endpointId: row?.endpointId ?? null,
    eventId: row?.eventId ?? null,
    resourceId: row?.resourceId ?? null,
    subject: row && subject !== undefined ? `${subject}:${id}` : null,
    logQuery: prefix === 'req' ? `grep -F ${id}` : null,
  };
}

/** Completes an id from a log, if exactly one id has its prefix and time. */
async function complete(read: Read, prefix: IdPrefix, id: string): Promise<string> {
  if ((prefix !== 'chk' && prefix !== 'off') || id.length !== loggedLength) return id;
  const [only, other] = await read.sql<{ id: string }>(loggedStatements[prefix], [id]);
  return only && !other ? only.id : id;
}

async function rowOf(
  read: Read,
  prefix: Exclude<IdPrefix, 'req'>,
  id: string,
): Promise<Row | undefined> {
  const [row] = await read.sql<Row>(statements[prefix], valuesOf(prefix, id));
  return row;
}

function valuesOf(prefix: IdPrefix, id: string): string[] {
  if (prefix !== 'prod') return [id];
  const at = timeOf(id) ?? new Date(0);
  const offers = smallestId('off', at);
  const checkouts = smallestId('chk', at);
  return [id, offers, `${offers}~`, checkouts, `${checkouts}~`];
}

function idIn(text: string): { readonly prefix: IdPrefix; readonly id: string } | undefined {
  const candidates = [text.match(wholeId), text.match(loggedId), text.trim()];
  for (const id of candidates.flatMap((match) => match ?? [])) {
    const prefix = id.slice(0, id.indexOf('_'));
    if (Object.hasOwn(kinds, prefix) && isId(prefix as IdPrefix, id)) {
      return { prefix: prefix as IdPrefix, id };
    }
  }
  return undefined;
}

/** Ids of other lengths, such as those of tests, have no time. */
function timeOf(id: string): Date | null {
  return /_[0-9A-Za-z]{8}(?:[0-9A-Za-z]{16})?$/.test(id) ? timestampOf(id) : null;
}
