import { expect } from 'chai';
import {
  comparable,
  createEndpoint,
  dataOf,
  endpointsPath,
  type EndpointBody,
  listDeliveries,
  toProblem,
  refusalsOf,
} from '../support/endpoints.js';
import { answer } from '../support/behaviours.js';
import { eventually } from '../support/eventually.js';
import {
  startReceiver,
  eachSignature,
  type ReceivedRequest,
  type Receiver,
  verify,
} from '../support/receiver.js';
import type { RestClient } from '../support/rest-client.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, GraphqlRefusal, callGraphql, type Tenant } from '../support/tenants.js';
import { randomUUID } from 'node:crypto';

describe('webhooks.endpoints.update', () => {
  let service: Service;
  let tenant: Tenant;
  let rest: RestClient;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
    ({ rest } = tenant);
  });

  const patch = (id: string, body: object) => rest.patch(`${endpointsPath}/${id}`, body);

  async function patched(id: string, body: object): Promise<EndpointBody> {
    return dataOf(await patch(id, body), 200);
  }

  it('H15, H17, A14: PATCH answers 200 with the endpoint, without the secret', async () => {
    const { signing_secret: secret, ...created } = await createEndpoint(rest);
    const changes = {
      url: 'https://other.example.com/hooks',
      description: 'Other',
      notification_email: 'other@example.com',
      event_types: ['payment.sale.succeeded'],
      active: false,
    };

    const reply = await patch(created.id, changes);
    expect(reply.text).not.to.include(secret);

    const updated = dataOf<EndpointBody>(reply, 200);
    expect(updated).to.deep.equal({ ...created, ...changes, updated_at: updated.updated_at });

    const retrieved = await rest.get(`${endpointsPath}/${created.id}`);
    expect(dataOf(retrieved, 200)).to.deep.equal(updated);
  });

  it('H10: updated_at changes with active and with every other change, and only then', async () => {
    const created = await createEndpoint(rest, { description: 'Same' });
    const { id } = created;
    for (const body of [{}, { description: 'Same' }, { url: created.url }]) {
      expect((await patched(id, body)).updated_at).to.equal(created.updated_at);
    }
    const renamed = await patched(id, { description: 'Other' });
    expect(renamed.updated_at > created.updated_at).to.equal(true);
    const touched = await patched(id, { active: true });
    expect(touched.updated_at > renamed.updated_at).to.equal(true);
  });

  it('H11: disabled_reason is null, or one of the two reasons for disabling', async () => {
    const { id } = await createEndpoint(rest);
    for (const reason of ['consecutive_failures', 'receiver_gone', null]) {
      await service.database.query(`update endpoint set disabled_reason = $2 where id = $1`, [
        id,
        reason,
      ]);
      expect((await patched(id, {})).disabled_reason).to.equal(reason);
    }
  });

  it('H18: accepts plain JSON and merge patches', async () => {
    const { id } = await createEndpoint(rest);
    for (const type of ['application/json', 'application/merge-patch+json']) {
      const headers = { 'content-type': type };
      const reply = await rest.patch(`${endpointsPath}/${id}`, { description: type }, { headers });
      expect(dataOf<EndpointBody>(reply, 200).description).to.equal(type);
    }
    const headers = { 'content-type': 'application/json-patch+json' };
    toProblem(await rest.patch(`${endpointsPath}/${id}`, {}, { headers }), 415);
  });

  it('H19: accepts null only for the description', async () => {
    const { id } = await createEndpoint(rest, { description: 'Gone soon' });
    expect((await patched(id, { description: null })).description).to.equal(null);
    for (const name of ['url', 'active', 'event_types', 'notification_email']) {
      expect(refusalsOf(await patch(id, { [name]: null }))).to.deep.equal([
        `${name}: invalid_type`,
      ]);
    }
  });

  it('H8, A25: refuses unknown properties, as create does', async () => {
    const { id } = await createEndpoint(rest);
    expect(refusalsOf(await patch(id, { colour: 'red' }))).to.deep.equal([
      'colour: unknown_property',
    ]);
    for (const name of ['id', 'created_at', 'updated_at', 'disabled_reason', 'signing_secret']) {
      expect(refusalsOf(await patch(id, { [name]: 'x' }))).to.deep.equal([
        `${name}: unknown_property`,
      ]);
    }
  });

  it('H29, A33: keeps types that are not offered or not listed, and checks added ones', async () => {
    const { id } = await createEndpoint(rest);
    await subscribe(service, id, ['cart.order.completed', 'order.completed', 'gone.type']);

    const kept = { event_types: ['gone.type', 'order.completed'] };
    expect((await patched(id, kept)).event_types).to.deep.equal(kept.event_types);

    const reply = await patch(id, {
      event_types: ['gone.type', 'order.completed', 'other.gone.type', 'payment.sale.succeeded'],
    });
    expect(toProblem(reply, 422).errors).to.deep.equal([
      {
        code: 'unknown_event_type',
        detail: 'Unknown event type: other.gone.type',
        param: 'event_types',
      },
    ]);
  });

  it('H28, H29: names refused added event types together with issues of the fields', async () => {
    const { id } = await createEndpoint(rest);
    await subscribe(service, id, ['order.completed', 'gone.type']);
    const body = { event_types: ['gone.type', 'foo.bar'], active: 'yes', surprise: 1 };
    expect(refusalsOf(await patch(id, body))).to.have.members([
      'event_types: unknown_event_type',
      'active: invalid_type',
      'surprise: unknown_property',
    ]);
    const kept = { event_types: ['gone.type'], surprise: 1 };
    expect(refusalsOf(await patch(id, kept))).to.deep.equal(['surprise: unknown_property']);
  });

  it('A32: refuses to add back a type that is not offered, until it is offered again', async () => {
    const { id } = await createEndpoint(rest);
    await subscribe(service, id, ['cart.order.completed', 'order.completed']);
    await patched(id, { event_types: ['cart.order.completed'] });

    const back = { event_types: ['cart.order.completed', 'order.completed'] };
    expect(refusalsOf(await patch(id, back))).to.deep.equal([
      'event_types: event_type_not_offered',
    ]);
    await offer(service, 'order.completed', true);

    try {
      expect((await patched(id, back)).event_types).to.deep.equal(back.event_types);
    } finally {
      await offer(service, 'order.completed', false);
    }
  });

  it('A34: changes the e-mail address only when the body carries one', async () => {
    const created = await createEndpoint(rest);
    expect((await patched(created.id, { active: false })).notification_email).to.equal(
      created.notification_email,
    );
    const email = 'new@example.com';
    expect((await patched(created.id, { notification_email: email })).notification_email).to.equal(
      email,
    );
  });

  it('H74: deactivating cancels what is waiting, gives no reason and sends no notice', async () => {
    const receiver = await startReceiver();
    receiver.always(answer(500));

    // A separate account, because every endpoint of an account gets the event, and records name none.
    const owner = await createTenant(service);
    try {
      const { id } = await createEndpoint(owner.rest, { url: receiver.url('/deactivated') });
      await owner.publish({});

      const record = async () => (await listDeliveries(owner.rest))[0];
      await eventually(async () => {
        expect((await record())?.status).to.equal('failed');
      }, 'the first attempt failed');

      const reply = await owner.rest.patch(`${endpointsPath}/${id}`, { active: false });
      expect(dataOf<EndpointBody>(reply, 200).disabled_reason).to.equal(null);
      expect((await record())?.status).to.equal('abandoned');

      const rows = await service.database.query(
        `select id from notice where resource_id = $1
         union all select id from pending_delivery where endpoint_id = $1`,
        [id],
      );
      expect(rows).to.deep.equal([]);
    } finally {
      await receiver.close();
    }
  });

  it('lets a dashboard token replace the e-mail address on /v1, and not on /graphql', async () => {
    const { token } = await tenant.credential({ kind: 'dashboard' });
    const dashboard = rest.as(token);
    const { id } = await createEndpoint(dashboard, { notification_email: 'first@example.com' });
    const change = { notification_email: 'second@example.com' };
    const reply = await dashboard.patch(`${endpointsPath}/${id}`, change);
    expect(dataOf<EndpointBody>(reply, 200).notification_email).to.equal('second@example.com');

    const update = (notificationEmail: string) =>
      callGraphql(
        service,
        token,
        `mutation ($id: ID!, $input: UpdateWebhookEndpointInput!) {
          updateWebhookEndpoint(id: $id, input: $input) { notificationEmail } }`,
        { id, input: { notificationEmail } },
      );

    expect(await update('second@example.com')).to.deep.equal({
      updateWebhookEndpoint: { notificationEmail: 'second@example.com' },
    });

    const refused = await update('third@example.com').catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(GraphqlRefusal);
    expect((refused as GraphqlRefusal).code).to.equal('forbidden');
  });

  it('answers 404 before it looks at the fields, alike for strangers’ endpoints', async () => {
    const stranger = await createTenant(service);
    const { id } = await createEndpoint(stranger.rest);
    const foreign = toProblem(await patch(id, { colour: 'red' }), 404);
    const unknown = toProblem(await patch('whs_unknown', {}), 404);
    expect(comparable(foreign)).to.deep.equal(comparable(unknown));
  });
});

