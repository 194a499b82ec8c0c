import { openPage } from './buyer.js';
import { callRest, type DeliveryRecord, waitFor } from './demo-client.js';
import { readLetter } from './letter.js';
import {
  arrivals,
  deliveriesOf,
  list,
  listen,
  pay,
  payCheckout,
  refundNewest,
  type Scene,
} from './scene.js';

/**
 * Tells the whole story of a service, step by step.
 * @throws Error when it does not go as it is told, or a signature was not right
 */
export async function tellStory(scene: Scene): Promise<void> {
  const { service, key, received, say } = scene;
  let failures = 0;

  say('\n1. The shop registers an endpoint.');
  await listen(scene, ['cart.order.completed', 'payment.refund.created', 'offer.accepted'], () => {
    const status = failures > 0 ? 503 : 200;
    failures -= 1;
    return status;
  });

  say('\n2. A buyer pays on the page of a checkout; the signed event arrives.');
  await payCheckout(scene, 'first');
  await arrivals(scene, 1);

  say('\n3. The receiver fails twice and recovers; the retries are automatic.');
  failures = 2;
  await payCheckout(scene, 'second');
  await arrivals(scene, 4);
  const records = await waitFor('three records', async () => {
    const listed = await deliveriesOf(scene, received.at(-1)?.eventId ?? '');
    return listed.length === 3 ? listed : undefined;
  });
  for (const { id, attempt, status, response_status } of records.toReversed()) {
    say(`   ${id}  attempt ${attempt}  ${status}  (${response_status ?? '-'})`);
  }

  say('\n4. The shop replays the first failed delivery.');
  const failed = records.at(-1)?.id ?? '';
  const { data: replayed } = await callRest<{ data: DeliveryRecord }>(
    `${service.restUrl}/v1/webhooks/deliveries/${failed}/replay`,
    key,
    'POST',
  );
  await arrivals(scene, 5);
  say(
    `   ${replayed.id}  attempt ${replayed.attempt}  ${replayed.status}, replayed from ${failed}`,
  );

  say('\n5. The shop refunds a part of the payment; a credit note is issued.');
  await refundNewest(scene);
  await arrivals(scene, 6);
  const { data: documents } = await list(scene, 'invoices');
  for (const { number = '', type = '' } of documents) say(`   ${number}  ${type}`);

  say('\n6. The shop makes an offer by mail; its recipient accepts it by paying.');
  await makeOffer(scene);
  await arrivals(scene, 8);

  say('\n7. The ledger of the shop.');
  for (const name of ['orders', 'payments', 'refunds', 'invoices']) {
    const { pagination } = await list(scene, name);
    say(`   ${name}: ${pagination.total_count}`);
  }

  say('\n8. Another endpoint answers 410 Gone: it is disabled, and its owner gets a mail.');
  await listen(scene, ['invoice.issued'], () => 410);
  await payCheckout(scene, 'third');
  await arrivals(scene, 10);
  await showLetter(scene, 'Webhook endpoint disabled');

  if (received.some(({ verification }) => !verification.verified)) {
    throw new Error('a delivery was not verified');
  }
  say(`\nDone: ${received.length} deliveries arrived, every signature was verified.`);
}

/** Drafts an offer, sends it, and lets its recipient follow the address in the mail. */
async function makeOffer(scene: Scene): Promise<void> {
  const { service, key, say } = scene;
  const offers = `${service.restUrl}/v1/commerce/offers`;
  const { data: offer } = await callRest<{ data: { id: string; offer_url: string } }>(
    offers,
    key,
    'POST',
    {
      recipient_email: 'grace@example.com',
      title: 'A course for four',
      currency: 'EUR',
      line_items: [{ name: 'Barista course', quantity: 4, unit_amount_minor_units: 11_900 }],
    },
  );
  await callRest(`${offers}/${offer.id}/send`, key, 'POST');
  const text = await showLetter(scene, 'Offer from');
  const [address = ''] = /http\S+\/offer\/\S+/.exec(text) ?? [];
  const checkout = await pay(scene, address, {});
  await pay(scene, checkout, { buyer_name: 'Grace', method: 'sandbox' });
  const { news } = await openPage(address);
  say(`   ${address}: “${news ?? ''}”`);
}

/** Waits for the mail whose subject begins so, and shows it. @returns its text */
async function showLetter({ service, say }: Scene, subject: string): Promise<string> {
  const letter = await waitFor('the mail', () => readLetter(service.dataDir, subject));
  say(`   ${letter.file}`);
  for (const line of letter.lines) say(`   | ${line}`.trimEnd());
  return letter.text;
}
