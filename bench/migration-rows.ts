import type pg from 'pg';
import { makeId, smallestId } from '../src/domain/id.js';
import { bodyOf } from './due-deliveries.js';

const account = makeId('acc', new Date());
const endpoint = makeId('whs', new Date());
const body = bodyOf(1_024);
const fillBatch = 50_000;

/** How a row for each id of `$1` is made, in columns and values. The id of an event becomes that of the row. */
type Row = Readonly<Record<string, string>>;

const id = (prefix: string) => `replace(i.id, 'evt_', '${prefix}_')`;
const now = 'now()';
const ofAccount = { account_id: `'${account}'` };
const amounts = Object.fromEntries(
  ['subtotal', 'discount', 'shipping', 'tax', 'total'].map((part) => [
    `${part}_minor_units`,
    part === 'subtotal' || part === 'total' ? '100' : '0',
  ]),
);

/** Tables of the first migration, with its columns only: later migrations add to them. */
const first: Readonly<Record<string, Row>> = {
  event: {
    id: 'i.id',
    ...ofAccount,
    type: "'cart.abandoned'",
    version: "'v1'",
    subject: "'order:1'",
    test: 'false',
    body: `convert_to('${body}', 'UTF8')`,
    occurred_at: now,
    created_at: now,
  },
  pending_delivery: {
    id: id('pdl'),
    ...ofAccount,
    endpoint_id: `'${endpoint}'`,
    event_id: 'i.id',
    event_type: "'cart.abandoned'",
    lane: "'live'",
    ready: 'false',
    due_at: `${now} + interval '1 day'`,
    attempt: '1',
    max_attempts: '10',
    test: 'false',
    created_at: now,
  },
  delivery: {
    id: id('whd'),
    ...ofAccount,
    endpoint_id: `'${endpoint}'`,
    event_id: 'i.id',
    pending_delivery_id: id('pdl'),
    event_type: "'cart.abandoned'",
    event_version: "'v1'",
    attempt: '1',
    max_attempts: '10',
    status: "'failed'",
    test: 'false',
    failure_reason: "'timeout'",
    duration_ms: '100',
    created_at: now,
  },
  account: { id: id('acc'), name: `'Shop ' || right(i.id, 8)`, created_at: now },
  member: {
    id: id('mem'),
    ...ofAccount,
    email: `i.id || '@hooks.example'`,
    role: "'viewer'",
    created_at: now,
  },
  credential: {
    id: id('crd'),
    ...ofAccount,
    member_id: id('mem'),
    kind: "'live'",
    level: "'read'",
    token_sha256: `sha256(convert_to(i.id, 'UTF8'))`,
    last4: "'abcd'",
    created_at: now,
  },
  endpoint: {
    id: id('whs'),
    ...ofAccount,
    url: "'https://hooks.example/'",
    active: 'true',
    notification_email: "'a@hooks.example'",
    event_types: "'{cart.abandoned}'",
    created_at: now,
    updated_at: now,
  },
  notice: {
    id: id('ntc'),
    ...ofAccount,
    kind: "'endpoint_disabled'",
    resource_id: 'i.id',
    data: "'{}'",
    recipient: "'a@hooks.example'",
    message_id: 'i.id',
    created_at: now,
    due_at: now,
    sent_at: now,
  },
  checkout: {
    id: id('cks'),
    ...ofAccount,
    success_url: "'https://shop.example/'",
    cancel_url: "'https://shop.example/'",
    external_reference: 'i.id',
    buyer_email_locked: 'false',
    metadata: "'{}'",
    line_items: "'[]'",
    currency: "'EUR'",
    ...amounts,
    created_at: now,
    expires_at: now,
  },
};

