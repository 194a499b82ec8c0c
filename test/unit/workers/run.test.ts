import { expect } from 'chai';
import type { Deliveries } from '../../../workers/deliver.js';
import type { Expiry } from '../../../workers/expiry.js';
import { handlersOf, kindsOf } from '../../../workers/run.js';
import type { Sweep } from '../../../workers/sweep.js';

const deliveries = { live: undefined, replay: undefined } as unknown as Deliveries;
const sweep = { promote: () => Promise.resolve() } as unknown as Sweep;

describe('what a wake-up makes a worker do', () => {
  it('looks for expired checkouts when it is woken for them', async () => {
    let looks = 0;
    const expiry = { look: () => Promise.resolve((looks += 1)) } as unknown as Expiry;
    const handlers = handlersOf(deliveries, sweep, expiry, undefined);
    await handlers.expire?.(true);
    expect(looks).to.equal(1);
    expect(kindsOf(['deliver', 'expire'], handlers)).to.deep.equal(['due', 'expire']);
  });

  it('is nothing where the worker has not the role: the queue keeps it for others', () => {
    const handlers = handlersOf(deliveries, sweep, undefined, undefined);
    expect(kindsOf(['deliver', 'notify', 'expire'], handlers)).to.deep.equal(['due']);
  });
});
