import { callGraphql, callRest, GraphqlError, waitFor } from './demo-client.js';
import { listen, waitForDeliveries, type DemoContext } from './demo-context.js';

const ownType = 'shop.order.shipped';

const evidenceQuery = `query ($account: ID, $id: ID!) {
  webhookDelivery(account: $account, id: $id) {
    evidence { url failure timings { firstByteMs } responseHeaders { name } } } }`;

/** Shows what the service kept of a failed attempt. */
export async function showEvidence(demo: DemoContext, delivery: string): Promise<void> {
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

/** Puts an event type with a schema, and publishes data that breaks it and data that fits. */
export async function bringEventType(demo: DemoContext, expected: number): Promise<string> {
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

/** Switches an endpoint off while an event happens, and starts a recovery of what it missed. */
export async function recoverMissed(demo: DemoContext, endpoint: string): Promise<void> {
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
  print(`   ${endpoint} missed ${counts.missed}, failed to take ${counts.failed}`);
  const { startRecovery } = await ask<{ startRecovery: { id: string; status: string } }>(
    demo,
    start,
    { input: { ...input, idempotencyKey: 'demo' } },
  );
  print(`   ${startRecovery.id} is ${startRecovery.status}: it sends events that are a minute old`);
}

function publish(demo: DemoContext, data: object): Promise<unknown> {
  const { account } = demo;
  const input = { account, type: ownType, subject: 'order:demo', data };
  return callGraphql(demo.service.internalUrl, demo.internal, publishEvent, { input });
}

function ask<Data>(demo: DemoContext, query: string, variables: object): Promise<Data> {
  const { service, internal, account } = demo;
  return callGraphql(service.internalUrl, internal, query, { account, ...variables });
}

/** The first issue of a refused call. */
function issueOf(refused: unknown): { readonly param: string; readonly detail: string } {
  if (!(refused instanceof GraphqlError)) throw new Error('The event was not refused.');
  const [issue] = refused.issues;
  if (!issue) throw refused;
  return issue;
}