/** Tables that a later migration makes and one after it changes. */
const later: Readonly<Record<string, Row>> = {
  recovery: {
    id: id('rec'),
    ...ofAccount,
    endpoint_id: id('whs'),
    what: "'failed'",
    since: now,
    until: now,
    include_before: 'false',
    rate_per_second: '1',
    idempotency_key: 'i.id',
    fingerprint: "''",
    status: "'completed'",
    position: "''",
    credited_at: now,
    next_step_at: now,
    created_at: now,
    updated_at: now,
    ended_at: now,
  },
  full_account: { account_id: id('acc'), pending: '1', since: now },
  erasure: {
    id: id('ers'),
    ...ofAccount,
    kind: "'buyer'",
    requested_by: "''",
    status: "'completed'",
    include_invoices: 'false',
    stage: "''",
    pass_started_at: now,
    found_in_pass: '0',
    counts: "'{}'",
    next_step_at: now,
    created_at: now,
    updated_at: now,
    completed_at: now,
  },
  sign_in_link: {
    id: id('sil'),
    ...ofAccount,
    member_id: id('mem'),
    created_at: now,
    expires_at: now,
    token_sha256: `sha256(convert_to(i.id, 'UTF8'))`,
  },
  audit_entry: {
    id: id('aud'),
    ...ofAccount,
    action: "'endpoint.updated'",
    resource_id: id('whs'),
    actor_kind: "'api_key'",
    credential_id: id('crd'),
    changes: "'{}'",
    created_at: now,
  },
};

const statements = Object.fromEntries(
  Object.entries({ ...first, ...later }).map(([table, row]) => [
    table,
    `insert into ${table} (${Object.keys(row).join(', ')})
     select ${Object.values(row).join(', ')} from unnest($1::text[]) i (id)`,
  ]),
);
const changeEndpoint = 'update endpoint set failure_count = failure_count + 1 where id = $1';

/** Rows of every table that a migration after the first changes, but for tables that stay small. */
export class MigrationRows {
  readonly #pool: pg.Pool;
  readonly #rows: number;
  readonly #full: string[] = [];
  /** Of all tables, because rows refer to each other by their ids. */
  readonly #start = smallestId('evt', new Date()).slice(0, 12);

  constructor(pool: pg.Pool, rows: number) {
    this.#pool = pool;
    this.#rows = rows;
  }

  /** Fills those that the first migration makes. */
  async fillFirst(): Promise<void> {
    await this.#pool.query(
      `insert into account (id, name, created_at) values ($1, 'Shop', now())`,
      [account],
    );
    for (const table of Object.keys(first)) await this.#fill(table);
    await this.#pool.query(statements['endpoint'] ?? '', [[endpoint.replace('whs_', 'evt_')]]);
    await this.#pool.query('vacuum analyze');
  }

  /**
   * Fills those that migrations have made since.
   * @returns their names
   */
  async fillLater(): Promise<string[]> {
    const { rows } = await this.#pool.query<{ name: string }>(
      'select name from unnest($1::text[]) name where to_regclass(name) is not null',
      [Object.keys(later).filter((table) => !this.#full.includes(table))],
    );
    for (const { name } of rows) {
      await this.#fill(name);
      await this.#pool.query(`vacuum analyze ${name}`);
    }
    return rows.map(({ name }) => name);
  }

  /**
   * Writes one row to each full table and changes an endpoint, in one transaction each.
   * @param onWrite is called after each, with the table and how long it took
   */
  async write(
    client: pg.PoolClient,
    onWrite: (table: string, tookMs: number) => void,
  ): Promise<void> {
    const event = makeId('evt', new Date());
    const timed = async (table: string, statement: string, value: unknown) => {
      const startedAt = performance.now();
      await client.query(statement, [value]);
      onWrite(table, performance.now() - startedAt);
    };
    for (const table of this.#full) await timed(table, statements[table] ?? '', [event]);
    await timed('endpoint', changeEndpoint, endpoint);
  }

  async #fill(table: string): Promise<void> {
    for (let done = 0; done < this.#rows; done += fillBatch) {
      const ids = Array.from(
        { length: Math.min(fillBatch, this.#rows - done) },
        (_each, place) => `${this.#start}${String(done + place).padStart(16, '0')}`,
      );
      await this.#pool.query(statements[table] ?? '', [ids]);
    }
    this.#full.push(table);
  }
}