/** Subscribes past the rules, as an endpoint may be that is older than the catalogue's state. */
async function subscribe(service: Service, id: string, types: string[]): Promise<void> {
  await service.database.query('update endpoint set event_types = $2 where id = $1', [id, types]);
}

async function offer(service: Service, type: string, accepts: boolean): Promise<void> {
  await service.database.query(
    'update event_type set accepts_new_subscriptions = $2 where id = $1',
    [type, accepts],
  );
}

describe('webhooks.endpoints.event_subscriptions.update', () => {
  let service: Service;
  let rest: RestClient;

  before(async () => {
    service = await sharedService();
    ({ rest } = await createTenant(service));
  });

  const put = (id: string, body: object) =>
    rest.put(`${endpointsPath}/${id}/event-subscriptions`, body);

  it('H16, H17, A14: PUT replaces the list and answers 200 with the endpoint', async () => {
    const { signing_secret: secret, ...created } = await createEndpoint(rest);
    const types = ['payment.sale.succeeded', 'invoice.issued', 'payment.sale.succeeded'];
    const reply = await put(created.id, { event_types: types });
    expect(reply.text).not.to.include(secret);
    const data = dataOf<EndpointBody>(reply, 200);
    expect(data).to.deep.equal({
      ...created,
      event_types: ['payment.sale.succeeded', 'invoice.issued'],
      updated_at: data.updated_at,
    });
    expect(data.updated_at > created.updated_at).to.equal(true);
  });

  it('H10: leaves updated_at when nothing changes', async () => {
    const created = await createEndpoint(rest);
    const reply = await put(created.id, { event_types: created.event_types });
    expect(dataOf<EndpointBody>(reply, 200).updated_at).to.equal(created.updated_at);
  });

  it('H8, A25: refuses everything but the list', async () => {
    const { id } = await createEndpoint(rest);
    expect(refusalsOf(await put(id, {}))).to.deep.equal(['event_types: required']);
    expect(refusalsOf(await put(id, { event_types: [] }))).to.deep.equal([
      'event_types: too_few_items',
    ]);
    const types = { event_types: ['cart.order.completed'] };
    expect(refusalsOf(await put(id, { ...types, active: true }))).to.deep.equal([
      'active: unknown_property',
    ]);
  });

  it('H29: keeps subscribed types, and refuses additions in the words of create', async () => {
    const { id } = await createEndpoint(rest);
    await service.database.query('update endpoint set event_types = $2 where id = $1', [
      id,
      ['order.completed', 'gone.type'],
    ]);

    const kept = await put(id, { event_types: ['gone.type', 'order.completed'] });
    expect(kept.status).to.equal(200);
    await put(id, { event_types: ['cart.order.completed'] });

    const reply = await put(id, { event_types: ['order.completed', 'gone.type'] });
    expect(toProblem(reply, 422).errors.map(({ detail }) => detail)).to.deep.equal([
      'No longer offered for new subscriptions: order.completed',
      'Unknown event type: gone.type',
    ]);
  });

  it('H28: names refused event types together with issues of the fields', async () => {
    const { id } = await createEndpoint(rest);
    const reply = await put(id, { event_types: ['order.completed', 'foo.bar'], active: false });
    expect(refusalsOf(reply)).to.have.members([
      'event_types: event_type_not_offered',
      'event_types: unknown_event_type',
      'active: unknown_property',
    ]);
  });

  it('answers 404 to an unknown endpoint and to one of another account', async () => {
    const stranger = await createTenant(service);
    const { id } = await createEndpoint(stranger.rest);
    const foreign = toProblem(await put(id, { event_types: ['x'] }), 404);
    const unknown = toProblem(await put('whs_unknown', {}), 404);
    expect(comparable(foreign)).to.deep.equal(comparable(unknown));
  });
});

