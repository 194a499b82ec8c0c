import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import {
  type Capacity,
  engineServerSettings,
  type RateLimitedEndpoint,
} from '../../../../src/domain/delivery/claim.js';
import { Claimer } from '../../../../src/domain/delivery/claim-deliveries.js';
import { reserveSendTimes } from '../../../../src/domain/delivery/send-times.js';
import { setEndpointRateLimit } from '../../../../src/domain/endpoint/change-endpoint.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { emptyEngine, eventType, insertAccount, insertEndpoint } from '../../../support/engine.js';
import { explaining, type LoggedPlan, plansOf } from '../../../support/plans.js';

const aheadMs = 1_000;
// So far ahead that no pause between two statements uses the times up.
const secondsAheadMs = 9_000;

describe('H153: the send times of an endpoint with a rate limit', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;
  let endpoint: string;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ serverSettings: { ...engineServerSettings, ...explaining } });
  });

  after(() => test.drop());

  beforeEach(async () => {
    await emptyEngine(test);
    await test.query('truncate endpoint_rate');
    account = await insertAccount(test);
    endpoint = await insertEndpoint(test, account);
  });

  const limit = (perSecond: number | null, id = endpoint) =>
    database.transact((tx) => setEndpointRateLimit(tx, account, id, perSecond));
  const reserve = async (count: number, ahead = aheadMs) => {
    const [times] = await reserveSendTimes(database.read, [{ endpointId: endpoint, count }], ahead);
    if (!times) throw new Error('no answer');
    return times;
  };

  const endOf = ({ firstMs, count, stepMs }: Awaited<ReturnType<typeof reserve>>) =>
    firstMs + count * stepMs;

  it('reserves send times from now on, evenly spaced over all processes that ask', async () => {
    await limit(1);
    const first = await reserve(3, secondsAheadMs);
    expect(first).to.include({ count: 3, stepMs: 1_000 });
    expect(first.firstMs).to.equal(first.nowMs);
    const ask = () => reserve(2, secondsAheadMs);
    const asked = await Promise.all([ask(), ask(), ask()]);
    asked.sort((one, other) => one.firstMs - other.firstMs);
    let next = endOf(first);
    for (const reserved of asked) {
      expect(reserved.firstMs).to.be.closeTo(next, 0.01);
      next = endOf(reserved);
    }
  });

  it('reserves only so far ahead, and then says when the next send time is', async () => {
    await limit(1);
    const first = await reserve(100, secondsAheadMs);
    expect(first.count).to.equal(10);
    const refused = await reserve(1, secondsAheadMs / 2);
    expect(refused.count).to.equal(0);
    expect(refused.firstMs).to.be.closeTo(endOf(first), 0.01);
    expect(await reserve(1, 2 * secondsAheadMs)).to.include({ count: 1 });
  });

  it('saves up no send times while nothing is sent', async () => {
    await limit(10);
    await test.query(`update endpoint_rate set next_at = now() - interval '1 hour'`);
    const { count, firstMs, nowMs } = await reserve(100);
    expect({ count, firstMs }).to.deep.equal({ count: 11, firstMs: nowMs });
  });

  it('uses the rate limit of the moment: a lower one holds for the next time, and without one no time is reserved', async () => {
    await limit(1_000);
    const fast = await reserve(10);
    await limit(2);
    const slow = await reserve(1);
    expect(slow.stepMs).to.equal(500);
    expect(slow.firstMs).to.be.at.least(endOf(fast));
    await limit(null);
    const free = await reserve(1_000);
    expect(free).to.include({ count: 1_000, stepMs: 0, firstMs: free.nowMs });
  });

  it('reserves send times from now on after PostgreSQL’s clock was set back', async () => {
    await limit(10);
    await test.query(`update endpoint_rate set next_at = now() + interval '1 hour'`);
    const { firstMs, nowMs } = await reserve(1);
    expect(firstMs).to.equal(nowMs);
  });

  describe('in claims', () => {
    const publish = (count: number) =>
      database.transact(async (tx) => {
        for (let index = 0; index < count; index += 1)
          await publishEvent(tx, account, { type: eventType, subject: 's', data: {} });
      });

    const claim = (claimer: Claimer, rateLimited: readonly Partial<RateLimitedEndpoint>[] = []) => {
      const usual = { accountId: account, endpointId: endpoint, waiting: 0, running: 0, room: 0 };
      const capacity: Capacity = {
        slots: 100,
        perEndpoint: 20,
        usedSlots: new Map<string, number>(),
        rateLimited: rateLimited.map((limited) => ({ ...usual, backlogged: true, ...limited })),
      };
      return claimer.claim(database.read, capacity);
    };

    it('returns the rate limit with each claim, and takes no more than there is room for', async () => {
      await limit(10);
      await publish(8);
      const claimer = new Claimer({ lane: 'live', leaseMs: 60_000 });
      const first = await claim(claimer, [{ room: 3 }]);
      expect(first.map(({ maxPerSecond }) => maxPerSecond)).to.deep.equal([10, 10, 10]);
      expect(await claim(claimer, [{ room: 0 }])).to.deep.equal([]);
      expect(await claim(claimer, [{ room: 19, waiting: 18, running: 21 }])).to.have.length(2);
    });

    for (const kind of ['few rows', 'the walk']) {
      it(`reads no more of 100,000 waiting rows than of ten, by ${kind}`, async () => {
        const before = await insertEndpoint(test, account);
        endpoint = await insertEndpoint(test, account);

        const after = await insertEndpoint(test, account);
        await publish(kind === 'few rows' ? 3 : 40);
        await limit(10);

        const claimer = new Claimer({ lane: 'live', leaseMs: 60_000 });

        // The first answer brings the clock.
        await claim(claimer, [{}, { endpointId: before }, { endpointId: after }]);

        const measure = async () => {
          await test.query('update pending_delivery set lease_token = null');
          await test.query('vacuum analyze pending_delivery');
          let claimed: string[] = [];
          const plans = await plansOf(async () => {
            claimed = (await claim(claimer, [{}])).map(({ endpointId }) => endpointId);
          });
          const sum = (of: (plan: LoggedPlan) => number) =>
            plans.reduce((all, plan) => all + of(plan), 0);
          return { rows: sum(({ rows }) => rows), blocks: sum(({ blocks }) => blocks), claimed };
        };

        const few = await measure();

        await test.query(
          `insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready,
                                         due_at, attempt, max_attempts, test, created_at)
           select 'pdl_' || i, $1, $2, 'evt_1', $3, 'live', true, now(), 1, 10, false, now()
             from generate_series(1, 100000) i`,
          [account, endpoint, eventType],
        );

        const many = await measure();
        expect(many.claimed).to.have.members(few.claimed);
        expect(new Set(many.claimed)).to.not.include(endpoint);
        expect(many.claimed).to.not.deep.equal([]);
        expect(many.rows).to.be.at.most(few.rows);

        // A larger index has more levels.
        expect(many.blocks).to.be.at.most(few.blocks + 40);
      });
    }
  });
});
