import { expect } from 'chai';
import { answer } from '../support/behaviours.js';
import { createCheckout, payCheckout, ask, mailsAbout, makeOffer } from '../support/sales.js';
import { recordedAs } from '../support/delivery-records.js';
import {
  createEndpoint,
  dataOf,
  deliveriesPath,
  type DeliveryBody,
  endpointInput,
  endpointsPath,
} from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type Reply, sendRaw } from '../support/rest-client.js';
import { type Service, startService } from '../support/service.js';
import { callGraphql, createTenant, type Tenant } from '../support/tenants.js';

type Line = Readonly<Record<string, unknown>>;

describe('the logs of a whole story', () => {
  let service: Service;
  let receiver: Receiver;
  let tenant: Tenant;

  /** What must not be in any log. */
  const secrets: string[] = [];
  const replies: Reply[] = [];
  const records: DeliveryBody[] = [];

  before(async () => {
    service = await startService({ environment: { LOG_LEVEL: 'trace', BASE_URL: '' } });
    receiver = await startReceiver();
    tenant = await createTenant(service);
    await logLine();
  });

  after(async () => {
    await service.stop();
    await receiver.close();
  });

  const note = async (reply: Promise<Reply>): Promise<Reply> => {
    replies.push(await reply);
    return reply;
  };

  async function logLine(): Promise<void> {
    const { rest } = tenant;
    const { token: internal } = await tenant.credential({ kind: 'internal' });
    const { token: dashboard } = await tenant.credential({ kind: 'dashboard' });
    secrets.push(rest.token ?? '', internal, dashboard, 'whsec_leaked', 'sk_live_unknown');

    const endpoint = await createEndpoint(rest, { url: receiver.url() });
    const path = `${endpointsPath}/${endpoint.id}`;
    const rotated = await note(rest.post(`${path}/secret-rotations`));
    const { signing_secret: second } = dataOf<{ signing_secret: string }>(rotated, 200);
    secrets.push(endpoint.signing_secret, second);

    receiver.script(answer(503, { 'retry-after': '3600' }));

    const id = await createCheckout(tenant, { metadata: { customer: 'c-1' } });
    await payCheckout(tenant, id);

    const request = await receiver.next();
    const [failed] = await recordedAs(rest, request.headers['webhook-id'] ?? '', ['failed']);
    const replay = await note(rest.post(`${deliveriesPath}/${failed.id}/replay`));
    records.push(failed, dataOf<DeliveryBody>(replay, 200));

    await note(rest.as(dashboard).get(deliveriesPath));
    await note(rest.as('sk_live_unknown').get(deliveriesPath));
    await note(rest.get(`${path}?token=1`));
    await note(rest.post(endpointsPath, { signing_secret: 'whsec_leaked', url: 'x' }));
    await note(rest.send('POST', endpointsPath, { bytes: '{"signing_secret":"whsec_leaked"' }));
    await note(rest.delete(path));

    const raw = `GET /v1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${internal}\r\nX-a : b\r\n\r\n`;
    await note(sendRaw(service.url, raw));

    const { createCredential } = await callGraphql<{ createCredential: { token: string } }>(
      service,
      internal,
      `mutation ($input: CreateCredentialInput!) { createCredential(input: $input) { token } }`,
      { input: { account: tenant.account, kind: 'live' } },
    );

    secrets.push(createCredential.token);
    await callGraphql(service, dashboard, 'mutation { nothing }').catch(() => undefined);
    secrets.push(service.environment['SECRET_KEY']?.split(':')[1] ?? '');
    secrets.push(new URL(service.database.url).href, 'postgres:test@');
  }

  const outputs = () => [service.api, ...service.workers].flatMap(({ lines }) => lines);
  const lines = (): Line[] => outputs().map((line) => JSON.parse(line) as Line);

  it('logs a warning first when BASE_URL is not set', () => {
    for (const { lines } of [service.api, ...service.workers]) {
      const warned = lines.find((line) => line.includes('BASE_URL is not set'));
      expect(JSON.parse(warned ?? '{}')).to.include({ level: 40 });
    }
  });

  it('H239: names SMTP_URL and the folder of mails once where a worker writes them as files', () => {
    const [worker] = service.workers;
    const warned = (worker?.lines ?? []).filter((line) => line.includes('SMTP_URL is not set'));
    expect(warned).to.have.lengthOf(1);
    const { level, msg } = JSON.parse(warned[0] ?? '{}') as { level: number; msg: string };
    expect(level).to.equal(40);
    expect(msg).to.match(/ to \/\S+\/mail instead /);
  });

  it('logs no token, no signing secret, no key and no password', () => {
    const text = outputs().join('\n');
    expect(text.length).to.be.greaterThan(1_000);
    for (const secret of secrets) {
      expect(secret.length).to.be.greaterThan(5);
      expect(text.includes(secret), `${secret.slice(0, 9)}… is in the logs`).to.equal(false);
      const random = secret.split('_').at(-1) ?? '';
      if (random.length > 20) expect(text.includes(random)).to.equal(false);
    }
    for (const body of ['buyer@example.com', 'c-1"', 'ops@shop.example.com']) {
      expect(text.includes(body), `${body} is in the logs`).to.equal(false);
    }
  });

  it('H94: logs one line for each request, with its id, its account and its outcome', async () => {
    for (const { headers, status, body } of replies) {
      const id = headers['x-request-id'];
      const line = await eventually(
        () => {
          const matching = lines().filter((line) => line['request_id'] === id);
          expect(matching).to.have.length(1);
          return matching[0];
        },
        `a line for ${id ?? ''}`,
      );

      const code = (body as { code?: string } | undefined)?.code;
      if (code) expect(line?.['code']).to.equal(code);

      // A request that the parser refused has no caller.
      if (code === 'malformed_request') continue;

      expect(line).to.include({ msg: 'request', status });
      expect(line?.['duration_ms']).to.be.a('number');
      expect(line).to.include.keys('operation', 'method', 'path');
      if (status !== 401) expect(line).to.include({ account: tenant.account });
    }
  });

  it('logs who made each call on the internal port, and which call it was', async () => {
    const calls = await eventually(() => {
      const matching = lines().filter(({ operation }) => operation === 'createCredential');
      expect(matching).to.have.length(1);
      return matching;
    }, 'a line for the call');
    expect(calls[0]).to.include({ path: '/graphql', status: 200, kind: 'internal' });
    expect(calls[0]).to.include.keys('account', 'credential', 'request_id', 'duration_ms');
  });

  it('logs one line for each attempt, with the ids of delivery, event, endpoint and account', async () => {
    for (const record of records) {
      const attempts = await eventually(() => {
        const matching = lines().filter((line) => line['delivery'] === record.id);
        expect(matching).to.have.length(1);
        return matching;
      }, `a line for ${record.id}`);

      expect(attempts[0]).to.include({
        msg: 'attempt',
        account: tenant.account,
        event: record.event_id,
        event_type: record.event_type,
        attempt: record.attempt,
        status: record.status,
        response_status: record.response_status,
        ...(record.replayed_from !== undefined && { replayed_from: record.replayed_from }),
      });

      expect(attempts[0]).to.include.keys('endpoint', 'pending_delivery', 'duration_ms');
    }
  });

  it('logs data that PostgreSQL refused and that the domain should have refused by name', async () => {
    await service.database.query(
      `create function refuse() returns trigger language plpgsql as
       $$ begin raise 'out of range' using errcode = '22003'; end $$`,
    );

    await service.database.query(
      `create trigger refuse before insert on endpoint execute function refuse()`,
    );

    const refused = await tenant.rest.post(endpointsPath, endpointInput());
    expect(refused.status).to.equal(422);

    const [refusal] = await eventually(() => {
      const matching = lines().filter(
        (line) => line['request_id'] === refused.headers['x-request-id'],
      );
      expect(matching).to.have.length(1);
      return matching;
    }, 'a line for the request');

    expect(refusal).to.include({ level: 40, code: 'validation_failed', status: 422 });
    expect(refusal?.['err']).to.include({ message: 'out of range', code: '22003' });
  });

  it('logs JSON, line by line, with time, level and process', () => {
    for (const line of lines()) {
      expect(line).to.include.keys('time', 'level', 'process', 'pid', 'msg');
    }
  });
});

