import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownEnvironment } from '../config.js';
import { callGraphql, callRest, type DeliveryRecord, waitFor } from '../demo/demo-client.js';
import { outsideOf } from '../launcher/database-path.js';
import { type DemoService, startDemoService } from '../demo/demo-service.js';
import { type ReceivedDelivery, type Receiver, startReceiver } from '../receiver/receiver.js';

// npm run demo: the whole story in one terminal, on a service of its own that is gone afterwards.

const createCheckout = `mutation ($input: CreateCheckoutInput!) {
  createCheckout(input: $input) { id status totals { totalMinorUnits currency } } }`;
const recordPayment = `mutation ($input: RecordPaymentInput!) {
  recordPayment(input: $input) { order { id } thankYouUrl } }`;

interface Scene {
  readonly service: DemoService;
  readonly account: string;
  readonly key: string;
  readonly internal: string;
  readonly received: ReceivedDelivery[];
}

const say = (line: string) => process.stdout.write(`${line}\n`);
const dataDir = mkdtempSync(join(tmpdir(), 'signalpost-demo-'));
// As root PostgreSQL runs as another user, who has to come through here.
chmodSync(dataDir, 0o711);
const folders = [dataDir, outsideOf(dataDir)];
let failures = 0;

say('Starting PostgreSQL, the API and a worker …');
const service = await startDemoService(dataDir, ownEnvironment);
let receiver: Receiver | undefined;
try {
  await tell();
} finally {
  await receiver?.close();
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
  const secrets: string[] = [];
  const received: ReceivedDelivery[] = [];
  receiver = await startReceiver({
    dataDir,
    port: 0,
    secrets,
    answer: (delivery) => {
      received.push(delivery);
      const status = failures > 0 ? 503 : 200;
      failures -= 1;
      const verdict = delivery.verification.verified ? 'signature verified' : 'NOT VERIFIED';
      say(
        `   receiver: ${delivery.eventType}, attempt ${delivery.attempt}, ${verdict} → ${status}`,
      );
      return status;
    },
  });
  const scene: Scene = { service, account, key, internal, received };

  say('\n1. The shop registers an endpoint.');
  const { data: endpoint } = await callRest<{ data: { id: string; signing_secret: string } }>(
    `${service.restUrl}/v1/webhooks/endpoints`,
    key,
    'POST',
    {
      url: receiver.url,
      event_types: ['cart.order.completed'],
      notification_email: 'ops@shop.example',
    },
  );
  secrets.push(endpoint.signing_secret);
  say(`   ${endpoint.id} → ${receiver.url}`);

  say('\n2. A buyer pays a checkout; the signed event arrives.');
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
  say(
    `   ${replayed.id}  attempt ${replayed.attempt}  ${replayed.status}, replayed from ${failed}`,
  );

  if (received.some(({ verification }) => !verification.verified)) {
    throw new Error('a delivery was not verified');
  }
  say(`\nDone: ${received.length} deliveries arrived, every signature was verified.`);
}

async function payCheckout(
  { service: { internalUrl }, account, internal }: Scene,
  name: string,
): Promise<void> {
  const created = await callGraphql<{ createCheckout: { id: string } }>(
    internalUrl,
    internal,
    createCheckout,
    {
      input: {
        account,
        successUrl: 'https://shop.example/thanks',
        currency: 'EUR',
        lineItems: [{ name: 'Coffee', quantity: 2, unitAmountMinorUnits: 1_450 }],
        metadata: { cart: name },
      },
    },
  );
  const paid = await callGraphql<{ recordPayment: { order: { id: string }; thankYouUrl: string } }>(
    internalUrl,
    internal,
    recordPayment,
    { input: { account, checkout: created.createCheckout.id, buyerEmail: 'buyer@example.com' } },
  );
  say(`   ${created.createCheckout.id} is paid: ${paid.recordPayment.order.id}`);
  say(`   the buyer goes to ${paid.recordPayment.thankYouUrl}`);
}

function arrivals({ received }: Scene, count: number): Promise<number> {
  return waitFor(`${count} deliveries`, () => (received.length >= count ? count : undefined));
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
