import { expect } from 'chai';
import { answer, type Behaviour } from '../support/behaviours.js';
import { recordedAs, recordsOf } from '../support/delivery-records.js';
import { createEndpoint, deliveriesPath, endpointsPath } from '../support/endpoints.js';
import { tablesWith } from '../support/erasure.js';
import { SseClient } from '../support/event-stream.js';
import { eventually } from '../support/eventually.js';
import { type OtlpCollector, startOtlpCollector } from '../support/otlp.js';
import { type ReceivedRequest, type Receiver, startReceiver, verify } from '../support/receiver.js';
import { type Service, startService } from '../support/service.js';
import { createTenant, type GraphqlRefusal, type Tenant } from '../support/tenants.js';

const set = `mutation ($id: ID!, $headers: [EndpointHeaderInput!], $account: ID) {
  setEndpointOptions(id: $id, input: { headers: $headers }, account: $account) {
    options { headers { names setAt sent } } } }`;

const read = `query ($endpoint: ID!, $account: ID) {
  webhookEndpoint(id: $endpoint, account: $account) { url options { headers { names sent } } } }`;

const secret = 'Zz1+gateway/secret==';
const headers = [
  { name: 'Authorization', value: `Bearer ${secret}` },
  { name: 'X-Tenant', value: 'Zz2-tenant' },
];
const marks = ['zz1+gateway', 'zz2-tenant', Buffer.from(secret).toString('base64').slice(0, 20)];

/** Fails, and repeats all that it got. */
const echo: Behaviour = (request, response) =>
  response
    .writeHead(500, {
      'www-authenticate': `Bearer error="${request.headers.authorization ?? ''}"`,
      'content-type': 'application/json',
    })
    .end(JSON.stringify(request.headers));

interface ShownHeaders {
  readonly names: readonly string[];
  readonly sent: boolean;
}

