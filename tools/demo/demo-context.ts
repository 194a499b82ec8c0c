import { type ReceivedDelivery, type Receiver, startReceiver } from '../receiver/receiver.js';
import {
  callGraphql,
  callRest,
  type DeliveryRecord,
  openPage,
  payOnPage,
  waitFor,
} from './demo-client.js';
import type { DemoService } from './demo-service.js';

/** The service, credentials and state of one run of the demo. */
export interface DemoContext {
  readonly service: DemoService;
  readonly account: string;
  readonly key: string;
  readonly internal: string;
  /** Prints one line; characters that would control the terminal become escapes. */
  readonly print: (line: string) => void;
  readonly received: ReceivedDelivery[];
  /** Lines about the responses of the receivers, printed once all deliveries have arrived. */
  readonly deliveryLines: string[];
  /** The running receivers; the main file closes them. */
  readonly receivers: Receiver[];
}

/** The fields of a page of a commerce list that the demo reads. */
export interface ListPage {
  readonly data: readonly {
    readonly id: string;
    readonly number?: string;
    readonly type?: string;
  }[];
  readonly pagination: { readonly total_count: number };
}

const createCheckout = `mutation ($input: CreateCheckoutInput!) {
  createCheckout(input: $input) { id checkoutUrl } }`;

/** Starts a receiver and registers it as an endpoint. @returns the id of the endpoint */
export async function listen(
  { service: { restUrl, dataDir }, key, print, received, deliveryLines, receivers }: DemoContext,
  eventTypes: readonly string[],
  answer: () => number,
): Promise<string> {
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
      deliveryLines.push(`   receiver: ${eventType}, attempt ${attempt}, ${verdict} → ${status}`);
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
  print(`   ${endpoint.id} → ${receiver.url}`);

  return endpoint.id;
}

/** Opens a checkout and lets a buyer pay on its page. */
export async function payCheckout(demo: DemoContext, name: string): Promise<void> {
  const { service, account, internal, print } = demo;
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
  print(`   the buyer is redirected to ${await pay(demo, checkout.checkoutUrl, buyer)}`);
}

/** Pays on the page at `url`. @returns the URL of the redirect */
export async function pay(
  { print }: DemoContext,
  url: string,
  form: Record<string, string>,
): Promise<string> {
  const { button } = await openPage(url);
  print(`   ${url}: “${button ?? ''}”`);
  return payOnPage(url, form);
}

/** Refunds 10.00 of the newest payment. */
export async function refundLatest(demo: DemoContext): Promise<void> {
  const { service, key, print } = demo;
  const { data: payments } = await list(demo, 'payments');
  const { data: refund } = await callRest<{ data: { id: string; amount_minor_units: number } }>(
    `${service.restUrl}/v1/commerce/payments/${payments[0]?.id ?? ''}/refunds`,
    key,
    'POST',
    { amount_minor_units: 1_000, reason: 'requested_by_customer' },
  );
  print(`   ${refund.id} refunds ${refund.amount_minor_units} of ${payments[0]?.id ?? ''}`);
}

/** Returns the first page of a commerce list. */
export function list({ service: { restUrl }, key }: DemoContext, name: string): Promise<ListPage> {
  return callRest(`${restUrl}/v1/commerce/${name}`, key, 'GET');
}

/** Waits until `count` deliveries have arrived in total, and prints those not printed before. */
export async function waitForDeliveries(
  { received, deliveryLines, print }: DemoContext,
  count: number,
): Promise<void> {
  await waitFor(`${count} deliveries`, () => (received.length >= count ? count : undefined));
  // Sorted, because deliveries overtake each other.
  for (const line of deliveryLines.splice(0).sort()) print(line);
}

/** The deliveries of an event, newest first. */
export async function deliveriesOf(
  { service: { restUrl }, key }: DemoContext,
  eventId: string,
): Promise<DeliveryRecord[]> {
  const { data } = await callRest<{ data: DeliveryRecord[] }>(
    `${restUrl}/v1/webhooks/deliveries`,
    key,
    'GET',
  );
  return data.filter((record) => record.event_id === eventId);
}
