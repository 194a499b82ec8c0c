import { expect } from 'chai';
import { answer } from '../support/behaviours.js';
import { type Ledger, openLedger } from '../support/ledger.js';
import { preloaded } from '../support/preloaded.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';

const hourMs = 3_600_000;
/** What the sweep may add to a due time when no wake-up came. */
const sweepMs = 2_000;

describeOnQueues('R12: workers whose clocks are an hour off', (create) => {
  let queue: TestQueue;

  before(async () => {
    queue = await create();
  });
  after(() => queue.drop());

  it('make, sign and record attempts by the database’s clock', async () => {
    await Promise.all([run('ahead', hourMs), run('behind', -hourMs)]);
  });

  async function run(named: string, offset: number): Promise<void> {
    const ledger = await openLedger(queue, { WEBHOOKS_RETRY_SCHEDULE: '1s,1s,1s' });
    try {
      await deliver(ledger, named, offset);
    } finally {
      await ledger.drop();
    }
  }

  async function deliver(ledger: Ledger, named: string, offset: number): Promise<void> {
    const worker = await ledger.startWorker({
      ...preloaded('preload-shifted-clock'),
      CLOCK_OFFSET_MS: String(offset),
    });
    // Against a clock that is off, a date would be over at once, or an hour away.
    const date = new Date(Date.now() + 4_000).toUTCString();
    ledger.receiver.script(answer(503, { 'retry-after': date }), answer(500));
    await ledger.publish();
    const { duplicates } = await ledger.close(`clock an hour ${named}`);
    expect(duplicates).to.equal(0);

    const requests = ledger.receiver.requests;
    expect(requests).to.have.length(3);
    const [, second, third] = requests.map(({ at }) => at) as [number, number, number];
    expect(second - Date.parse(date), 'postponed').to.be.within(-300, sweepMs);
    expect(third - second, 'scheduled').to.be.within(900, 1_100 + sweepMs);
    for (const { headers, at } of requests) {
      const stamp = Number(headers['webhook-timestamp']) * 1_000;
      expect(Math.abs(stamp - at), 'signed at').to.be.lessThan(2_500);
    }
    const off = await ledger.database.query(
      `select id from delivery where abs(extract(epoch from created_at - now())) > 60`,
    );
    expect(off, 'records dated by the process').to.deep.equal([]);
    const log = JSON.parse(worker.lines.at(-1) ?? '') as { time: string };
    expect(Math.abs(Date.parse(log.time) - Date.now() - offset), 'its clock is off').to.be.lessThan(
      60_000,
    );
  }
});
