import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { smallestId } from '../../src/domain/id.js';
import type { Random } from '../../tools/seed/random.js';
import type { TestDatabase } from './database.js';

const inserts = {
  evt: `insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at)
    values ($1, $2, 't', 'v1', 's', false, '{}', to_timestamp($3 / 1000.0), now())`,
  whd: `insert into delivery (id, account_id, endpoint_id, pending_delivery_id, event_id, event_type,
                              event_version, attempt, max_attempts, status, test, created_at)
    values ($1, $2, 'whs_1', 'pdl_1', 'evt_1', 't', 'v1', 1, 1, 'success', false,
            to_timestamp($3 / 1000.0))`,
};

/** Write events and delivery records in transactions that end in other orders than they began. */
export class StreamWriters {
  readonly #url: string;
  readonly #accounts: readonly string[];
  readonly #random: Random;
  #number = 0;

  constructor(url: string, accounts: readonly string[], random: Random) {
    this.#url = url;
    this.#accounts = accounts;
    this.#random = random;
  }

  /** Writes transactions of 1 to 4 rows, with savepoints, rollbacks, pauses and cut connections. */
  async write(transactions: number): Promise<void> {
    const random = this.#random;
    let client = await this.#connect();
    for (let left = transactions; left > 0; left -= 1) {
      await client.query('begin');
      for (let rows = random.integer(1, 4); rows > 0; rows -= 1) {
        const savepoint = random.boolean(0.3);
        if (savepoint) await client.query('savepoint s');
        await this.#insert(client);
        if (savepoint && random.boolean(0.3)) await client.query('rollback to s');
        await client.query('select pg_sleep($1)', [random.next() * 0.03]);
      }
      const fate = random.next();
      if (fate < 0.03) {
        // Cut while the commit is under way: the server decides.
        const committed = client.query('commit').catch(() => undefined);
        await client.end().catch(() => undefined);
        await committed;
        client = await this.#connect();
      } else await client.query(fate < 0.12 ? 'rollback' : 'commit');
    }
    await client.end();
  }

  /** Writes one transaction that stays open for longer than a row may be late. */
  async writeSlowly(): Promise<void> {
    const client = await this.#connect();
    await client.query('begin');
    for (let rows = 4; rows > 0; rows -= 1) {
      await this.#insert(client);
      await client.query('select pg_sleep(0.9)');
    }
    await client.query('commit');
    await client.end();
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.#url });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async #insert(client: pg.Client): Promise<void> {
    const random = this.#random;
    const prefix = random.pick(['evt', 'whd'] as const);
    // Some rows are written long after the time of their id.
    const age = random.boolean(0.2) ? random.next() * 8_000 : random.next() * 20;
    const at = Math.floor(Date.now() - age);
    this.#number += 1;
    const id = `${smallestId(prefix, new Date(at))}${String(this.#number).padStart(16, '0')}`;
    await client.query(inserts[prefix], [id, random.pick(this.#accounts), at]);
  }
}

/**
 * Writes events of an account in one transaction.
 * @returns their ids, in the order of the stream
 */
export async function writeEvents(
  test: Pick<TestDatabase, 'query'>,
  account: string,
  count: number,
  bodyBytes: number,
): Promise<string[]> {
  const now = Date.now();
  const ids = Array.from({ length: count }, (_each, index) => {
    const number = randomBytes(6).readUIntBE(0, 6);
    return `${smallestId('evt', new Date(now + index))}${String(number).padStart(16, '0')}`;
  });
  await test.query(
    `insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at)
     select i.id, $2, 't', 'v1', 's', false, convert_to(repeat('x', $3), 'UTF8'),
            to_timestamp(($4 + i.number - 1) / 1000.0), now()
       from unnest($1::text[]) with ordinality i (id, number)`,
    [ids, account, bodyBytes, now],
  );
  return ids;
}
