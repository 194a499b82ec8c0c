import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownEnvironment } from '../config.js';
import { openCheckoutPage, payOnPage } from '../demo/buyer.js';
import { callGraphql, callRest, type DeliveryRecord, waitFor } from '../demo/demo-client.js';
import { outsideOf } from '../launcher/database-path.js';
import { type DemoService, startDemoService } from '../demo/demo-service.js';
import { type ReceivedDelivery, type Receiver, startReceiver } from '../receiver/receiver.js';

// npm run demo: the whole story in one terminal, on a service of its own that is gone afterwards.

const createCheckout = `mutation ($input: CreateCheckoutInput!) {
  createCheckout(input: $input) { id checkoutUrl } }`;

interface Scene {
  readonly service: DemoService;
  readonly account: string;
  readonly key: string;
  readonly internal: string;
  readonly received: ReceivedDelivery[];
  /** What the receiver answered, to be told once everything has arrived. */
  readonly heard: string[];
}

interface Listed {
  readonly data: readonly {
    readonly id: string;
    readonly number?: string;
    readonly type?: string;
  }[];
  readonly pagination: { readonly total_count: number };
}

const say = (line: string) => process.stdout.write(`${line}\n`);
const dataDir = mkdtempSync(join(tmpdir(), 'signalpost-demo-'));
// As root PostgreSQL runs as another user, who has to come through here.
chmodSync(dataDir, 0o711);
const folders = [dataDir, outsideOf(dataDir)];
let failures = 0;

say('Starting PostgreSQL, the API and a worker …');
const service = await startDemoService(dataDir, ownEnvironment);
const receivers: Receiver[] = [];
try {
  await tell();
} finally {
  for (const receiver of receivers) await receiver.close();
  await service.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

async function tell(): Promise<void> {
  const { id: account = '' } = service.admin('accounts', 'create', '--name', 'Demo shop');
  const tokenOf = (kind: string) =>
    service.admin(
      ...['credentials', 'create', '--account', account, '--kind', kind, '--role', 'owner'],
    )['token'] ?? '';
  const [key, internal] = [tokenOf('live'), tokenOf('internal')] as const;
  const received: ReceivedDelivery[] = [];
  const heard: string[] = [];
  const scene: Scene = { service, account, key, internal, received, heard };

  say('\n1. The shop registers an endpoint.');
  const types = ['cart.order.completed', 'payment.refund.created'];
  await listen(scene, types, () => {
    const status = failures > 0 ? 503 : 200;
    failures -= 1;
    return status;
  });

  say('\n2. A buyer pays on the page of a checkout; the signed event arrives.');
  await payCheckout(scene, 'first');
  await arrivals(scene, 1);

  say('\n3. The receiver fails twice and recovers; nobody has to do anything.');
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

  say('\n4. The shop asks for the first failed delivery once more.');
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

  say('\n5. The shop gives a part of the money back; a credit note is issued.');
  await refundNewest(scene);
  await arrivals(scene, 6);
  const { data: documents } = await list(scene, 'invoices');
  for (const { number = '', type = '' } of documents) say(`   ${number}  ${type}`);

  say('\n6. What the books hold.');
  for (const name of ['orders', 'payments', 'refunds', 'invoices']) {
    const { pagination } = await list(scene, name);
    say(`   ${name}: ${pagination.total_count}`);
  }

  say('\n7. Another endpoint is gone for good: it is disabled, and its owner gets a mail.');
  await listen(scene, ['invoice.issued'], () => 410);
  await payCheckout(scene, 'third');
  await arrivals(scene, 8);
  const mail = await waitFor('the mail', () => readMail(service.dataDir));
  say(`   ${mail.file}`);
  for (const line of mail.lines) say(`   | ${line}`.trimEnd());

  if (received.some(({ verification }) => !verification.verified)) {
    throw new Error('a delivery was not verified');
  }
  say(`\nDone: ${received.length} deliveries arrived, every signature was verified.`);
}

/** Registers a receiver of its own as an endpoint. */
async function listen(
  { service: { restUrl }, key, received, heard }: Scene,
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

async function payCheckout(
  { service: { internalUrl }, account, internal }: Scene,
  name: string,
): Promise<void> {
  const { createCheckout: checkout } = await callGraphql<{
    createCheckout: { id: string; checkoutUrl: string };
  }>(internalUrl, internal, createCheckout, {
    input: {
      account,
      successUrl: 'https://shop.example/thanks',
      currency: 'EUR',
      lineItems: [{ name: 'Coffee', quantity: 2, unitAmountMinorUnits: 1_450 }],
      metadata: { cart: name },
    },
  });
  const { button } = await openCheckoutPage(checkout.checkoutUrl);
  say(`   ${checkout.checkoutUrl}: “${button}”`);
  const buyer = { buyer_email: 'buyer@example.com', buyer_name: 'Ada', method: 'sandbox' };
  say(`   the buyer goes to ${await payOnPage(checkout.checkoutUrl, buyer)}`);
}

/** Gives 10.00 of the newest payment back. */
async function refundNewest(scene: Scene): Promise<void> {
  const { service, key } = scene;
  const { data: payments } = await list(scene, 'payments');
  const { data: refund } = await callRest<{ data: { id: string; amount_minor_units: number } }>(
    `${service.restUrl}/v1/commerce/payments/${payments[0]?.id ?? ''}/refunds`,
    key,
    'POST',
    { amount_minor_units: 1_000, reason: 'requested_by_customer' },
  );
  say(`   ${refund.id} gives back ${refund.amount_minor_units} of ${payments[0]?.id ?? ''}`);
}

function list({ service: { restUrl }, key }: Scene, name: string): Promise<Listed> {
  return callRest(`${restUrl}/v1/commerce/${name}`, key, 'GET');
}

/** Waits for that many deliveries in all, and tells of those that were not told of. */
async function arrivals({ received, heard }: Scene, count: number): Promise<void> {
  await waitFor(`${count} deliveries`, () => (received.length >= count ? count : undefined));
  // Sorted, because deliveries to two endpoints overtake each other.
  for (const line of heard.splice(0).sort()) say(line);
}

/** The only mail there is, without the headers that programs read. */
function readMail(folder: string): { file: string; lines: string[] } | undefined {
  const mails = join(folder, 'mail');
  const file = existsSync(mails) && readdirSync(mails).find((name) => name.endsWith('.eml'));
  if (!file) return undefined;
  const [head = '', body = ''] = readFileSync(join(mails, file), 'utf8').split(/\r\n\r\n(.*)/s);
  const shown = head.split(/\r\n(?! )/).filter((line) => /^(?:From|To|Subject):/.test(line));
  const [sentence = ''] = body.split('\r\n');
  return { file: join('mail', file), lines: [...shown, '', sentence] };
}

async function deliveriesOf(
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
