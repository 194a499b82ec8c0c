import { expect } from 'chai';
import { ReplayWaiters } from '../../../../src/domain/delivery/replay-waiters.js';
import type { DomainError } from '../../../../src/domain/errors.js';

describe('replay waiters', () => {
  const results = new Map<string, string>();
  const looks: string[][] = [];
  const failures: unknown[] = [];
  let broken = false;
  const make = (limitMs: number) =>
    new ReplayWaiters<string>({
      limitMs,
      findEnded: (pendingDeliveryIds) => {
        looks.push([...pendingDeliveryIds]);
        if (broken) return Promise.reject(new Error('away'));
        return Promise.resolve(
          new Map([...results].filter(([id]) => pendingDeliveryIds.includes(id))),
        );
      },
      onError: (error) => failures.push(error),
    });

  beforeEach(() => {
    results.clear();
    looks.length = 0;
    failures.length = 0;
    broken = false;
  });

  it('answers a caller whose result was recorded before it began to wait', async () => {
    results.set('pdl_1', 'done');
    expect(await make(1_000).wait('pdl_1')).to.equal('done');
  });

  it('answers on a signal, and queries for all callers in one statement', async () => {
    const waiters = make(1_000);
    const both = Promise.all([waiters.wait('pdl_1'), waiters.wait('pdl_2')]);
    results.set('pdl_1', 'one').set('pdl_2', 'two');
    waiters.signal();
    expect(await both).to.deep.equal(['one', 'two']);
    expect(looks.at(-1)).to.deep.equal(['pdl_1', 'pdl_2']);
  });

  it('H76: finds results without a signal when the notification was lost', async () => {
    const waiters = make(5_000);
    const waiting = waiters.wait('pdl_1');
    setImmediate(() => results.set('pdl_1', 'late'));
    expect(await waiting).to.equal('late');
  });

  it('keeps waiting when a query fails', async () => {
    broken = true;
    const waiters = make(5_000);
    const waiting = waiters.wait('pdl_1');
    setImmediate(() => {
      broken = false;
      results.set('pdl_1', 'done');
      waiters.signal();
    });
    expect(await waiting).to.equal('done');
    expect(failures).to.have.length(1);
  });

  it('rejects all callers when the process stops, and later callers at once', async () => {
    const waiters = make(10_000);
    const code = (waiting: Promise<string>) =>
      waiting.catch((reason: unknown) => (reason as DomainError).code);
    const early = code(waiters.wait('pdl_1'));
    waiters.close();
    expect(await early).to.equal('replay_unsettled');
    expect(await code(waiters.wait('pdl_2'))).to.equal('replay_unsettled');
  });

  it('H76: gives up at the limit after one last query, and asks the caller to retry', async () => {
    const waiters = make(20);
    const error = await waiters.wait('pdl_1').catch((reason: unknown) => reason as DomainError);
    expect(error).to.include({ code: 'replay_unsettled', retryAfterSeconds: 5 });
    expect(looks.length).to.be.greaterThan(1);
  });
});
