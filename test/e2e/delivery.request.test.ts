import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { fetch } from 'undici';
import { createCheckout, payCheckout } from '../support/sales.js';
import { recordedAs, firstRecordedAs, makeDue } from '../support/delivery-records.js';
import {
  createEndpoint,
  deliveriesPath,
  type DeliveryBody,
  listDeliveries,
} from '../support/endpoints.js';
import { answer, raw } from '../support/behaviours.js';
import { describedHeaders } from '../support/contract.js';
import { type ReceivedRequest, type Receiver, startReceiver, verify } from '../support/receiver.js';
import { repositoryRoot } from '../support/repository.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, GraphqlRefusal, type Tenant, callGraphql } from '../support/tenants.js';
import { freePort } from '../../tools/launcher/ports.js';
import { eventually } from '../support/eventually.js';
import { sampleOf } from '../support/random.js';

interface SentEvent {
  readonly id: string;
  readonly type: string;
  readonly time: string;
  readonly dataschema: string;
  readonly eventversion: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const sent = [
  'cart.checkout.created',
  'cart.order.completed',
  'order.completed',
  'payment.sale.succeeded',
  'invoice.issued',
];

describe('the request of a delivery', () => {
  let service: Service;
  let receiver: Receiver;

  before(async () => {
    service = await sharedService();
  });
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());

  const arrange = async () => {
    const tenant = await createTenant(service);
    return {
      tenant,
      endpoint: await createEndpoint(tenant.rest, { url: receiver.url('/hook?a=1') }),
    };
  };

  const envelopeOf = ({ body }: ReceivedRequest) => JSON.parse(body.toString()) as SentEvent;

  it('H81: sends a POST with JSON, our user agent, and every header that identifies the event', async () => {
    const { tenant } = await arrange();
    receiver.script(answer(500));

    const event = await tenant.publish({});
    const { method, path, headers, body } = await receiver.next();
    const [record] = await recordedAs(tenant.rest, event, ['failed']);

    expect([method, path]).to.deep.equal(['POST', '/hook?a=1']);

    expect(headers).to.include({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(body.length),
      'user-agent': 'Service-Webhooks/1.0',
      host: `127.0.0.1:${receiver.port}`,
      'webhook-id': event,
      'x-service-event-id': event,
      'x-service-event-type': 'cart.order.completed',
      'x-service-delivery-id': record.id,
      'x-service-attempt': '1',
    });

    const seconds = Math.floor(Date.parse(record.created_at) / 1_000);
    expect(headers['x-service-timestamp']).to.equal(String(seconds));
    expect(headers['webhook-timestamp']).to.equal(String(seconds));
  });

  it('H81: spells the names of headers as every document does', async () => {
    const { tenant } = await arrange();
    await tenant.publish({});
    const { headers, headerNames } = await receiver.next();
    expect(headers['accept']).to.equal('*/*');
    const receiving = readFileSync(join(repositoryRoot, 'docs', 'receiving.md'), 'utf8');
    const [, request = ''] = /```http\nPOST .*\n([^`]+)```/.exec(receiving) ?? [];
    const documented = [...request.matchAll(/^([\w-]+):/gm)].map((match) => match[1]);
    expect(headerNames).to.have.members([...documented, 'Host', 'Connection', 'Content-Length']);
    expect(headerNames).to.include.members(describedHeaders);
  });

  it('H82: signs so that stripe and standardwebhooks verify it, at the time of the attempt', async () => {
    const { tenant, endpoint } = await arrange();
    const event = await tenant.publish({ data: { note: 'Grüße 🌍' } });
    const request = await receiver.next();
    expect(verify(request, endpoint.signing_secret)).to.deep.equal({
      service: true,
      standard: true,
    });

    const other = `whsec_${'A'.repeat(44)}`;
    expect(verify(request, other)).to.deep.equal({ service: false, standard: false });

    const changed = { ...request, body: Buffer.from(`${request.body.toString()} `) };
    expect(verify(changed, endpoint.signing_secret)).to.deep.equal({
      service: false,
      standard: false,
    });

    const [record] = await recordedAs(tenant.rest, event, ['success']);
    const [, t] =
      /^t=(\d+),v1=[0-9a-f]{64}$/.exec(request.headers['x-service-signature'] ?? '') ?? [];
    expect(Number(t)).to.equal(Math.floor(Date.parse(record.created_at) / 1_000));
    expect(request.headers['webhook-signature']).to.match(/^v1,[A-Za-z0-9+/]{43}=$/);
  });

  it('H83, H84: sends CloudEvents of every type, valid against the schemas they point to', async () => {
    const { tenant, endpoint } = await arrange();
    // order.completed is no longer offered; older endpoints have it.
    await service.database.query('update endpoint set event_types = $2 where id = $1', [
      endpoint.id,
      sent,
    ]);

    const id = await createCheckout(tenant, { metadata: { cart: 'c-1', list: [1, null] } });
    const { order } = await payCheckout(tenant, id, { buyerName: 'B', buyerCountry: 'DE' });

    for (const type of sent) {
      const request = await receiver.next(
        ({ headers }) => headers['x-service-event-type'] === type,
      );
      const envelope = envelopeOf(request);
      const { data, time, ...rest } = envelope;
      const subject = /^(order|payment|invoice|checkout):(ord|pay|inv|chk)_[0-9A-Za-z]{24}$/;

      expect(rest).to.deep.include({
        specversion: '1.0',
        id: request.headers['webhook-id'],
        source: `${service.url}/v1/commerce`,
        type,
        datacontenttype: 'application/json',
        dataschema: `${service.url}/schemas/events/${type}/v1`,
        eventversion: 'v1',
        test: false,
      });

      expect((rest as { subject?: string }).subject).to.match(subject);
      expect(time).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Object.keys(envelope)).to.have.length(11);

      const schema = await schemaAt(envelope.dataschema);
      const { $id, ...published } = schema;
      expect($id).to.equal(envelope.dataschema);
      expect(published).to.deep.equal(opened(ownSchema(type)));
      expect(validate(data, ownSchema(type))).to.equal('');
      expect(validate(grown(data), published)).to.equal('');
      expect(validate({}, published)).not.to.equal('');

      const [record] = await recordedAs(tenant.rest, envelope.id, ['success']);
      expect(record).to.include({ event_type: type, event_version: 'v1' });
      if (type === 'cart.order.completed') expect(data['order']).to.include({ id: order.id });
    }
  });

  it('H85: sends at most 256 KiB, and refuses a larger event when it is published', async () => {
    const { tenant } = await arrange();
    await tenant.publish({ data: { text: 'x'.repeat(258_000) } });
    expect((await receiver.next()).body.length).to.be.within(258_000, 262_144);
    const refused = await tenant
      .publish({ data: { text: 'x'.repeat(262_144) } })
      .catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(GraphqlRefusal).and.include({ code: 'validation_failed' });
  });
});

async function schemaAt(url: string): Promise<Record<string, unknown>> {
  const response = await fetch(url);
  expect(response.status).to.equal(200);
  expect(response.headers.get('content-type')).to.equal('application/schema+json');
  return (await response.json()) as Record<string, unknown>;
}

/** Returns the errors of a value by a schema; empty if it is valid. */
function validate(value: unknown, schema: object): string {
  const ajv = new Ajv2020({ allErrors: true });
  formats.default(ajv);
  return ajv.validate(schema, value) ? '' : ajv.errorsText();
}

/** Returns the schema as receivers get it: later additions do not break them. */
function opened(schema: object): object {
  const drop = (name: string, value: unknown): unknown =>
    name === 'additionalProperties' && value === false ? undefined : value;
  return JSON.parse(JSON.stringify(schema, drop)) as object;
}

/** Returns the value with one more member in every object. */
function grown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(grown);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).map(([name, inner]) => [name, grown(inner)] as const);
  return { ...Object.fromEntries(members), added_later: 1 };
}

function ownSchema(type: string): object {
  const path = new URL(`../../../schema/events/${type}.v1.json`, import.meta.url);
  return JSON.parse(readFileSync(fileURLToPath(path), 'utf8')) as object;
}

interface Evidence {
  readonly url: string;
  readonly requestHeaders: readonly Header[];
  readonly responseHeaders: readonly Header[] | null;
  readonly responseBody: { readonly encoding: string; readonly content: string } | null;
  readonly timings: Readonly<Record<string, number | null>>;
  readonly address: string | null;
  readonly tlsVersion: string | null;
  readonly failure: string | null;
  readonly warning: string | null;
}

interface Header {
  readonly name: string;
  readonly value: string;
}

const query = `query ($account: ID) {
  webhookDeliveries(account: $account) {
    data {
      id
      evidence {
        url requestHeaders { name value } responseHeaders { name value }
        responseBody { encoding content truncated }
        timings { lookupMs connectMs tlsMs firstByteMs totalMs } address tlsVersion failure warning
      }
    }
  }
}`;

/** Postpones the next attempt until the test is over. */
const later = { 'retry-after': '3600' };

describe('evidence of deliveries', () => {
  let service: Service;
  let receiver: Receiver;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
  });

  beforeEach(async () => {
    receiver = await startReceiver();
    tenant = await createTenant(service);
  });

  afterEach(() => receiver.close());

  const evidenceOf = async (id: string) => {
    const { webhookDeliveries } = await tenant.graphql<{
      webhookDeliveries: { data: { id: string; evidence: Evidence | null }[] };
    }>(query, { account: tenant.account });
    return webhookDeliveries.data.find((delivery) => delivery.id === id)?.evidence;
  };

  it('H129, H130: keeps evidence of a failure and of the success after it, and of no other success', async () => {
    await createEndpoint(tenant.rest, { url: receiver.url('/hook?token=abc') });

    const cookie = { 'set-cookie': 'sid=1', 'content-type': 'text/plain; charset=latin1' };
    receiver.script(answer(503, { ...later, ...cookie }, Buffer.from('cassé', 'latin1')));

    const event = await tenant.publish({});
    await recordedAs(tenant.rest, event, ['failed']);
    await makeDue(service, event);

    const [failed, late] = await recordedAs(tenant.rest, event, ['failed', 'success']);
    const [prompt] = await recordedAs(tenant.rest, await tenant.publish({}), ['success']);

    const first = await evidenceOf(failed.id);
    expect(first).to.deep.include({
      url: receiver.url('/hook?token=***'),
      responseBody: { encoding: 'text', content: 'cassé', truncated: false },
      address: '127.0.0.1',
      tlsVersion: 'TLSv1.3',
      failure: 'The receiver responded with status 503.',
    });

    const names = (headers: readonly Header[] = []) => headers.map(({ name }) => name);
    expect(JSON.stringify(first?.requestHeaders)).not.to.match(/v1[=,]/);
    expect(names(first?.requestHeaders))
      .to.include('webhook-id')
      .and.not.include('webhook-signature');
    expect(names(first?.requestHeaders)).not.to.include('x-service-signature');
    expect(names(first?.responseHeaders ?? []))
      .to.include('date')
      .and.not.include('set-cookie');

    expect(first?.timings).to.have.all.keys(
      'lookupMs',
      'connectMs',
      'tlsMs',
      'firstByteMs',
      'totalMs',
    );

    expect(await evidenceOf(late.id)).to.deep.include({
      failure: null,
      warning: null,
      responseBody: { encoding: 'text', content: '', truncated: false },
    });

    expect(await evidenceOf(prompt.id)).to.equal(null);
  });

  it('H129: keeps evidence of a success whose body the receiver leaves open, and says so', async () => {
    await createEndpoint(tenant.rest, { url: receiver.url() });
    receiver.script(raw('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nok'));
    const { id } = await firstRecordedAs(tenant.rest, await tenant.publish({}), 'success');
    expect(await evidenceOf(id)).to.deep.include({
      failure: null,
      warning:
        'The receiver accepted the event, but its response is incomplete. (The receiver left the body open)',
      responseBody: { encoding: 'text', content: 'ok', truncated: false },
    });
  });

  it('H131: says why an attempt failed, and records nothing of a refused destination', async () => {
    const port = await freePort();
    const url = `https://127.0.0.1:${port}/`;
    const { id } = await createEndpoint(tenant.rest, { url });
    const refused = await firstRecordedAs(tenant.rest, await tenant.publish({}), 'failed');
    expect(await evidenceOf(refused.id)).to.deep.include({
      failure: 'The receiver refused the connection. (address 127.0.0.1; ECONNREFUSED)',
      responseHeaders: null,
      responseBody: null,
    });

    const inside = 'https://10.0.0.1/';
    await service.database.query('update endpoint set url = $2 where id = $1', [id, inside]);

    const blocked = await firstRecordedAs(tenant.rest, await tenant.publish({}), 'failed');
    expect(await evidenceOf(blocked.id)).to.deep.include({
      url: inside,
      timings: { lookupMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: null },
      address: null,
      failure: 'The service may not connect to an address of this host. Nothing was sent.',
    });
  });

  it('H158: keeps the responses of a hundred attempts an hour, and the failure reason of all', async () => {
    receiver.always(answer(503, later, 'refused'));

    await createEndpoint(tenant.rest, {
      url: receiver.url(),
      event_types: ['cart.order.completed'],
    });

    for (let count = 0; count < 250; count += 1) await tenant.publish({});

    const { account } = tenant;
    const hours = await eventually(async () => {
      const rows = await service.database.query<{ all: number; withBody: number }>(
        `select count(*)::int as all, count(v.body)::int as "withBody"
           from delivery d join delivery_evidence v on v.delivery_id = d.id
          where d.account_id = $1 group by date_trunc('hour', d.created_at)`,
        [account],
      );
      expect(rows.reduce((sum, { all }) => sum + all, 0)).to.equal(250);
      return rows;
    }, 'all attempts are recorded');

    // Those in flight when the hundredth ended keep theirs, too.
    for (const { all, withBody } of hours) expect(withBody).to.be.within(Math.min(all, 100), 200);
  });
});

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';
const publish = 'mutation ($input: PublishEventInput!) { publishEvent(input: $input) { id } }';
const publishAll = `mutation ($input: PublishEventInput!) {
  publishEvents(input: [$input], atomic: true) { id } }`;