type WithSecret = EndpointBody & { readonly signing_secret: string };

describe('webhooks.endpoints.secret_rotations.create', () => {
  let service: Service;
  let tenant: Tenant;
  let rest: RestClient;
  let receiver: Receiver;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
    ({ rest } = tenant);
    receiver = await startReceiver();
  });

  after(() => receiver.close());

  const rotate = (id: string, ask = {}) =>
    rest.post(`${endpointsPath}/${id}/secret-rotations`, undefined, ask);

  async function delivered(): Promise<ReceivedRequest> {
    const event = await tenant.publish({});
    return receiver.next(({ headers }) => headers['x-service-event-id'] === event);
  }

  /** Which of `secrets` made each signature, in the order of both headers; -1 for none. */
  function secretsThatSign(request: ReceivedRequest, secrets: readonly string[]): number[] {
    return eachSignature(request).map((alone) =>
      secrets.findIndex((secret) => {
        const { service: ours, standard } = verify(alone, secret);
        expect(ours).to.equal(standard);
        return ours;
      }),
    );
  }

  it('H23, A14: answers 200 with the endpoint and another secret', async () => {
    const { signing_secret: first, ...created } = await createEndpoint(rest);
    const rotated = dataOf<WithSecret>(await rotate(created.id), 200);
    expect(rotated.signing_secret).to.match(/^whsec_[0-9A-Za-z]{44}$/);
    expect(rotated.signing_secret).not.to.equal(first);
    expect(rotated).to.deep.equal({
      ...created,
      signing_secret: rotated.signing_secret,
      updated_at: rotated.updated_at,
    });
  });

  it('H10: moves updated_at', async () => {
    const created = await createEndpoint(rest);
    const rotated = dataOf<WithSecret>(await rotate(created.id), 200);
    expect(rotated.updated_at > created.updated_at).to.equal(true);
  });

  it('H24, A36: older secrets sign along, newest first, each until its 24 hours are over', async () => {
    const created = await createEndpoint(rest, { url: receiver.url('/rotated') });
    const second = dataOf<WithSecret>(await rotate(created.id), 200);
    const third = dataOf<WithSecret>(await rotate(created.id), 200);
    const secrets = [third, second, created].map((endpoint) => endpoint.signing_secret);
    expect(secretsThatSign(await delivered(), secrets)).to.deep.equal([0, 1, 2]);

    await service.database.query(
      `update endpoint_secret set expires_at = now() - interval '1 second'
        where id = (select min(id) from endpoint_secret where endpoint_id = $1)`,
      [created.id],
    );

    expect(secretsThatSign(await delivered(), secrets)).to.deep.equal([0, 1]);

    const rows = await service.database.query<{ hours: number }>(
      `select round(extract(epoch from expires_at - now()) / 3600)::int as hours
         from endpoint_secret where endpoint_id = $1 and expires_at > now()`,
      [created.id],
    );

    expect(rows).to.deep.equal([{ hours: 24 }]);
    await rest.delete(`${endpointsPath}/${created.id}`);
  });

  it('H24: the newest and at most ten older secrets sign in both headers', async () => {
    const created = await createEndpoint(rest, { url: receiver.url('/often') });
    const secrets = [created.signing_secret];
    for (let n = 0; n < 11; n += 1) {
      secrets.unshift(dataOf<WithSecret>(await rotate(created.id), 200).signing_secret);
    }
    const request = await delivered();
    expect(secretsThatSign(request, secrets)).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const secret of secrets.slice(0, 11)) {
      expect(verify(request, secret)).to.deep.equal({ service: true, standard: true });
    }
    expect(verify(request, created.signing_secret).service).to.equal(false);
    await rest.delete(`${endpointsPath}/${created.id}`);
  });

  it('H25: rotates the secret of an inactive endpoint', async () => {
    const { id } = await createEndpoint(rest, { active: false });
    const rotated = dataOf<WithSecret>(await rotate(id), 200);
    expect(rotated.active).to.equal(false);
  });

  it('H43, A35: the same key gets the same body without the secret', async () => {
    const { id } = await createEndpoint(rest);
    const key = randomUUID();
    const first = await rotate(id, { key });
    const again = await rotate(id, { key });
    expect(again.headers['idempotent-replayed']).to.equal('true');

    const { signing_secret: secret, ...body } = dataOf<WithSecret>(first, 200);
    expect(dataOf(again, 200)).to.deep.equal(body);
    expect(again.text).not.to.include('signing_secret');

    const stored = await service.database.query<{ body: string }>(
      'select body from idempotency_record where account_id = $1 and key = $2',
      [tenant.account, key],
    );

    expect(stored).to.have.lengthOf(1);
    expect(stored[0]?.body).not.to.include(secret.slice(6));
  });

  it('H26, A46: ignores a body', async () => {
    const { id } = await createEndpoint(rest);
    const path = `${endpointsPath}/${id}/secret-rotations`;
    expect((await rest.send('POST', path, { bytes: '{"a":' })).status).to.equal(200);
  });

  it('answers an unknown id and one of another account alike', async () => {
    const stranger = await createTenant(service);
    const { id } = await createEndpoint(stranger.rest);
    const foreign = toProblem(await rotate(id), 404);
    expect(comparable(foreign)).to.deep.equal(
      comparable(toProblem(await rotate('whs_unknown'), 404)),
    );
  });
});
