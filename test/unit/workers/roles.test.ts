import { expect } from 'chai';
import type { DeliveryWorker } from '../../../workers/delivery/worker.js';
import type { CheckoutExpiry } from '../../../workers/checkout-expiry.js';
import { wakeupHandlers, wakeupKinds } from '../../../workers/roles.js';
import type { Poller } from '../../../workers/delivery/poller.js';

const deliveryWorker = { live: undefined, replay: undefined } as unknown as DeliveryWorker;
const poller = { promote: () => Promise.resolve() } as unknown as Poller;

describe('what a wake-up makes a worker do', () => {
  it('looks for expired checkouts at a wake-up for them', async () => {
    let polls = 0;
    const expiry = { poll: () => Promise.resolve((polls += 1)) } as unknown as CheckoutExpiry;
    const handlers = wakeupHandlers(deliveryWorker, poller, expiry, undefined);
    await handlers.expire?.(true);
    expect(polls).to.equal(1);
    expect(wakeupKinds(['deliver', 'expire'], handlers)).to.deep.equal(['due', 'expire']);
  });

  it('does not listen to wake-ups without the role, so the queue keeps them for other workers', () => {
    const handlers = wakeupHandlers(deliveryWorker, poller, undefined, undefined);
    expect(wakeupKinds(['deliver', 'notify', 'expire'], handlers)).to.deep.equal(['due']);
  });
});
