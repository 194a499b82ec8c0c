// `npm run demo`: shows the features of the service in one terminal, on a temporary service. Each step calls it as its
// users do: shops by REST, the platform by the internal GraphQL, buyers on hosted pages, receivers over HTTPS.
// docs/tour.md shows the output, and a test compares the two.
import { type ReceivedDelivery, type Receiver, startReceiver } from '../receiver/receiver.js';
import {
  callGraphql,
  callRest,
  type DeliveryRecord,
  GraphqlError,
  openPage,
  payOnPage,
  readMailFile,
  waitFor,
} from './client.js';
import type { DemoService } from './service.js';

/** The service, credentials and state of one run of the demo. */
export interface DemoContext {
  readonly service: DemoService;
  readonly account: string;
  readonly key: string;
  readonly internalToken: string;
  /** Prints one line; characters that would control the terminal become escapes. */
  readonly print: (line: string) => void;
  readonly received: ReceivedDelivery[];
  /** Lines about the responses of the receivers, printed once all deliveries have arrived. */
  readonly deliveryLines: string[];
  /** The running receivers; the main file closes them. */
  readonly receivers: Receiver[];
}

/**
 * Shows the features of the service, step by step.
 * @throws Error if a step fails or a signature is wrong
 */
export async function runWalkthrough(demo: DemoContext): Promise<void> {
  const { service, key, received, print } = demo;
  let failures = 0;
  const step = (title: string) => {
    print('');
    print(title);
  };

  step('1. The shop registers an endpoint.');

  await listen(demo, ['cart.order.completed', 'payment.refund.created', 'offer.accepted'], () => {
    const status = failures > 0 ? 503 : 200;
    failures -= 1;
    return status;
  });

  step('2. A buyer pays on the hosted checkout page; the signed event arrives.');
  await payCheckout(demo, 'first');
  await waitForDeliveries(demo, 1);

  step('3. The receiver fails twice and recovers; the worker retries.');
  failures = 2;
  await payCheckout(demo, 'second');
  await waitForDeliveries(demo, 4);

  const records = await waitFor('three records', async () => {
    const listed = await deliveriesOf(demo, received.at(-1)?.eventId ?? '');
    return listed.length === 3 ? listed : undefined;
  });
  for (const { id, attempt, status, response_status } of records.toReversed()) {
    print(`   ${id}  attempt ${attempt}  ${status}  (${response_status ?? '-'})`);
  }

  await showEvidence(demo, records.at(-1)?.id ?? '');

  step('4. The shop replays the first failed delivery.');

  const failed = records.at(-1)?.id ?? '';
  const { data: replayed } = await callRest<{ data: DeliveryRecord }>(
    `${service.restUrl}/v1/webhooks/deliveries/${failed}/replay`,
    key,
    'POST',
  );

  await waitForDeliveries(demo, 5);
  print(
    `   ${replayed.id}  attempt ${replayed.attempt}  ${replayed.status}, replayed from ${failed}`,
  );

  step('5. The shop refunds part of the payment; the service issues a credit note.');
  await refundLatest(demo);
  await waitForDeliveries(demo, 6);

  const { data: documents } = await list(demo, 'invoices');
  for (const { number = '', type = '' } of documents) print(`   ${number}  ${type}`);

  step('6. The shop sends an offer by mail; the recipient accepts it by paying.');
  await makeOffer(demo);
  await waitForDeliveries(demo, 8);

  step('7. The ledger of the shop.');

  for (const name of ['orders', 'payments', 'refunds', 'invoices']) {
    const { pagination } = await list(demo, name);
    print(`   ${name}: ${pagination.total_count}`);
  }

  step('8. Another endpoint responds 410 Gone: the service disables it and mails its owner.');
  await listen(demo, ['invoice.issued'], () => 410);
  await payCheckout(demo, 'third');
  await waitForDeliveries(demo, 10);
  await showMail(demo, 'Webhook endpoint disabled');

  step('9. An operator registers an event type; the service refuses data that breaks its schema.');

  const endpoint = await registerEventType(demo, 11);

  step('10. The endpoint is off while an event happens; a recovery sends what it missed.');
  await recoverMissed(demo, endpoint);

  if (received.some(({ verification }) => !verification.verified)) {
    throw new Error('A delivery has a wrong signature: see the lines with NOT VERIFIED.');
  }

  step(`Done: ${received.length} deliveries arrived, and every signature is verified.`);
}

const createCheckout = `mutation ($input: CreateCheckoutInput!) {
  createCheckout(input: $input) { id checkoutUrl } }`;

