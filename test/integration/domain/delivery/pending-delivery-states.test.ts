import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Lane } from '../../../../src/domain/delivery/claim.js';
import type { Outcome } from '../../../../src/domain/delivery/outcome.js';
import { eventType, outcomes } from '../../../support/engine.js';
import { otherType, StorePair } from '../../../support/store-pair.js';

type Command = fc.AsyncCommand<object, StorePair>;

/** A machine that is busy manages several times as many. */
const leastCommands = 50;
const second = 1_000;
const day = 24 * 3_600 * second;

/** A command for both stores, after which their rows are compared. */
function command(name: string, run: (pair: StorePair) => Promise<void> | void): Command {
  return {
    check: () => true,
    run: async (_model, pair) => {
      await run(pair);
      await pair.compare();
    },
    toString: () => name,
  };
}

const any = fc.nat(20);
const postponed: Outcome = {
  kind: 'rejected',
  status: 429,
  retryAfter: { delayMs: 200 * second },
};
const outcome = fc.oneof(
  { weight: 2, arbitrary: fc.constant(outcomes.ok) },
  { weight: 4, arbitrary: fc.constantFrom(outcomes.down, outcomes.timeout, postponed) },
  { weight: 1, arbitrary: fc.constantFrom(outcomes.gone, outcomes.blocked) },
);
const lane = fc.constantFrom<Lane>('live', 'live', 'live', 'replay', 'isolated');
const types = fc.constantFrom([eventType], [otherType], [eventType, otherType]);

const publish = fc
  .tuple(fc.constantFrom(eventType, otherType), fc.integer({ min: 0, max: 5 }))
  .map(([type, test]) =>
    command(`publish ${type}${test === 0 ? ' as a test' : ''}`, (pair) =>
      pair.publish(type, test === 0),
    ),
  );
const claim = fc
  .tuple(
    lane,
    fc.integer({ min: 1, max: 8 }),
    fc.integer({ min: 1, max: 4 }),
    fc.oneof(fc.constant(50), fc.integer({ min: 0, max: 4 })),
  )
  .map(([from, slots, perEndpoint, perAccount]) =>
    command(`claim ${slots} ${from}, ${perEndpoint} per endpoint, ${perAccount} of all`, (pair) =>
      pair.claim(from, slots, perEndpoint, perAccount),
    ),
  );
const recordResults = fc
  .tuple(any, fc.integer({ min: 1, max: 4 }), fc.array(outcome, { minLength: 1, maxLength: 4 }))
  .map(([from, count, ends]) =>
    command(`settle ${count} from ${from}: ${ends.map(({ kind }) => kind).join(', ')}`, (pair) =>
      pair.recordResults(from, count, ends),
    ),
  );
// None of these comes near a sum of delays and leases: 20 s off at least.
const pass = fc
  .constantFrom(60 * second, 120 * second, 300 * second, 300 * second, day + 3_600 * second)
  .map((ms) => command(`${ms / second} s pass`, (pair) => pair.pass(ms)));
