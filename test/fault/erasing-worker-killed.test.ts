import { expect } from 'chai';
import pg from 'pg';
import type { Database } from '../../src/database/database.js';
import { partitionsSince } from '../../src/database/partitions.js';
import { createAccount } from '../../src/domain/account/accounts.js';
import {
  getErasure,
  startAccountErasure,
  startBuyerErasure,
} from '../../src/domain/erasure/erasures.js';
import { fillAccount } from '../../tools/seed/fill-account.js';
import { contentsOf, lockOf200, rowsOf, tablesWith } from '../support/erasure.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { eventually } from '../support/eventually.js';
import { isLongRun } from '../support/long-run.js';
import { onPostgres, type TestQueue } from '../support/queue-backends.js';
import { seededRandom } from '../support/random.js';

const orders = 1_200;
const shopMarker = 'zzshop';
const buyerMarker = 'zzbuyer';
const buyer = `${buyerMarker}@buyer.example`;

// On one queue: erasures send no wake-ups.
describe('erasures whose worker is killed inside of a step', function () {
  let queue: TestQueue;
  let stream: EventStream;
  let domain: Database;
  const holders: pg.Client[] = [];

  before(async () => {
    queue = await onPostgres();
    stream = await openEventStream(queue, { WORKER_ROLES: 'replay' });
    domain = await stream.database.open();
  });

  after(async () => {
    for (const holder of holders) await holder.end();
    await stream.drop();
    await queue.drop();
  });

  /** An account with thousands of rows, each third sale to the buyer, and `marker` in its texts. */
  const shop = async (marker: string) => {
    const { database } = stream;
    const { id } = await domain.transact((tx) => createAccount(tx, { name: marker }));
    const since = await partitionsSince(domain.read);
    await fillAccount(
      { read: domain.read, transact: domain.transact, since },
      { account: id, orders, seed: 1 },
    );

    const bought = `position % 3 = 0 and account_id = $1`;
    const person = `json_build_object('email', $2::text, 'name', '${buyerMarker}', 'country', 'DE')`;

    await database.query(`update payment set buyer_email = $2 where ${bought}`, [id, buyer]);
    await database.query(`update "order" set buyer = ${person} where ${bought}`, [id, buyer]);
    await database.query(`update invoice set buyer = ${person} where ${bought}`, [id, buyer]);
    await database.query(`update offer set recipient_email = $2 where ${bought}`, [id, buyer]);

    await database.query(
      `update event
          set subject = 'mail:' || $2,
              body = convert_to((convert_from(body, 'UTF8')::jsonb || jsonb_build_object(
                       'subject', 'mail:' || $2, 'data', jsonb_build_object('to', $2::text)))::text, 'UTF8')
        where account_id = $1 and right(id, 1) < 'H'`,
      [id, buyer],
    );

    await database.query(`update endpoint set description = $2 where account_id = $1`, [
      id,
      marker,
    ]);

    await database.query(`update offer set message = $2 where account_id = $1`, [id, marker]);

    return id;
  };

  /** Locks a row of `table` by a connection of its own, so that a step waits for it. */
  const lockRow = async (text: string, values: unknown[]) => {
    const holder = new pg.Client({ connectionString: stream.database.url });
    await holder.connect();
    holders.push(holder);
    await holder.query('begin');
    const { rows } = await holder.query<{ pid: number }>(
      `with held as (${text} for update) select pg_backend_pid() as pid from held`,
      values,
    );
    expect(rows, text).to.have.lengthOf(1);
    return { pid: rows[0]!.pid, text, release: () => holder.query('rollback') };
  };

  it('H155, H156, H157, H286: the erasures end although their workers are killed, and keep all other accounts', async function () {
    const { database } = stream;
    const { seed, random } = seededRandom();
    const mine = await shop(shopMarker);
    const buyers = await shop('Two');
    const other = await shop('Three');
    const before = { mine: await rowsOf(domain, mine), buyers: await rowsOf(domain, buyers) };
    const others = await contentsOf(domain, other);
    const erasures = [
      await domain.transact((tx) => startAccountErasure(tx, mine, 'command')),
      await domain.transact((tx) =>
        startBuyerErasure(tx, { account: buyers, email: buyer }, 'command'),
      ),
    ].map(({ id }) => id);

    // How many events there are depends on the day of the week, by the first partition.
    const rowOf = async (table: string, account: string, of = 'true') => {
      const from = `from "${table}" where account_id = $1 and ${of}`;
      const rows = await database.query(`select ${from} limit 100`, [account]);
      return lockRow(`select ${from} order by id offset $2 limit 1`, [
        account,
        random.integer(0, rows.length - 1),
      ]);
    };

    const more = [
      () => rowOf('order', mine),
      () => rowOf('checkout', mine),
      () => rowOf('order', buyers, `buyer ->> 'email' = '${buyer}'`),
    ];

    let locks = [
      await rowOf('event', mine),
      await rowOf('delivery', mine),
      await rowOf('event', buyers, `subject like 'mail:%'`),
    ];

    if (isLongRun) for (const lock of more) locks.push(await lock());

    const killed: string[] = [];

    while (locks.length > 0) {
      const worker = await stream.startWorker();
      const waited = await eventually(
        async () => {
          const waiting = await database.query<{ pid: number }>(
            `select unnest(pg_blocking_pids(pid)) as pid from pg_stat_activity
              where wait_event_type = 'Lock' and datname = current_database()`,
          );
          const lock = locks.find(({ pid }) => waiting.some((waiter) => waiter.pid === pid));
          expect(lock, 'a step waits for a row').not.to.equal(undefined);
          return lock!;
        },
        'a worker is inside of a step',
        30_000,
      );

      await worker.end('SIGKILL');
      await waited.release();
      expect(await stream.database.query(lockOf200, [null]), 'for 2.0.0').to.deep.equal([]);
      killed.push(waited.text);
      locks = locks.filter((candidate) => candidate !== waited);
    }

    await stream.startWorker();

    const all = (want: object) =>
      eventually(
        async () => {
          for (const id of erasures) expect(await getErasure(domain.read, id)).to.include(want);
        },
        `all are ${JSON.stringify(want)}`,
      );

    await all({ waiting: true });

    // The two minutes for what was under way.
    await database.query(
      `update erasure set created_at = created_at - interval '3 minutes',
                          pass_started_at = now(), due_at = now()`,
    );

    await all({ status: 'completed' });
    this.test!.title += ` (killed ${killed.length}, seed ${seed})`;
    expect(await tablesWith(database, shopMarker)).to.deep.equal([]);

    const { order, payment, refund, invoice, ...rest } = before.mine;
    const total = Object.values(before.mine).reduce((sum, rows) => sum + rows);
    expect(total).to.be.above(5_000);

    const books = { order, payment, refund, invoice, erasure: 1 };
    expect(await rowsOf(domain, mine)).to.deep.equal(books);
    expect(await rowsOf(domain, buyers)).to.deep.equal({ ...before.buyers, erasure: 1 });
    expect(await contentsOf(domain, other)).to.deep.equal(others);

    const left = await database.query<{ account: string }>(
      `select distinct account_id as account from payment where buyer_email = $1
       union select account_id from "order" where buyer ->> 'email' = $1
       union select account_id from offer where recipient_email = $1
       union select account_id from event where convert_from(body, 'UTF8') || subject like '%' || $1 || '%'`,
      [buyer],
    );

    expect(left).to.deep.equal([{ account: other }]);

    const counts = (await getErasure(domain.read, erasures[0]!)).counts;

    // A step that was repeated counts once.
    for (const [table, rows] of Object.entries(rest)) expect(counts[table], table).to.equal(rows);
  });
});