/** Starts a receiver and registers it as an endpoint. @returns the id of the endpoint */
async function listen(
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
async function payCheckout(demo: DemoContext, name: string): Promise<void> {
  const { service, account, internalToken, print } = demo;
  const { createCheckout: checkout } = await callGraphql<{
    createCheckout: { id: string; checkoutUrl: string };
  }>(service.internalUrl, internalToken, createCheckout, {
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
async function pay(
  { print }: DemoContext,
  url: string,
  form: Record<string, string>,
): Promise<string> {
  const { button } = await openPage(url);
  print(`   ${url}: “${button ?? ''}”`);
  return payOnPage(url, form);
}

/** Refunds 10.00 of the newest payment. */
async function refundLatest(demo: DemoContext): Promise<void> {
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

/** The fields of a page of a commerce list that the demo reads. */
interface ListPage {
  readonly data: readonly {
    readonly id: string;
    readonly number?: string;
    readonly type?: string;
  }[];
  readonly pagination: { readonly total_count: number };
}

/** Returns the first page of a commerce list. */
function list({ service: { restUrl }, key }: DemoContext, name: string): Promise<ListPage> {
  return callRest(`${restUrl}/v1/commerce/${name}`, key, 'GET');
}

/** Waits until `count` deliveries have arrived in total, and prints those not printed before. */
async function waitForDeliveries(
  { received, deliveryLines, print }: DemoContext,
  count: number,
): Promise<void> {
  await waitFor(`${count} deliveries`, () => (received.length >= count ? count : undefined));
  // Sorted, because deliveries overtake each other.
  for (const line of deliveryLines.splice(0).sort()) print(line);
}

/** Returns the deliveries of an event, newest first. */
async function deliveriesOf(
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

/** Drafts an offer, sends it, and follows the link in the mail as its recipient. */
async function makeOffer(demo: DemoContext): Promise<void> {
  const { service, key, print } = demo;
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

  const text = await showMail(demo, 'Offer from');
  const [address = ''] = /http\S+\/offer\/\S+/.exec(text) ?? [];
  const checkout = await pay(demo, address, {});
  await pay(demo, checkout, { buyer_name: 'Grace', method: 'sandbox' });

  const { statusText } = await openPage(address);
  print(`   ${address}: “${statusText ?? ''}”`);
}

/** Waits for the mail whose subject begins with `subject` and shows it. @returns its text */
async function showMail({ service, print }: DemoContext, subject: string): Promise<string> {
  const mail = await waitFor('the mail', () => readMailFile(service.dataDir, subject));
  print(`   ${mail.file}`);
  for (const line of mail.lines) print(`   | ${line}`.trimEnd());
  return mail.text;
}

const ownType = 'shop.order.shipped';

const evidenceQuery = `query ($account: ID, $id: ID!) {
  webhookDelivery(account: $account, id: $id) {
    evidence { url failure timings { firstByteMs } responseHeaders { name } } } }`;

/** Shows the evidence of a failed attempt. */
async function showEvidence(demo: DemoContext, delivery: string): Promise<void> {
  const { webhookDelivery } = await ask<{
    webhookDelivery: {
      evidence: { url: string; failure: string; responseHeaders: readonly { name: string }[] };
    };
  }>(demo, evidenceQuery, { id: delivery });
  const { url, failure, responseHeaders } = webhookDelivery.evidence;
  const names = responseHeaders.map(({ name }) => name).join(', ');
  demo.print(`   ${delivery}: “${failure}” ${url} sent the headers ${names}.`);
}

const putEventType = `mutation ($input: PutEventTypeInput!) { putEventType(input: $input) { id } }`;
const publishEvent = `mutation ($input: PublishEventInput!) { publishEvent(input: $input) { id } }`;

/** Registers an event type with a schema, and publishes data that breaks the schema and data that fits. */
async function registerEventType(demo: DemoContext, expected: number): Promise<string> {
  const schema = {
    type: 'object',
    properties: { parcel: { type: 'string' } },
    required: ['parcel'],
  };

  const input = {
    id: ownType,
    category: 'shop',
    summary: 'Order shipped',
    description: 'An order left the shop.',
    offered: true,
    validation: 'enforce',
    versions: [{ version: 'v1', schema, example: { parcel: 'p-1' } }],
  };

  await ask(demo, putEventType, { input });

  const endpoint = await listen(demo, [ownType], () => 200);
  const refused = await publish(demo, { parcel: 1 }).catch((error: unknown) => error);
  const { param, detail } = issueOf(refused);
  demo.print(`   ${ownType} with {"parcel":1} is refused: ${param}: ${detail}`);
  await publish(demo, { parcel: 'p-1' });
  await waitForDeliveries(demo, expected);

  return endpoint;
}

const preview = `query ($account: ID, $input: RecoveryRangeInput!) {
  previewRecovery(account: $account, input: $input) { failed missed } }`;
const start = `mutation ($account: ID, $input: StartRecoveryInput!) {
  startRecovery(account: $account, input: $input) { id status } }`;

/** Deactivates an endpoint, publishes an event, and starts a recovery of what the endpoint missed. */
async function recoverMissed(demo: DemoContext, endpoint: string): Promise<void> {
  const { service, key, print } = demo;
  const url = `${service.restUrl}/v1/webhooks/endpoints/${endpoint}`;
  await callRest(url, key, 'PATCH', { active: false });
  await publish(demo, { parcel: 'p-2' });
  await callRest(url, key, 'PATCH', { active: true });

  const input = { endpoint, what: 'both' };
  const counts = await waitFor('the missed event', async () => {
    const { previewRecovery } = await ask<{ previewRecovery: { failed: number; missed: number } }>(
      demo,
      preview,
      { input },
    );
    return previewRecovery.missed > 0 ? previewRecovery : undefined;
  });

  print(`   ${endpoint}: ${counts.missed} missed, ${counts.failed} failed`);

  const { startRecovery } = await ask<{ startRecovery: { id: string; status: string } }>(
    demo,
    start,
    { input: { ...input, idempotencyKey: 'demo' } },
  );

  print(
    `   ${startRecovery.id} is ${startRecovery.status}: it sends events once they are a minute old`,
  );
}

function publish(demo: DemoContext, data: object): Promise<unknown> {
  const { account } = demo;
  const input = { account, type: ownType, subject: 'order:demo', data };
  return callGraphql(demo.service.internalUrl, demo.internalToken, publishEvent, { input });
}

function ask<Data>(demo: DemoContext, query: string, variables: object): Promise<Data> {
  const { service, internalToken, account } = demo;
  return callGraphql(service.internalUrl, internalToken, query, { account, ...variables });
}

/** Returns the first issue of a refused call. */
function issueOf(refused: unknown): { readonly param: string; readonly detail: string } {
  if (!(refused instanceof GraphqlError)) throw new Error('The event was not refused.');
  const [issue] = refused.issues;
  if (!issue) throw refused;
  return issue;
}