const promote = fc.constantFrom(
  command('promote', (pair) => pair.promote()),
  command('promote, but keep what ended in the last 100 s', (pair) => pair.promote(100 * second)),
);
const ofClaims = any.chain((from) =>
  fc.constantFrom(
    command(`crash with ${from}`, (pair) => pair.crash(from)),
    command(`release ${from}`, (pair) => pair.release(from)),
    command(`hear nothing of the claim of ${from}`, (pair) => pair.releaseAmbiguous(from)),
    command(`defer ${from}`, (pair) => pair.defer(from)),
    command(`defer ${from} and its endpoint`, (pair) => pair.defer(from, 0)),
    command(`defer ${from} and its endpoint for long`, (pair) => pair.defer(from, 200 * second)),
    command(`extend ${from}`, (pair) => pair.extend(from)),
    command(`extend ${from} before its lease ends`, async (pair) => {
      await pair.pass(60 * second);
      await pair.extend(from);
    }),
  ),
);
const replay = any.map((from) => command(`replay ${from}`, (pair) => pair.replay(from)));
const ofEndpoints = fc.tuple(fc.nat(2), types, any).chain(([from, eventTypes, place]) =>
  fc.constantFrom(
    command(`deactivate ${from}`, (pair) => pair.update(from, { active: false })),
    command(`deactivate ${from} while its pending deliveries are held`, (pair) =>
      pair.updateWhileLocked(from, { active: false }),
    ),
    command(
      `subscribe ${from} to ${eventTypes.join(' ')} while its pending deliveries are held`,
      (pair) => pair.updateWhileLocked(from, { eventTypes }),
    ),
    command(`activate ${from}`, (pair) => pair.update(from, { active: true })),
    command(`activate ${from}`, (pair) => pair.update(from, { active: true })),
    command(`subscribe ${from} to ${eventTypes.join(' ')}`, (pair) =>
      pair.update(from, { eventTypes }),
    ),
    command(`move ${from}`, (pair) => pair.update(from, { url: `https://shop.example/${place}` })),
    command(`rotate ${from}`, (pair) => pair.rotate(from)),
  ),
);
const die = fc.integer({ min: 1, max: 4 }).map((times) =>
  command(`die ${times} times with everything`, async (pair) => {
    for (let count = 0; count < times; count += 1) {
      for (const from of ['live', 'replay', 'isolated'] as const) await pair.claim(from, 50, 50);
      pair.crash(0, 150);
      await pair.pass(300 * second);
      await pair.promote();
    }
  }),
);
const standStill = fc.constant(
  command('stand still with everything until others have it', async (pair) => {
    await pair.claim('live', 50, 50);
    await pair.pass(300 * second);
    await pair.promote();
    await pair.claim('live', 50, 50);
  }),
);
const seldom = fc.nat(2).chain((from) =>
  fc.constantFrom(
    command(`delete ${from}`, (pair) => pair.delete(from)),
    command('poll what is cancelled', (pair) => pair.cancelStale()),
    command('poll what is cancelled', (pair) => pair.cancelStale()),
    command(
      `switch ${from} off and on while its pending deliveries are held, and pay`,
      async (pair) => {
        await pair.updateWhileLocked(from, { active: false });
        await pair.update(from, { active: true });
        await pair.compare();
        await pair.drainCancellations();
      },
    ),
    command('pay what is owed', (pair) => pair.drainCancellations()),
    command('release what is dead-lettered', (pair) => pair.releaseDeadLetter()),
  ),
);

/** So many sequences, or for so long; the long form says more. */
const runs = Number(process.env['PENDING_DELIVERY_STATES_RUNS'] ?? 10_000);
const limitMs = Number(process.env['PENDING_DELIVERY_STATES_SECONDS'] ?? 8) * second;
const seed = Number(process.env['PENDING_DELIVERY_STATES_SEED'] ?? Date.now() % 2 ** 31);

describe('the states of a pending delivery', function () {
  this.timeout(limitMs + 120_000);
  let pair: StorePair;

  before(async () => {
    pair = await StorePair.open();
  });

  after(() => pair.drop());

  it(`are the same in PostgreSQL and in the simulation's store after the same operations (seed ${seed})`, async () => {
    let commands = 0;
    const often = [
      publish,
      publish,
      claim,
      claim,
      claim,
      recordResults,
      recordResults,
      recordResults,
    ];
    const others = [
      pass,
      pass,
      promote,
      promote,
      ofClaims,
      replay,
      ofEndpoints,
      seldom,
      die,
      standStill,
    ];
    const arbitrary = fc.commands([...often, ...others], { maxCommands: 60, size: 'max' });
    const property = fc.asyncProperty(arbitrary, async (sequence) => {
      await pair.reset();
      await fc.asyncModelRun(() => ({ model: {}, real: pair }), sequence);
      commands += [...sequence].length;
    });
    await fc.assert(property, {
      numRuns: runs,
      plugins: [fc.interruptAfterTimeLimit(limitMs, { failOnInterrupt: false })],
      seed,
    });
    process.stdout.write(`      commands=${commands} seed=${seed}\n`);
    expect(commands).to.be.greaterThan(leastCommands);
  });
});
