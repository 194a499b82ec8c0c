import { authenticate, type Viewer } from '../../../src/domain/account/credentials.js';
import { createCheckout } from '../../../src/domain/checkout/checkouts.js';
import { payHostedCheckout, visitCheckout } from '../../../src/domain/hosted/hosted-checkout.js';
import { recordPayment } from '../../../src/domain/payment/record-payment.js';
import {
  getDelivery,
  listDeliveries,
  nextAttempts,
} from '../../../src/domain/delivery/deliveries.js';
import { evidenceOfDeliveries } from '../../../src/domain/delivery/evidence/evidence-of-deliveries.js';
import { endpointsById } from '../../../src/domain/endpoint/endpoints.js';
import { prepareEvent } from '../../../src/domain/event/prepare-event.js';
import { publishEvent } from '../../../src/domain/event/publish.js';
import { storeEvents } from '../../../src/domain/event/store-events.js';
import {
  completePending,
  readKeyState,
  recordResponse,
  recordPending,
} from '../../../src/domain/idempotency/idempotency-records.js';
import { getHostedOffer, openOfferCheckout } from '../../../src/domain/hosted/hosted-offer.js';
import { createOffer } from '../../../src/domain/offer/offers.js';
import { sendOffer } from '../../../src/domain/offer/send-offer.js';
import { publisherOf } from '../../support/publisher.js';
import { checkoutInput, event, offerInput, type Fixture } from './fixture.js';

/** Whose operations are run, on which of its things. */
export interface Shop {
  readonly account: string;
  readonly viewer: Viewer;
  readonly token: string;
}

/** What an API process often does besides operations. */
export const otherOperations: Readonly<
  Record<string, (fixture: Fixture, shop: Shop) => Promise<unknown>>
> = {
  'a credential is looked up': ({ database }, { token }) => authenticate(database.read, token),
  'a response is stored and found again': ({ database }, { account }) =>
    database.transact(async (tx) => {
      const claim = { account, key: `key of ${account}`, fingerprint: Buffer.from('print') };
      await readKeyState(tx, account, claim.key);
      recordResponse(tx, claim, { status: 201, body: { data: {} } });
      await readKeyState(tx, account, claim.key);
    }),
  'a key waits for its replay': ({ database }, { account }) =>
    database.transact(async (tx) => {
      const claim = { account, key: `replay of ${account}`, fingerprint: Buffer.from('print') };
      await recordPending(tx, claim, 'pdl_1');
      await completePending(tx, account, claim.key, 'pdl_1', { status: 200, body: {} });
    }),
  'an event is published under a key, and again': async ({ database }, { account }) => {
    const input = { ...event, key: 'once' };
    await database.transact((tx) => publishEvent(tx, account, input));
    await database.transact((tx) => publishEvent(tx, account, input));
  },
  'an event is published by itself, with a key and without': async ({ database }, { account }) => {
    const publisher = publisherOf(database);
    for (const key of ['alone', undefined]) {
      await publisher.publish([{ ...event, accountId: account, key }]);
    }
  },
  '1,000 events are published at once, with keys and without': async (
    { database: { read } },
    { account },
  ) => {
    for (const key of [(place: number) => `group ${place}`, () => undefined]) {
      const events = Array.from({ length: 1_000 }, (_, place) =>
        prepareEvent({ occurredAt: new Date(), baseUrl: '' }, account, {
          ...event,
          key: key(place),
        }),
      );
      await storeEvents(read, events);
    }
  },
  'a delivery is looked up, with its endpoint, its next attempt and its evidence': async (
    { database: { read } },
    { account },
  ) => {
    const { deliveries } = await listDeliveries(read, account, { limit: 20 });
    for (const { id } of deliveries) await getDelivery(read, account, id);
    await nextAttempts(read, deliveries);
    await evidenceOfDeliveries(read, deliveries);
    await endpointsById(
      read,
      deliveries.map(({ endpointId }) => endpointId),
    );
  },
  'an offer is opened, and the checkout that accepts it': async ({ database }, { account }) => {
    const { read, transact } = database;
    const { id } = await transact(async (tx) => {
      const offer = await createOffer(tx, account, offerInput);
      return sendOffer(tx, account, offer.id);
    });
    await getHostedOffer(read, id);
    const address = await transact((tx) => openOfferCheckout(tx, id));
    await transact((tx) => openOfferCheckout(tx, id));
    const [checkout = ''] = address.split('/').slice(-1);
    await visitCheckout(read, checkout, { affiliate: null, framed: false });
    const buyer = { email: 'buyer@example.com', name: 'Buyer' };
    await transact((tx) => payHostedCheckout(tx, checkout, buyer));
  },
  'a checkout is made and paid': ({ database }, { account }) =>
    database.transact(async (tx) => {
      const { id } = await createCheckout(tx, account, checkoutInput);
      await recordPayment(tx, account, { checkout: id, key: 'paid' });
    }),
};
