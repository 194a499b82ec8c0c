import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { fetch } from 'undici';
import { createCheckout, payCheckout } from '../support/sales.js';
import { recordedAs } from '../support/delivery-records.js';
import { createEndpoint } from '../support/endpoints.js';
import { answer } from '../support/behaviours.js';
import { describedHeaders } from '../support/contract.js';
import { type ReceivedRequest, type Receiver, startReceiver, verify } from '../support/receiver.js';
import { repositoryRoot } from '../support/repository.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, GraphqlRefusal } from '../support/tenants.js';

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

describe('what a receiver gets', () => {
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

  it('H81: a POST with JSON, our name, and every header that says what it is', async () => {
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

  it('H81: names of headers that are spelled as in every document', async () => {
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

  it('H82: signatures that stripe and standardwebhooks verify, made at the time of the attempt', async () => {
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

  it('H83, H84: CloudEvents of every type that is sent, valid against the schemas they point to', async () => {
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

  it('H85: no more than 256 KiB; a larger event is refused when it is published', async () => {
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

/** What a schema has to say against a value; empty when nothing. */
function validate(value: unknown, schema: object): string {
  const ajv = new Ajv2020({ allErrors: true });
  formats.default(ajv);
  return ajv.validate(schema, value) ? '' : ajv.errorsText();
}

/** As receivers get it: what is added later does not break them. */
function opened(schema: object): object {
  const drop = (name: string, value: unknown): unknown =>
    name === 'additionalProperties' && value === false ? undefined : value;
  return JSON.parse(JSON.stringify(schema, drop)) as object;
}

/** The same with a member more in every object. */
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
