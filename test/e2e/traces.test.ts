import { expect } from 'chai';
import { answer } from '../support/behaviours.js';
import { makeDue, recordedAs } from '../support/delivery-records.js';
import { createEndpoint, deliveriesPath } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type ExportedSpan, type OtlpCollector, startOtlpCollector } from '../support/otlp.js';
import { type NameServer, startNameServer } from '../support/name-server.js';
import { preloaded } from '../support/preloaded.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { sampleOf } from '../support/random.js';
import { type Service, startService } from '../support/service.js';
import { callGraphql, createTenant, type Tenant } from '../support/tenants.js';

const trace = '0af7651916cd43dd8448eb211c80319c';
const caller = 'b7ad6b7169203331';
const publish = `mutation publish($input: PublishEventInput!) {
  publishEvent(input: $input) { id } }`;

describe('traces', () => {
  let service: Service;
  let collector: OtlpCollector;
  let nameServer: NameServer;
  let receiver: Receiver;
  let tenant: Tenant;
  let internal: string;

  before(async () => {
    collector = await startOtlpCollector();
    nameServer = await startNameServer((_name, type) => (type === 'A' ? ['127.0.0.1'] : []));

    service = await startService({
      environment: {
        ...preloaded('preload-name-server'),
        NAME_SERVER: nameServer.address,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_BSP_SCHEDULE_DELAY: '200',
        // The API records what callers record, and nothing else.
        OTEL_TRACES_SAMPLER: 'parentbased_always_off',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      },
    });
  });

  after(async () => {
    await service.stop();
    await nameServer.close();
    await collector.close();
  });

  beforeEach(async () => {
    receiver = await startReceiver();
    tenant = await createTenant(service);
    ({ token: internal } = await tenant.credential({ kind: 'internal' }));
    await createEndpoint(tenant.rest, { url: receiver.url('/hook') });
  });

  afterEach(() => receiver.close());

  const publishIn = async (traceparent: string) => {
    const input = { account: tenant.account, type: 'cart.order.completed', subject: 'order:ord_1' };
    const variables = { input: { ...input, data: sampleOf(input.type) } };
    const { publishEvent } = await callGraphql<{ publishEvent: { id: string } }>(
      service,
      internal,
      publish,
      variables,
      { traceparent },
    );
    return publishEvent.id;
  };

  /** The spans of an event: those that name it, with what is around and inside them. */
  const spansOf = (event: string, deliveries: number) =>
    eventually(() => {
      const { spans } = collector;
      const eventSpans = spans.filter(({ attributes }) => attributes['signalpost.event'] === event);
      const delivers = eventSpans.filter(({ name }) => name === 'deliver');
      expect(delivers).to.have.lengthOf(deliveries);
      const insides = delivers.map(({ id }) => spans.filter(({ parent }) => parent === id));
      for (const inside of insides) expect(inside).to.have.lengthOf(3);
      const commit = found(eventSpans, ({ name }) => name === 'commit');
      const publishing = found(spans, ({ id }) => id === commit.parent);
      const request = found(spans, ({ id }) => id === publishing.parent);
      expect([publishing.name, request.name]).to.deep.equal(['publish', 'POST /graphql']);
      return { request, publishing, commit, delivers, insides };
    }, `the spans of ${event} are exported`);

  it('H180: one trace leads from the request over commit and attempt to the record', async () => {
    const event = await publishIn(`00-${trace}-${caller}-01`);
    await receiver.next();

    const { request, publishing, commit, delivers, insides } = await spansOf(event, 1);
    const [deliver] = delivers as [ExportedSpan];
    const [inside = []] = insides;

    for (const span of [request, publishing, commit, deliver, ...inside]) {
      expect(span.trace, span.name).to.equal(trace);
      expect(span.endNs >= span.startNs, span.name).to.equal(true);
    }

    expect(request).to.include({ service: 'signalpost-api', parent: caller, failed: false });

    expect(request.attributes).to.include({
      'http.response.status_code': 200,
      'graphql.operation.name': 'publishEvent',
    });

    expect(commit.attributes['signalpost.group.events']).to.equal(1);
    expect(deliver).to.include({ service: 'signalpost-worker', parent: publishing.id });
    expect(inside.map(({ name }) => name)).to.have.members(['claim', 'attempt', 'record']);

    const [record] = await recordedAs(tenant.rest, event, ['success']);
    expect(deliver.attributes).to.include({
      'signalpost.account': tenant.account,
      'signalpost.delivery': record.id,
      'signalpost.status': 'success',
      'signalpost.attempt': 1,
    });

    const attempt = inside.find(({ name }) => name === 'attempt');

    // The URL has an address, so nothing is looked up.
    const phases = collector.spans.filter(({ parent }) => parent === attempt?.id);
    expect(phases.map(({ name }) => name)).to.have.members(['connect', 'tls', 'send', 'wait']);

    const startOf = (name: string) => found(phases, (phase) => phase.name === name).startNs;
    const begins = ['connect', 'tls', 'send', 'wait'].map(startOf);
    expect(
      begins.every((begin, index) => index === 0 || begin >= (begins[index - 1] ?? begin)),
    ).to.equal(true);
  });

  it('H180: the trace of an attempt at a host name begins with its lookup', async () => {
    await createEndpoint(tenant.rest, { url: receiver.url('/named', 'shop.receiver.test') });
    const event = await publishIn(`00-${trace}-${caller}-01`);
    const { insides } = await spansOf(event, 2);
    const attempts = insides.flat().filter(({ name }) => name === 'attempt');
    const phases = attempts.map(({ id }) => {
      const children = collector.spans.filter(({ parent }) => parent === id);
      children.sort((one, other) => Number(one.startNs - other.startNs));
      return children.map(({ name }) => name);
    });
    const sending = ['connect', 'tls', 'send', 'wait'];
    expect(phases).to.have.deep.members([sending, ['dns', ...sending]]);
  });

  it('H180: retries and replays have separate traces that link to the first', async () => {
    receiver.script(answer(503, { 'retry-after': '3600' }), answer(200), answer(200));

    const event = await publishIn(`00-${trace}-${caller}-01`);
    await recordedAs(tenant.rest, event, ['failed']);
    await makeDue(service, event);

    const [, { id }] = await recordedAs(tenant.rest, event, ['failed', 'success']);
    await tenant.rest.post(`${deliveriesPath}/${id}/replay`);

    const { publishing, delivers } = await spansOf(event, 3);
    const later = delivers.filter((span) => span.trace !== trace);
    expect(later).to.have.lengthOf(2);

    for (const { parent, links } of later) {
      expect([parent, links]).to.deep.equal(['', [`${trace} ${publishing.id}`]]);
    }

    const failed = delivers.filter((span) => span.failed);
    expect(failed.map((span) => span.attributes['signalpost.attempt'])).to.deep.equal([1]);
  });

  it('H180: records no trace if the publisher says so, and logs the ids of those that it records', async () => {
    const quiet = 'f'.repeat(32);
    await publishIn(`00-${quiet}-${caller}-00`);
    await receiver.next();

    const event = await publishIn(`00-${trace}-${caller}-01`);
    await receiver.next();

    const { request } = await spansOf(event, 1);
    expect(collector.spans.filter((span) => span.trace === quiet)).to.deep.equal([]);

    // Requests that no caller traces are not recorded either, such as those for accounts and endpoints.
    const others = collector.spans.filter(
      ({ parent, links }) => parent === '' && links.length === 0,
    );
    expect(others).to.deep.equal([]);

    await eventually(() => {
      const lines = service.api.lines.filter((line) => line.includes(request.id));
      expect(lines).to.have.lengthOf(1);
      expect(lines[0]).to.include(`"trace_id":"${trace}"`);
    }, 'the log names the span');

    await eventually(() => {
      const lines = service.workers.flatMap((worker) => worker.lines);
      const attempts = lines.filter((line) => line.includes(event) && line.includes('"attempt":1'));
      expect(attempts).to.have.lengthOf(1);
      expect(attempts[0]).to.include(`"trace_id":"${trace}"`);
    }, 'the line of the attempt names the trace');
  });
});

function found(
  spans: readonly ExportedSpan[],
  isIt: (span: ExportedSpan) => boolean,
): ExportedSpan {
  const span = spans.find(isIt);
  if (!span) throw new Error('the span was not exported');
  return span;
}

describe('traces without a collector', () => {
  it('H180: delivers all the same, and logs why it exports no traces', async () => {
    const service = await startService({
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
        OTEL_BSP_SCHEDULE_DELAY: '50',
        OTEL_EXPORTER_OTLP_TIMEOUT: '500',
      },
    });

    const receiver = await startReceiver();
    try {
      const tenant = await createTenant(service);
      await createEndpoint(tenant.rest, { url: receiver.url('/hook') });
      await recordedAs(tenant.rest, await tenant.publish({}), ['success']);
      await eventually(
        () => expect(service.api.lines.join('\n')).to.include('could not export traces'),
        'the API says that it cannot export',
      );
    } finally {
      await receiver.close();
      await service.stop();
    }
  });
});