describe('ids that open pages, in the logs', () => {
  let service: Service;

  before(async () => {
    service = await startService({ environment: { LOG_LEVEL: 'trace' } });
  });
  after(() => service.stop());

  const lines = () => [service.api, ...service.workers].flatMap((running) => running.lines);

  it('cuts ids that open pages in each request and in each spelling', async () => {
    const tenant = await createTenant(service);
    const { rest } = tenant;
    const { token } = await tenant.credential({ kind: 'internal' });
    const checkout = await createCheckout(tenant);
    const offer = await makeOffer(rest);
    await mailsAbout(service, offer.id, 1);

    for (const id of [checkout, offer.id]) {
      for (const written of [
        id,
        id.replace('_', '%5F'),
        `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`,
      ]) {
        await rest.get(`/v1/commerce/checkouts/${written}`);
        await rest.get(`/v1/commerce/offers/${written}/nothing`);
      }

      await rest.get('/v1/nothing', { headers: { 'x-request-id': `req-${id}` } });

      const query = `query ${id} { checkout(id: "${id}") { id } }`;
      await callGraphql(service, token, query).catch(() => undefined);
    }

    await ask(rest, offer.id, 'cancel');
    await payCheckout(tenant, checkout);

    for (const id of [checkout, offer.id]) {
      const shown = `${id.slice(0, 12)}…`;
      await eventually(() => {
        const matching = lines().filter((line) => line.includes(shown));
        expect(matching.length).to.be.at.least(6);
        expect(matching.join()).to.include(`/v1/commerce/checkouts/${shown}"`);
      }, `lines of ${shown}`);
      expect(lines().filter((line) => line.includes(id.slice(12)))).to.deep.equal([]);
    }
  });
});