const set = `mutation ($account: ID!, $sends: Boolean!) {
  setSendsTraceparent(account: $account, sends: $sends) { sendsTraceparent } }`;

describe('the trace of a publisher', () => {
  let service: Service;
  let receiver: Receiver;
  let tenant: Tenant;
  let internal: string;

  before(async () => {
    service = await sharedService();
  });

  beforeEach(async () => {
    receiver = await startReceiver();
    tenant = await createTenant(service);
    ({ token: internal } = await tenant.credential({ kind: 'internal' }));
    await createEndpoint(tenant.rest, { url: receiver.url('/hook') });
  });

  afterEach(() => receiver.close());

  const send = (sends: boolean) => tenant.graphql(set, { account: tenant.account, sends });

  /** The records of the account, once there are some. */
  const recordsOfAccount = () =>
    eventually(async () => {
      const records = await listDeliveries(tenant.rest);
      expect(records).not.to.deep.equal([]);
      return records as [DeliveryBody, ...DeliveryBody[]];
    }, 'the account has records');

  const input = () => ({
    account: tenant.account,
    type: 'cart.order.completed',
    subject: 'order:ord_1',
    data: sampleOf('cart.order.completed'),
  });

  /** Publishes with a header of the caller. @returns the header that the receiver gets */
  const arriving = async (header: string, query = publish) => {
    await callGraphql(service, internal, query, { input: input() }, { traceparent: header });
    return (await receiver.next()).headers['traceparent'];
  };

  it('H181: sends the trace to the receivers of an account that asked for it, and to no other', async () => {
    expect(await arriving(traceparent)).to.equal(undefined);
    expect(await send(true)).to.deep.equal({ setSendsTraceparent: { sendsTraceparent: true } });
    expect(await arriving(traceparent)).to.equal(traceparent);
    expect(await arriving(traceparent, publishAll)).to.equal(traceparent);
    await send(false);
    expect(await arriving(traceparent)).to.equal(undefined);
  });

  it('H181: ignores an invalid trace', async () => {
    await send(true);
    for (const header of ['', 'what', traceparent.toUpperCase(), `${traceparent}-more`]) {
      expect(await arriving(header), header).to.equal(undefined);
    }
  });

  it('H181: sends the same trace with retries and replays', async () => {
    await send(true);
    receiver.script(answer(500), answer(200), answer(200));
    expect(await arriving(traceparent)).to.equal(traceparent);
    const [{ event_id: event }] = await recordsOfAccount();
    await makeDue(service, event);
    expect((await receiver.next()).headers['traceparent']).to.equal(traceparent);
    const [, { id }] = await recordedAs(tenant.rest, event, ['failed', 'success']);
    await tenant.rest.post(`${deliveriesPath}/${id}/replay`);
    expect((await receiver.next()).headers['traceparent']).to.equal(traceparent);
  });
});
