import type { DemoService } from './demo-service.js';
import type { ReceivedDelivery, Receiver } from '../receiver/receiver.js';
import { startReceiver } from '../receiver/receiver.js';
import { openPage, payOnPage } from './buyer.js';
import { callGraphql, callRest, type DeliveryRecord, waitFor } from './demo-client.js';

/** What the demo plays with. */
export interface Scene {
  readonly service: DemoService;
  readonly account: string;
  readonly key: string;
  readonly internal: string;
  readonly say: (line: string) => void;
  readonly received: ReceivedDelivery[];
  /** What the receivers answered, to be told once everything has arrived. */
  readonly heard: string[];
  /** Those that listen; the scene's owner closes them. */
  readonly receivers: Receiver[];
}

/** A page of a commerce list, as far as the demo reads it. */
export interface Listed {
  readonly data: readonly {
    readonly id: string;
    readonly number?: string;
    readonly type?: string;
  }[];
  readonly pagination: { readonly total_count: number };
}

const createCheckout = `mutation ($input: CreateCheckoutInput!) {
  createCheckout(input: $input) { id checkoutUrl } }`;

/** Registers a receiver of its own as an endpoint. */
export async function listen(
  { service: { restUrl, dataDir }, key, say, received, heard, receivers }: Scene,
  eventTypes: readonly string[],
  answer: () => number,
): Promise<void> {
  const secrets: string[] = [];
  const receiver = await startReceiver({
    dataDir,
    port: 0,
    secrets,
    answer: (delivery) => {
      received.push(delivery);
      const status = answer();
      const verdict = delivery.verification.verified ? 'signature verified' : 'NOT VERIFIED';
      const { eventType, attempt } = delivery;
      heard.push(`   receiver: ${eventType}, attempt ${attempt}, ${verdict} → ${status}`);
      return status;
    },
  });
  receivers.push(receiver);
  const { data: endpoint } = await callRest<{ data: { id: string; signing_secret: string } }>(
    `${restUrl}/v1/webhooks/endpoints`,
    key,
    'POST',
    { url: receiver.url, event_types: eventTypes, notification_email: 'ops@shop.example' },
  );
  secrets.push(endpoint.signing_secret);
  say(`   ${endpoint.id} → ${receiver.url}`);
}

/** Opens a checkout and lets a buyer pay on its page. */
export async function payCheckout(scene: Scene, name: string): Promise<void> {
  const { service, account, internal, say } = scene;
  const { createCheckout: checkout } = await callGraphql<{
    createCheckout: { id: string; checkoutUrl: string };
  }>(service.internalUrl, internal, createCheckout, {
    input: {
      account,
      successUrl: 'https://shop.example/thanks',
      currency: 'EUR',
      lineItems: [{ name: 'Coffee', quantity: 2, unitAmountMinorUnits: 1_450 }],
      metadata: { cart: name },
    },
  });
  const buyer = { buyer_email: 'buyer@example.com', buyer_name: 'Ada', method: 'sandbox' };
  say(`   the buyer goes to ${await pay(scene, checkout.checkoutUrl, buyer)}`);
}

/** Pays on the page behind an address. @returns where the buyer is led */
export async function pay(
  { say }: Scene,
  url: string,
  form: Record<string, string>,
): Promise<string> {
  const { button } = await openPage(url);
  say(`   ${url}: “${button ?? ''}”`);
  return payOnPage(url, form);
}

/** Gives 10.00 of the newest payment back. */
export async function refundNewest(scene: Scene): Promise<void> {
  const { service, key, say } = scene;
  const { data: payments } = await list(scene, 'payments');
  const { data: refund } = await callRest<{ data: { id: string; amount_minor_units: number } }>(
    `${service.restUrl}/v1/commerce/payments/${payments[0]?.id ?? ''}/refunds`,
    key,
    'POST',
    { amount_minor_units: 1_000, reason: 'requested_by_customer' },
  );
  say(`   ${refund.id} refunds ${refund.amount_minor_units} of ${payments[0]?.id ?? ''}`);
}

/** The first page of a commerce list. */
export function list({ service: { restUrl }, key }: Scene, name: string): Promise<Listed> {
  return callRest(`${restUrl}/v1/commerce/${name}`, key, 'GET');
}

/** Waits for that many deliveries in all, and tells of those that were not told of. */
export async function arrivals({ received, heard, say }: Scene, count: number): Promise<void> {
  await waitFor(`${count} deliveries`, () => (received.length >= count ? count : undefined));
  // Sorted, because deliveries overtake each other.
  for (const line of heard.splice(0).sort()) say(line);
}

/** The records of an event, the latest first. */
export async function deliveriesOf(
  { service: { restUrl }, key }: Scene,
  eventId: string,
): Promise<DeliveryRecord[]> {
  const { data } = await callRest<{ data: DeliveryRecord[] }>(
    `${restUrl}/v1/webhooks/deliveries`,
    key,
    'GET',
  );
  return data.filter((record) => record.event_id === eventId);
}