describe('the static headers of an endpoint', () => {
  let service: Service;
  let collector: OtlpCollector;
  let receiver: Receiver;
  let other: Receiver;
  let tenant: Tenant;
  let id: string;
  let signingSecret: string;

  before(async () => {
    collector = await startOtlpCollector();
    receiver = await startReceiver();
    other = await startReceiver();
    service = await startService({
      environment: {
        LOG_LEVEL: 'trace',
        WEBHOOKS_RETRY_SCHEDULE: '100ms,2h',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_BSP_SCHEDULE_DELAY: '200',
      },
    });
  });

  after(async () => {
    await service.stop();
    await receiver.close();
    await other.close();
    await collector.close();
  });

  beforeEach(async () => {
    receiver.always(answer(200));
    tenant = await createTenant(service);
    const endpoint = await createEndpoint(tenant.rest, {
      url: receiver.url(`/${tenant.account}`),
    });
    ({ id, signing_secret: signingSecret } = endpoint);
  });

  const change = (variables: object) =>
    tenant.graphql<{ setEndpointOptions: { options: { headers: ShownHeaders | null } } }>(set, {
      id,
      account: tenant.account,
      ...variables,
    });

  const shown = async () => {
    const { webhookEndpoint } = await tenant.graphql<{
      webhookEndpoint: { options: { headers: ShownHeaders | null } };
    }>(read, { endpoint: id, account: tenant.account });
    return webhookEndpoint.options.headers;
  };

  const requestOf = (event: string, to = receiver) =>
    to.next((request) => request.headers['webhook-id'] === event);

  const expectSent = (request: ReceivedRequest) => {
    expect(request.headers).to.include({
      authorization: `Bearer ${secret}`,
      'x-tenant': 'Zz2-tenant',
    });
    expect(request.headerNames).to.include.members(['Authorization', 'X-Tenant']);
    expect(verify(request, signingSecret)).to.deep.equal({ service: true, standard: true });
  };

  it('H301: go with first attempts, retries, replays, recoveries and test events, and stay secret', async () => {
    const stream = await (
      await SseClient.open(service.url, { token: tenant.rest.token ?? '', query: '' })
    ).joined();
    receiver.always(echo);

    const { setEndpointOptions } = await change({ headers });
    expect(setEndpointOptions.options.headers).to.deep.include({
      names: ['Authorization', 'X-Tenant'],
      sent: true,
    });

    const event = await tenant.publish({});
    expectSent(await requestOf(event));
    expectSent(await requestOf(event));
    const [failed] = await recordedAs(tenant.rest, event, ['failed', 'failed']);

    // The third attempt is due in hours.
    const disabled = await tenant.rest.patch(`${endpointsPath}/${id}`, { active: false });
    expect(disabled.status).to.equal(200);
    await tenant.rest.patch(`${endpointsPath}/${id}`, { active: true });
    await recordedAs(tenant.rest, event, ['failed', 'abandoned']);

    await tenant.rest.post(`${deliveriesPath}/${failed.id}/replay`);
    expectSent(await requestOf(event));

    const { sendTestEvent } = await tenant.graphql<{ sendTestEvent: { id: string } }>(
      `mutation ($input: SendTestEventInput!) { sendTestEvent(input: $input) { id } }`,
      { input: { account: tenant.account, endpoint: id, type: 'offer.sent' } },
    );
    expectSent(await requestOf(sendTestEvent.id));

    await eventually(async () => {
      expect(await recordsOf(tenant.rest, event)).to.have.lengthOf.at.least(4);
    }, 'the replay is recorded');
    await tenant.rest.patch(`${endpointsPath}/${id}`, { active: false });
    await tenant.rest.patch(`${endpointsPath}/${id}`, { active: true });
    await tenant.graphql(
      `mutation ($input: StartRecoveryInput!, $account: ID) {
         startRecovery(input: $input, account: $account) { id } }`,
      {
        input: { endpoint: id, what: 'failed', idempotencyKey: 'all' },
        account: tenant.account,
      },
    );
    expectSent(await requestOf(event));

    // What the receiver repeated is kept, without the values.
    const evidence = await eventually(async () => {
      const rows = await service.database.query<{ body: string; sent: string; got: string }>(
        `select convert_from(v.body, 'UTF8') as body, v.request_headers::text as sent,
                v.response_headers::text as got
           from delivery_evidence v join delivery d on d.id = v.delivery_id
          where d.endpoint_id = $1`,
        [id],
      );
      expect(rows).to.have.lengthOf.at.least(5);
      return rows;
    }, 'the evidence of five attempts');

    for (const { body, sent, got } of evidence) {
      const repeated = JSON.parse(body) as Record<string, string>;
      expect(repeated['webhook-id']).to.match(/^evt_/);
      expect(repeated['authorization']).to.match(/^\*+$/);
      expect(got).to.match(/Bearer error=\\?"\*+/);
      expect(sent).to.include('webhook-id').and.not.include('authorization');
    }

    await eventually(() => {
      const attempts = collector.spans.filter(
        ({ attributes }) => attributes['signalpost.endpoint'] === id,
      );
      expect(attempts).to.have.lengthOf.at.least(5);
      expect(stream.of('delivery')).to.have.lengthOf.at.least(5);
    }, 'traces and the stream show five attempts');

    const spans = collector.spans.map(({ name, attributes }) =>
      JSON.stringify({ name, attributes }),
    );
    const outputs = [service.api, ...service.workers].flatMap(({ lines }) => lines);
    expect(outputs.join('\n')).to.include(id);
    const told = [...outputs, ...spans, JSON.stringify(stream.of('delivery'))]
      .concat(JSON.stringify(stream.of('endpoint')))
      .join('\n')
      .toLowerCase();
    for (const mark of marks) {
      expect(await tablesWith(service.database, mark), mark).to.deep.equal([]);
      expect(told.includes(mark), mark).to.equal(false);
    }
  });

  it('H300: are refused by name, and no log has what was refused', async () => {
    const errorsOf = async (variables: object) => {
      const refusal = (await change(variables).catch((error: unknown) => error)) as GraphqlRefusal;
      return refusal.extensions['errors'] as { code: string; param: string }[];
    };

    const errors = await errorsOf({
      headers: [
        { name: 'Authorization', value: 'Zz3-a\r\nZz3: b' },
        { name: 'X-Tenant' },
        { name: 'content-type', value: 'Zz3-c' },
      ],
    });
    expect(errors.map(({ code, param }) => `${param} ${code}`)).to.deep.equal([
      'headers[0].value invalid_value',
      'headers[2].name invalid_value',
    ]);
    expect((await errorsOf({ headers: [{ name: 'X-Tenant' }] })).map(({ param }) => param)).to.eql([
      'headers[0].value',
    ]);

    // Values of other types than the schema says are refused by GraphQL itself.
    await change({ headers: ['Authorization: Zz3-d'] }).catch(() => undefined);
    await change({ headers: [{ name: 'X-Tenant', value: { secret: 'Zz3-e' } }] }).catch(
      () => undefined,
    );

    const event = await tenant.publish({});
    await requestOf(event);
    await recordsOf(tenant.rest, event);
    const outputs = [service.api, ...service.workers].flatMap(({ lines }) => lines);
    expect(outputs.filter((line) => line.includes('Zz3'))).to.deep.equal([]);
    expect(await shown()).to.equal(null);
  });

  it('H302: are not sent to another origin, and again when they are set for it', async () => {
    await change({ headers });
    const move = async (url: string) => {
      const moved = await tenant.rest.patch(`${endpointsPath}/${id}`, { url });
      expect(moved.status).to.equal(200);
    };

    await move(other.url(`/${tenant.account}`));
    expect(await shown()).to.deep.equal({ names: ['Authorization', 'X-Tenant'], sent: false });
    const bare = await requestOf(await tenant.publish({}), other);
    expect(bare.headers).not.to.have.any.keys('authorization', 'x-tenant');

    await change({ headers });
    expectSent(await requestOf(await tenant.publish({}), other));

    // As a process of an earlier release changes it.
    await service.database.query('update endpoint set url = $2 where id = $1', [
      id,
      receiver.url(`/${tenant.account}`),
    ]);
    const again = await requestOf(await tenant.publish({}));
    expect(again.headers).not.to.have.any.keys('authorization', 'x-tenant');
    expect(await shown()).to.include({ sent: false });

    await change({ headers: null });
    expect(await shown()).to.equal(null);
  });

  it('H303: deliveries wait while no key opens the headers, and then go with them', async () => {
    await change({ headers });
    const seal = (keyId: string) =>
      service.database.query(
        `update endpoint_secret set key_id = $2 where endpoint_id = $1 and kind = 'headers'`,
        [id, keyId],
      );
    await seal('gone');

    const event = await tenant.publish({});
    await eventually(async () => {
      const [pending] = await service.database.query(
        `select attempt, not ready and due_at > now() + interval '1 second' as waits
           from pending_delivery where endpoint_id = $1`,
        [id],
      );
      expect(pending).to.deep.equal({ attempt: 1, waits: true });
    }, 'the delivery waits');
    expect(receiver.requests.filter(({ path }) => path === `/${tenant.account}`)).to.eql([]);
    const said = service.workers.flatMap(({ lines }) => lines).filter((line) => line.includes(id));
    expect(said.join('\n')).to.include(
      `cannot open the headers of ${id}: SECRET_KEY has no key gone, which sealed it`,
    );

    // A worker that has just started finds it at once.
    await Promise.all(service.workers.map((worker) => worker.end()));
    await seal('t1');
    await service.database.query(
      'update pending_delivery set due_at = now() where endpoint_id = $1',
      [id],
    );
    await service.startWorker();
    expectSent(await requestOf(event));
    const [record] = await recordedAs(tenant.rest, event, ['success']);
    expect(record.attempt).to.equal(1);
  });
});
