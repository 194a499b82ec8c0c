import { expect } from 'chai';
import { fetch } from 'undici';
import type { TestDatabase } from '../support/database.js';
import { somebodyWaits } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { type Ledger, openLedger } from '../support/ledger.js';
import { Ordeal } from '../support/ordeal.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';

/** Ends what keeps the workers from recording. */
type Mend = () => Promise<unknown>;

/** What waits goes out several times as fast as it came; what is isolated would take a second each. */
const leastDrainMs = 10_000;

describeOnQueues('a database that cannot record', (create) => {
  let queue: TestQueue;
  let ledger: Ledger;

  before(async () => {
    queue = await create();
    ledger = await openLedger(queue);
    await Promise.all([ledger.startWorker(), ledger.startWorker()]);
  });
  after(async () => {
    await ledger.drop();
    await queue.drop();
  });

  /** How many deliveries workers took from a process that they believed dead. */
  async function interruptions(): Promise<number> {
    const counts = await Promise.all(
      ledger.workers.map(async ({ healthUrl }) => {
        const metrics = await (await fetch(`${healthUrl}/metrics`)).text();
        return Number(/sweep_finds_total\{found="interrupted"\} (\d+)/.exec(metrics)?.[1] ?? 0);
      }),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async function survive(title: string, ordeal: Ordeal, blow: () => Promise<Mend>): Promise<void> {
    let [struckAt, mendedAt] = [0, 0];
    await ledger.publishUntil(
      ordeal.strike(async () => {
        const mend = await blow();
        struckAt = performance.now();
        await ordeal.last().finally(mend);
        mendedAt = performance.now();
      }),
    );
    const [before] = await ledger.database.query<{ isolated: number }>(
      `select count(*)::int as isolated from chain where lane = 'alone'`,
    );
    // First, because the reckoning looks at every request each time.
    await eventually(
      async () => expect(await ledger.database.query('select from chain limit 1')).to.be.empty,
      'everything is recorded',
      120_000,
    );
    const drained_ms = Math.round(performance.now() - mendedAt);
    const figures = { isolated: before?.isolated ?? 0, drained_ms };
    const { duplicates } = await ledger.close(title, { struck: ordeal.struck, figures });
    expect(duplicates, 'resent').to.equal(0);
    expect(figures.isolated, 'isolated').to.equal(0);
    expect(await interruptions(), 'counted as interrupted').to.equal(0);
    const mostMs = Math.max(leastDrainMs, (mendedAt - struckAt) / 2);
    expect(drained_ms, 'milliseconds until everything was recorded').to.be.below(mostMs);
    for (const { running } of ledger.workers) expect(running).to.equal(true);
  }

  it('whose records are locked repeats nothing and isolates nothing', async function () {
    const ordeal = new Ordeal('recording refused', 4);
    this.timeout(ordeal.limitMs);
    await survive('records locked', ordeal, async () => {
      const lock = await ledger.database.hold('lock table delivery in share mode');
      return () => lock.release();
    });
  });

  it('that refuses every insert repeats nothing and isolates nothing', async function () {
    const ordeal = new Ordeal('recording refused', 4);
    this.timeout(ordeal.limitMs);
    await survive('inserts refused', ordeal, () => refuseInserts(ledger.database, '53100'));
  });

  it('that refuses every row for good repeats nothing and isolates nothing', async function () {
    const ordeal = new Ordeal('recording refused', 4);
    this.timeout(ordeal.limitMs);
    // As when no partition is there: PostgreSQL blames each row.
    await survive('rows refused', ordeal, () => refuseInserts(ledger.database, '23514'));
  });

  it('where a migration waits for an idle session repeats nothing and isolates nothing', async function () {
    const ordeal = new Ordeal('recording refused', 4);
    this.timeout(ordeal.limitMs);
    let blows = 0;
    await survive('a migration waits', ordeal, async () => {
      // Not those that publishing needs, or nothing would be acknowledged meanwhile.
      const table = ['delivery', 'lease'][blows++ % 2];
      const idle = await ledger.database.hold(`select from ${table} limit 1`);
      const migration = ledger.database.hold(`lock table ${table} in access exclusive mode`);
      await somebodyWaits(ledger.database);
      return async () => {
        await idle.release();
        await (await migration).release();
      };
    });
  });
});

async function refuseInserts(database: TestDatabase, code: string): Promise<Mend> {
  await database.query(
    `create function refuse_record() returns trigger language plpgsql as
       $$ begin raise exception 'no room' using errcode = '${code}'; end $$`,
  );
  await database.query(
    `create trigger refuse_record before insert on delivery
       for each row execute function refuse_record()`,
  );
  return () => database.query('drop function refuse_record cascade');
}
