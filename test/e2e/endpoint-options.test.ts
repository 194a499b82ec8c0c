import { expect } from 'chai';
import { answer } from '../support/behaviours.js';
import { recordedAs } from '../support/delivery-records.js';
import { createEndpoint, deliveriesPath } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type Service, startService } from '../support/service.js';
import { createTenant, type GraphqlRefusal, type Tenant } from '../support/tenants.js';

const set = `mutation ($id: ID!, $input: EndpointOptionsInput!, $account: ID) {
  setEndpointOptions(id: $id, input: $input, account: $account) {
    updatedAt options { retrySchedule { name delaysSeconds } ordering } } }`;
const list = `{ retrySchedules { name delaysSeconds } }`;

const held = `query ($id: ID!, $account: ID) {
  heldSubjects(endpoint: $id, account: $account) {
    subject waiting waitingIsComplete heldBy { pendingDeliveryId eventId state attempt } } }`;
const giveUp = `mutation ($id: ID!, $account: ID) { giveUpDelivery(id: $id, account: $account) }`;

interface Options {
  readonly retrySchedule: { readonly name: string; readonly delaysSeconds: readonly number[] };
  readonly ordering: 'subject' | null;
}

interface Held {
  readonly subject: string;
  readonly waiting: number;
  readonly heldBy: { readonly pendingDeliveryId: string; readonly eventId: string } | null;
}

