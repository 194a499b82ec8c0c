import { expect } from 'chai';
import { fetch } from 'undici';
import type { TestDatabase } from '../support/database.js';
import { untilLockIsAwaited } from '../support/engine.js';
import { allowedMs, besideProbe, eventually } from '../support/eventually.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { FaultInjection } from '../support/fault-injection.js';
import { isLongRun } from '../support/long-run.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';

/** Ends what keeps the workers from recording. */
type Repair = () => Promise<unknown>;

/** What waits goes out several times as fast as it came; what is isolated would take a second each. */
const leastDrainMs = 10_000;

describeOnQueues('a database that cannot record', (create) => {
  let queue: TestQueue;
  let stream: EventStream;

  before(async () => {
    queue = await create();
    stream = await openEventStream(queue);
    await prepareRefusals(stream.database);
    await Promise.all([stream.startWorker(), stream.startWorker()]);
  });

  after(async () => {
    await stream.drop();
    await queue.drop();
  });

  /** How many deliveries workers took from a process that they believed dead. */
  async function interruptions(): Promise<number> {
    const counts = await Promise.all(
      stream.workers.map(async ({ healthUrl }) => {
        const metrics = await (await fetch(`${healthUrl}/metrics`)).text();
        return Number(/poll_finds_total\{found="interrupted"\} (\d+)/.exec(metrics)?.[1] ?? 0);
      }),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  const isAlive = async ({ healthUrl }: (typeof stream.workers)[number]) =>
    (await fetch(`${healthUrl}/livez`)).text();

  async function survive(
    title: string,
    injection: FaultInjection,
    inject: () => Promise<Repair>,
  ): Promise<void> {
    let injectedAt = 0;
    let mendedAt = 0;
    await stream.publishUntil(
      injection.repeat(async () => {
        const repair = await inject();
        injectedAt = performance.now();
        try {
          await injection.holdFault();
        } finally {
          await repair();
        }
        mendedAt = performance.now();
      }),
    );

    const [before] = await stream.database.query<{ isolated: number }>(
      `select count(*)::int as isolated from pending_delivery where lane = 'isolated'`,
    );

    // Measured first, because the reconciliation reads every request each time.
    const machine = await besideProbe(
      () => Promise.all(stream.workers.map(isAlive)),
      () =>
        eventually(
          async () =>
            expect(await stream.database.query('select from pending_delivery limit 1')).to.be.empty,
          'everything is recorded',
        ),
    );

    const drained_ms = Math.round(performance.now() - mendedAt);
    const figures = { isolated: before?.isolated ?? 0, drained_ms };
    const { duplicates } = await stream.close(title, { injected: injection.injected, figures });
    expect(duplicates, 'resent').to.equal(0);
    expect(figures.isolated, 'isolated').to.equal(0);
    expect(await interruptions(), 'counted as interrupted').to.equal(0);

    const mostMs = allowedMs(Math.max(leastDrainMs, (mendedAt - injectedAt) / 2), machine);
    expect(drained_ms, 'milliseconds until everything was recorded').to.be.below(mostMs);
    for (const { running } of stream.workers) expect(running).to.equal(true);
  }

  it('repeats nothing and isolates nothing while the table of records is locked', async function () {
    const injection = new FaultInjection('recording refused', 4);
    this.timeout(injection.limitMs);
    await survive('records locked', injection, async () => {
      const lock = await stream.database.hold('lock table delivery in share mode');
      return () => lock.release();
    });
  });

  it('repeats nothing and isolates nothing when PostgreSQL refuses every row permanently', async function () {
    const injection = new FaultInjection('recording refused', 4);
    this.timeout(injection.limitMs);
    // As when no partition is there: PostgreSQL blames each row.
    await survive('rows refused', injection, () => refuseInserts(stream.database, '23514'));
  });

  // Only a long run tests another refusal and another lock of the same kinds.
  if (!isLongRun) return;

  it('repeats nothing and isolates nothing when PostgreSQL refuses every insert', async function () {
    const injection = new FaultInjection('recording refused', 4);
    this.timeout(injection.limitMs);
    await survive('inserts refused', injection, () => refuseInserts(stream.database, '53100'));
  });

  it('repeats nothing and isolates nothing while a migration waits for an idle session', async function () {
    const injection = new FaultInjection('recording refused', 4);
    this.timeout(injection.limitMs);

    let injections = 0;
    await survive('a migration waits', injection, async () => {
      // Not those that publishing needs, or nothing would be acknowledged meanwhile.
      const table = ['delivery', 'lease'][injections++ % 2];
      const idle = await stream.database.hold(`select from ${table} limit 1`);
      const migration = stream.database.hold(`lock table ${table} in access exclusive mode`);
      await untilLockIsAwaited(stream.database);
      return async () => {
        await idle.release();
        await (await migration).release();
      };
    });
  });
});

/**
 * Prepares a trigger before anything is sent: created while events flow, it could be the victim of a
 * deadlock with the records.
 */
async function prepareRefusals(database: TestDatabase): Promise<void> {
  await database.query('create table refusal (code text not null)');

  await database.query(
    `create function refuse_record() returns trigger language plpgsql as
       $$ declare refused text;
       begin
         select code into refused from refusal;
         if refused is not null then raise exception 'no room' using errcode = refused; end if;
         return new;
       end $$`,
  );

  await database.query(
    `create trigger refuse_record before insert on delivery
       for each row execute function refuse_record()`,
  );
}

async function refuseInserts(database: TestDatabase, code: string): Promise<Repair> {
  await database.query('insert into refusal values ($1)', [code]);
  return async () => {
    await database.query('delete from refusal');
  };
}
