import { expect } from 'chai';
import { purgeStreamOnlyEvents } from '../../src/domain/event/events.js';
import { smallestId, timestampOf } from '../../src/domain/values/id.js';
import { answer } from '../support/behaviours.js';
import { recordedAs } from '../support/delivery-records.js';
import { createEndpoint, dataOf, type DeliveryBody, endpointsPath } from '../support/endpoints.js';
import { checkEvent, describedTypes } from '../support/contract.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver, verify } from '../support/receiver.js';
import { type Service, sharedService } from '../support/service.js';
import {
  callGraphql,
  createTenant,
  databaseOf,
  type GraphqlRefusal,
  type Tenant,
} from '../support/tenants.js';

describe('a test event', () => {
  let service: Service;
  let tenant: Tenant;
  let receiver: Receiver;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());

  /** Sends a test event as the dashboard does. @returns its id */
  async function send(endpoint: string, type: string): Promise<string> {
    const { sendTestEvent } = await tenant.graphql<{ sendTestEvent: { id: string } }>(
      `mutation ($input: SendTestEventInput!) { sendTestEvent(input: $input) { id } }`,
      { input: { account: tenant.account, endpoint, type } },
    );
    return sendTestEvent.id;
  }

  it('H68, A15: a test event of any type goes to one endpoint, signed, and is marked as a test everywhere', async () => {
    // Subscribed to one of the types; test events go there all the same, and nowhere else.
    const endpoint = await createEndpoint(tenant.rest, { url: receiver.url('/tested') });
    await createEndpoint(tenant.rest, { url: receiver.url('/other') });

    const check = async (type: string) => {
      const event = await send(endpoint.id, type);
      const request = await receiver.next(({ headers }) => headers['webhook-id'] === event);
      expect(verify(request, endpoint.signing_secret)).to.deep.equal({
        service: true,
        standard: true,
      });
      checkEvent(request.body);
      const envelope = JSON.parse(request.body.toString()) as Record<string, unknown>;
      expect(envelope).to.include({ id: event, type, test: true });
      const [record] = await recordedAs(tenant.rest, event, ['success']);
      expect(record).to.include({ test: true, attempt: 1, max_attempts: 1, event_type: type });
    };

    await Promise.all(describedTypes.map(check));
    expect(new Set(receiver.requests.map(({ path }) => path))).to.deep.equal(new Set(['/tested']));
    expect(receiver.requests).to.have.length(describedTypes.length);
  });

  it('H68: refuses an endpoint that is inactive, deleted or of another account, and a type that is not sent', async () => {
    const inactive = await createEndpoint(tenant.rest, { url: receiver.url(), active: false });
    const deleted = await createEndpoint(tenant.rest, { url: receiver.url() });
    await tenant.rest.delete(`${endpointsPath}/${deleted.id}`);

    const stranger = await createTenant(service);
    const foreign = await createEndpoint(stranger.rest, { url: receiver.url() });
    const active = await createEndpoint(tenant.rest, { url: receiver.url() });
    const codeFor = (endpoint: string, type = 'invoice.issued') =>
      send(endpoint, type).catch((error: unknown) => (error as GraphqlRefusal).code);
    expect(await codeFor(inactive.id)).to.equal('endpoint_inactive');
    expect(await codeFor(deleted.id)).to.equal('not_found');
    expect(await codeFor(foreign.id)).to.equal('not_found');
    expect(await codeFor(active.id, 'payment.dispute.won')).to.equal('validation_failed');
    expect(await codeFor(active.id, 'no.such')).to.equal('validation_failed');
    expect(receiver.requests).to.deep.equal([]);
  });

  it('H62, H68: a test event is attempted once, and its failure, even a 410, does not count', async () => {
    const { id } = await createEndpoint(tenant.rest, { url: receiver.url('/failing') });

    for (const status of [500, 410]) {
      receiver.script(answer(status, { 'retry-after': '1' }));
      const event = await send(id, 'cart.order.completed');
      const [record] = await recordedAs(tenant.rest, event, ['abandoned']);
      expect(record).to.include({ attempt: 1, max_attempts: 1, response_status: status });
    }

    const rows = await service.database.query(
      `select active, failure_count as failures, failing_since as since,
              (select count(*)::int from pending_delivery where endpoint_id = endpoint.id) as "pendingDeliveries"
         from endpoint where id = $1`,
      [id],
    );
    expect(rows).to.deep.equal([{ active: true, failures: 0, since: null, pendingDeliveries: 0 }]);
  });

  it('H68: a test event stays a test event when it is replayed', async () => {
    const { id } = await createEndpoint(tenant.rest, { url: receiver.url('/replayed') });
    const event = await send(id, 'cart.order.completed');
    const [record] = await recordedAs(tenant.rest, event, ['success']);
    const path = `/v1/webhooks/deliveries/${record.id}/replay`;
    const replayed = dataOf<DeliveryBody>(await tenant.rest.post(path), 200);
    expect(replayed).to.include({ test: true, max_attempts: 1, replayed_from: record.id });
  });

  const mutation = `mutation ($input: SendTestEventInput!) { sendTestEvent(input: $input) { id } }`;
  const type = 'cart.order.completed';
  const refusalOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error as GraphqlRefusal,
    );

  it('H252: refuses more than 600 test events in a minute', async () => {
    const sender = await createTenant(service);
    const { token } = await sender.credential({ kind: 'dashboard', role: 'developer' });
    const send = (input: object) => callGraphql<object>(service, token, mutation, { input });
    const codes = new Set<string | undefined>();
    let left = 600;

    // An unknown type is refused fastest, so that all fall into one minute on slow machines, too.
    const lane = async () => {
      for (; left > 0;) {
        left -= 1;
        codes.add((await refusalOf(send({ type: 'no.such' })))?.code);
      }
    };

    await Promise.all(Array.from({ length: 20 }, lane));
    expect([...codes]).to.deep.equal(['validation_failed']);

    const refused = await refusalOf(send({ type }));
    expect(refused).to.include({ code: 'rate_limit_exceeded' });
    expect(refused?.message).to.include('600 per minute (test)');
    expect(refused?.extensions['retryAfterSeconds']).to.be.within(1, 60);

    const internal = await sender.graphql<object>(mutation, {
      input: { account: sender.account, type },
    });
    expect(internal).to.have.nested.property('sendTestEvent.id');
  });

  it('H253: refuses test events once those of the account took 32 MiB on a day', async () => {
    const sender = await createTenant(service);
    const { id: endpoint } = await createEndpoint(sender.rest, { url: receiver.url() });
    const sendTo = (input: object) =>
      refusalOf(sender.graphql(mutation, { input: { account: sender.account, type, ...input } }));
    const bytes = async () => {
      const [row] = await service.database.query<{ bytes: string }>(
        'select bytes from test_event_bytes where account_id = $1',
        [sender.account],
      );
      return Number(row?.bytes);
    };

    const set = (change: string) =>
      service.database.query(`update test_event_bytes set ${change} where account_id = $1`, [
        sender.account,
      ]);

    expect(await sendTo({})).to.equal(undefined);

    const first = await bytes();
    expect(first).to.be.above(1_024);

    // Tomorrow, so that the day does not end during the test.
    await set('day = day + 1');
    expect(await sendTo({ endpoint })).to.equal(undefined);
    expect(await bytes()).to.be.above(first + 1_024);

    await set('bytes = 32 * 1048576');

    for (const input of [{}, { endpoint }]) {
      const refused = await sendTo(input);
      expect(refused).to.include({ code: 'test_limit_reached' });
      expect(refused?.extensions['retryAfterSeconds']).to.be.within(1, 2 * 86_400);
    }

    expect(await bytes(), 'of what was refused').to.equal(32 * 1_048_576);
    expect(await sendTo({ type: 'no.such' })).to.include({ code: 'validation_failed' });

    const other = { input: { account: tenant.account, type } };
    expect(await refusalOf(tenant.graphql(mutation, other))).to.equal(undefined);

    await set('day = day - 2');
    expect(await sendTo({})).to.equal(undefined);
    expect(await bytes()).to.be.below(first + 1_024);
  });

  it('H254: deletes a test event without an endpoint after a day, and no other event', async () => {
    const sender = await createTenant(service);
    const { id: endpoint } = await createEndpoint(sender.rest, { url: receiver.url() });
    const sendOne = async (input: object) => {
      const { sendTestEvent } = await sender.graphql<{ sendTestEvent: { id: string } }>(mutation, {
        input: { account: sender.account, type, ...input },
      });
      return sendTestEvent.id;
    };

    const sent = {
      young: await sendOne({}),
      old: await sendOne({}),
      delivered: await sendOne({ endpoint }),
      live: await sender.publish({ type }),
    };

    await recordedAs(sender.rest, sent.delivered, ['success']);

    // The id of an event begins with its time.
    const twoDaysAgo = smallestId(
      'evt',
      new Date(timestampOf(sent.old).getTime() - 2 * 86_400_000),
    );

    const aged = (id: string) => twoDaysAgo + id.slice(twoDaysAgo.length);
    const old = [sent.old, sent.delivered, sent.live];
    for (const id of old) {
      await service.database.query('update event set id = $1 where id = $2', [aged(id), id]);
    }

    const { transact } = await databaseOf(service);
    await transact((tx) => purgeStreamOnlyEvents(tx, 1_000));

    const kept = [sent.young, aged(sent.delivered), aged(sent.live)];

    // A worker of the service that deletes it at the same time commits a moment later.
    await eventually(async () => {
      const left = await service.database.query<{ id: string }>(
        'select id from event where account_id = $1',
        [sender.account],
      );
      expect(left.map(({ id }) => id)).to.have.members(kept);
    }, 'the old one is deleted');
  });
});