describe('the delivery options of an endpoint', () => {
  let service: Service;
  let receiver: Receiver;
  let tenant: Tenant;
  let id: string;

  before(async () => {
    receiver = await startReceiver();
    service = await startService({
      environment: {
        WEBHOOKS_RETRY_SCHEDULE: '2h,2h,2h',
        WEBHOOKS_RETRY_SCHEDULES: 'fast=100ms,200ms;once=2h',
      },
    });
  });

  after(async () => {
    await service.stop();
    await receiver.close();
  });

  beforeEach(async () => {
    tenant = await createTenant(service);
    ({ id } = await createEndpoint(tenant.rest, { url: receiver.url(`/${tenant.account}`) }));
  });

  const change = async (input: object): Promise<Options> => {
    const { account } = tenant;
    const { setEndpointOptions } = await tenant.graphql<{
      setEndpointOptions: { options: Options };
    }>(set, { id, input, account });
    return setEndpointOptions.options;
  };

  it('H304: offers the schedules of the settings, and refuses others', async () => {
    const fast = { name: 'fast', delaysSeconds: [0.1, 0.2] };
    const standard = { name: 'default', delaysSeconds: [7_200, 7_200, 7_200] };
    const { retrySchedules } = await tenant.graphql<{ retrySchedules: unknown }>(list, {});
    expect(retrySchedules).to.deep.equal([
      standard,
      fast,
      { name: 'once', delaysSeconds: [7_200] },
    ]);

    const chosen = async (input: object) => (await change(input)).retrySchedule;
    expect(await chosen({ retrySchedule: 'fast' })).to.deep.equal(fast);
    expect(await chosen({})).to.deep.equal(fast);
    expect(await chosen({ retrySchedule: null })).to.deep.equal(standard);
    await change({ retrySchedule: 'fast' });
    expect(await chosen({ retrySchedule: 'default' })).to.deep.equal(standard);

    const refusal = await change({ retrySchedule: 'never' }).catch((error: unknown) => error);
    expect((refusal as GraphqlRefusal).extensions['errors']).to.deep.equal([
      {
        code: 'invalid_value',
        detail: 'Must be one of default, fast, once.',
        param: 'retrySchedule',
      },
    ]);
  });

  it('H304: a schedule that the settings no longer have means the default one', async () => {
    await service.database.query(`update endpoint set retry_schedule = 'gone' where id = $1`, [id]);
    expect((await change({})).retrySchedule.name).to.equal('default');

    receiver.always(answer(500));
    const event = await tenant.publish({});
    const [record] = await recordedAs(tenant.rest, event, ['failed']);
    expect(record).to.include({ attempt: 1, max_attempts: 4 });
  });

  it('H304: retries, replays and recoveries keep to the schedule of their endpoint', async () => {
    receiver.always(answer(500));
    await change({ retrySchedule: 'fast' });
    const event = await tenant.publish({});
    const records = await recordedAs(tenant.rest, event, ['failed', 'failed', 'abandoned']);
    expect(records.map(({ max_attempts }) => max_attempts)).to.deep.equal([3, 3, 3]);

    const { account } = tenant;
    await tenant.graphql(
      `mutation ($input: StartRecoveryInput!, $account: ID) {
         startRecovery(input: $input, account: $account) { id } }`,
      { input: { endpoint: id, what: 'failed', idempotencyKey: 'all' }, account },
    );
    await eventually(async () => {
      const sent = await service.database.query(
        `select max_attempts as attempts from delivery
          where endpoint_id = $1 and replayed_from is not null`,
        [id],
      );
      expect(sent).to.deep.equal([{ attempts: 3 }, { attempts: 3 }, { attempts: 3 }]);
    }, 'the recovery sends the event again');

    await change({ retrySchedule: 'once' });
    const replay = await tenant.rest.post(`${deliveriesPath}/${records[0].id}/replay`);
    expect(replay.body).to.have.nested.property('data.max_attempts', 2);
  });

  it('H287, H289: shows what waits behind what, and a person gives it up and goes on', async () => {
    receiver.always(answer(200));
    expect((await change({ ordering: 'subject' })).ordering).to.equal('subject');
    receiver.choose(({ body }) => (body.includes('"poison"') ? answer(500) : undefined));
    const publish = (subject: string, name: string) => tenant.publish({ subject, data: { name } });
    const first = await publish('cart:1', 'poison');
    await publish('cart:1', 'second');
    await publish('cart:1', 'third');
    const other = await publish('cart:2', 'other');
    await recordedAs(tenant.rest, other, ['success']);
    await recordedAs(tenant.rest, first, ['failed']);

    const { account } = tenant;
    const { heldSubjects } = await tenant.graphql<{ heldSubjects: readonly Held[] }>(held, {
      id,
      account,
    });
    const pendingDeliveryId = heldSubjects[0]?.heldBy?.pendingDeliveryId ?? '';
    expect(heldSubjects).to.deep.equal([
      {
        subject: 'cart:1',
        waiting: 2,
        waitingIsComplete: true,
        heldBy: { pendingDeliveryId, eventId: first, state: 'retrying', attempt: 2 },
      },
    ]);

    await tenant.graphql(giveUp, { id: pendingDeliveryId, account });
    await recordedAs(tenant.rest, first, ['abandoned']);
    const arrived = () => {
      const names = receiver.requests
        .filter(({ path }) => path === `/${account}`)
        .map(({ body }) => (JSON.parse(body.toString()) as { data: { name: string } }).data.name);
      expect(names.filter((name) => name !== 'other')).to.deep.equal(['poison', 'second', 'third']);
    };
    await eventually(arrived, 'the others of the subject arrive one after the other');
  });

  it('H299: test events do not wait, and turning order off sends all that waits', async () => {
    receiver.always(answer(200));
    await change({ ordering: 'subject' });
    receiver.choose(({ body }) => (body.includes('"poison"') ? answer(500) : undefined));
    const publish = (name: string) => tenant.publish({ subject: 'cart:1', data: { name } });
    const first = await publish('poison');
    const second = await publish('second');
    const third = await publish('third');
    await recordedAs(tenant.rest, first, ['failed']);

    const { account } = tenant;
    const { sendTestEvent } = await tenant.graphql<{ sendTestEvent: { id: string } }>(
      `mutation ($input: SendTestEventInput!) { sendTestEvent(input: $input) { id } }`,
      { input: { account, endpoint: id, type: 'offer.sent' } },
    );
    await recordedAs(tenant.rest, sendTestEvent.id, ['success']);
    const waiting = await service.database.query(
      'select 1 from pending_delivery where endpoint_id = $1',
      [id],
    );
    expect(waiting).to.have.lengthOf(3);

    expect((await change({ ordering: null })).ordering).to.equal(null);
    await recordedAs(tenant.rest, second, ['success']);
    await recordedAs(tenant.rest, third, ['success']);
  });
});
