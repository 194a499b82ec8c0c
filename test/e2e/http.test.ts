import { expect } from 'chai';
import { fetch } from 'undici';
import { type OperationId, contract } from '../../src/http/rest/contract.js';
import {
  createEndpoint,
  deliveriesPath,
  endpointsPath,
  toProblem,
  type ProblemBody,
} from '../support/endpoints.js';
import { publicOperations, unknownSubjects } from '../support/every-operation.js';
import { type Reply, type RestClient, sendRaw } from '../support/rest-client.js';
import { type Service, sharedService, startService } from '../support/service.js';
import { createTenant } from '../support/tenants.js';
import { allowedMs, type BesideProbe, besideProbe } from '../support/eventually.js';

const readable: Readonly<Record<string, string>> = {
  '/v1/webhooks/endpoints': 'GET, HEAD, OPTIONS, POST',
  '/v1/webhooks/endpoints/whs_1': 'DELETE, GET, HEAD, OPTIONS, PATCH',
  '/v1/webhooks/endpoints/whs_1/event-subscriptions': 'OPTIONS, PUT',
  '/v1/webhooks/endpoints/whs_1/secret-rotations': 'OPTIONS, POST',
  '/v1/webhooks/deliveries': 'GET, HEAD, OPTIONS',
  '/v1/webhooks/deliveries/whd_1/replay': 'OPTIONS, POST',
  '/v1/webhooks/event-types': 'GET, HEAD, OPTIONS',
  '/v1/commerce/checkouts/chk_12345678': 'GET, HEAD, OPTIONS',
};

describe('the public interface', () => {
  let service: Service;
  let rest: RestClient;

  before(async () => {
    service = await sharedService();
    ({ rest } = await createTenant(service));
  });

  const accepting = (accept: string) => rest.get(endpointsPath, { headers: { accept } });

  it('H93: sends JSON unless the client excludes it', async () => {
    for (const accept of [
      '*/*',
      'application/*',
      'application/json',
      'application/problem+json',
      'text/html, */*;q=0.1',
      'text/html;q=0.9, application/json;q=0.1',
      'application/json; charset=utf-8',
      '',
    ]) {
      const { status, headers } = await accepting(accept);
      expect([status, headers['content-type']], accept).to.deep.equal([
        200,
        'application/json; charset=utf-8',
      ]);
    }
  });

  it('H93: answers 406 to an Accept that excludes JSON, as a problem all the same', async () => {
    for (const accept of [
      'text/html',
      'application/xml, text/*',
      'application/json;q=0',
      '*/*;q=0',
    ]) {
      expect(toProblem(await accepting(accept), 406).code, accept).to.equal('not_acceptable');
    }
    const unknown = await rest.get('/v1/nothing', { headers: { accept: 'text/html' } });
    expect(unknown.headers).to.include({ 'content-type': 'application/problem+json' });
  });

  it('H93: answers HEAD as GET, without the body', async () => {
    await createEndpoint(rest);
    for (const path of [endpointsPath, '/v1/webhooks/event-types', '/v1/nothing']) {
      const get = await rest.get(path);
      const head = await rest.send('HEAD', path);
      expect(head.text).to.equal('');
      for (const name of ['content-type', 'content-length', 'cache-control']) {
        expect(head.headers[name], name).to.equal(get.headers[name]);
      }
      expect(head.status).to.equal(get.status);
    }
  });

  it('H93: answers OPTIONS with the methods of a path, without a credential', async () => {
    for (const [path, allow] of Object.entries(readable)) {
      const reply = await rest.as('').send('OPTIONS', path);
      expect([reply.status, reply.headers['allow']], path).to.deep.equal([204, allow]);
    }
    expect((await rest.send('OPTIONS', '/v1/nothing')).status).to.equal(404);
  });

  it('H93: answers 405 with Allow where the path has other methods', async () => {
    for (const [path, allow] of Object.entries(readable)) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        if (allow.includes(method)) continue;
        const reply = await rest.send(method, path, { key: null });
        expect(toProblem(reply, 405).code).to.equal('method_not_allowed');
        expect(reply.headers['allow']).to.equal(allow);
      }
    }
  });

  it('H93: matches paths by their exact letters, without a slash at the end', async () => {
    for (const path of [
      '//',
      '/V1',
      '//v1',
      '/v1/',
      '/v1/webhooks/endpoints/',
      '/v1/Webhooks/endpoints',
      '/V1/webhooks/endpoints',
      '//v1/webhooks/endpoints',
      '/v1/webhooks//endpoints',
      '/v2/webhooks/endpoints',
      '/v1/webhooks/event-types/cart.order.completed',
      '/graphql',
      '/metrics',
      '/livez',
    ]) {
      expect(toProblem(await rest.get(path), 404).code, path).to.equal('not_found');
    }
  });

  it('answers 404 to ids that cannot exist', async () => {
    for (const id of [
      '%00',
      'whs_%00',
      '%zz',
      '%E0%A4%A',
      'whs_%F0%9F%98%80',
      '%2e%2e',
      'x'.repeat(4_000),
    ]) {
      expect((await rest.get(`${endpointsPath}/${id}`)).status, id.slice(0, 20)).to.equal(404);
    }
  });

  it('H94: gives every response an id, which problems repeat', async () => {
    const { id } = await createEndpoint(rest);
    const mine = { headers: { 'x-request-id': 'req_mine' } };
    const replies: Reply[] = [
      await rest.get(endpointsPath, mine),
      await rest.get('/v1/nothing', mine),
      await rest.as('none').get(endpointsPath, mine),
      await rest.delete(`${endpointsPath}/${id}`, mine),
      await rest.send('OPTIONS', endpointsPath, mine),
      await rest.send('HEAD', endpointsPath, mine),
      await rest.send('POST', endpointsPath, {
        bytes: '{',
        headers: { 'content-type': 'application/json' },
      }),
    ];
    for (const { headers, body } of replies) {
      expect(headers['x-request-id']).to.match(/^req_[0-9A-Za-z]{24}$/);
      expect(headers['cache-control']).to.equal('no-store');
      const problem = body as Partial<ProblemBody> | undefined;
      if (problem?.code) expect(problem.request_id).to.equal(headers['x-request-id']);
    }

    const ids = replies.map(({ headers }) => headers['x-request-id']);
    expect(new Set(ids).size).to.equal(replies.length);
  });

  it('serves a page for the type of every problem', async () => {
    const { type } = toProblem(await rest.get('/v1/nothing'), 404);
    expect(type).to.equal(`${service.url}/problems/not-found`);

    for (const name of [
      'not-found',
      'validation-failed',
      'idempotency-key-in-progress',
      'service-unavailable',
    ]) {
      const page = await fetch(`${service.url}/problems/${name}`);
      expect(page.status).to.equal(200);
      expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(page.headers.get('x-frame-options')).to.equal('DENY');
      expect(page.headers.get('content-security-policy')).to.match(
        /^default-src 'none';.*frame-ancestors 'none'$/,
      );
      expect(await page.text()).to.contain(name.replaceAll('-', '_'));
    }

    expect((await rest.get('/problems/none')).status).to.equal(404);
    expect((await rest.get('/schemas/events/none/v1')).status).to.equal(404);

    const post = await rest.send('POST', '/problems/not-found', { key: null });
    expect([post.status, post.headers['allow']]).to.deep.equal([405, 'GET, HEAD, OPTIONS']);
  });

  describe('a limit of 20 requests a minute', () => {
    let limited: Service;

    before(async () => {
      limited = await startService({ environment: { RATE_LIMIT: '20' }, workers: 0 });
    });
    after(() => limited.stop());

    it('H95: tells each account how many requests are left, then refuses every operation of that limit', async () => {
      const { rest: mine } = await createTenant(limited);
      const left: (string | undefined)[] = [];
      for (let count = 0; count < 20; count += 1) {
        const { status, headers } = await mine.get(deliveriesPath);
        expect(status).to.equal(200);
        expect(headers['ratelimit-policy']).to.equal('"default";q=20;w=60');
        left.push(/^"default";r=(\d+);t=\d+$/.exec(headers['ratelimit'] ?? '')?.[1]);
      }

      expect(left).to.deep.equal(Array.from({ length: 20 }, (_, index) => String(19 - index)));

      for (const operation of publicOperations) {
        if (contract[operation.id as OperationId].rateLimit !== 'default') continue;
        const refused = await mine.send(operation.method, operation.path(unknownSubjects), {
          key: null,
        });
        expect(toProblem(refused, 429).code, operation.id).to.equal('rate_limit_exceeded');
        expect(refused.headers['ratelimit']).to.match(/^"default";r=0;t=\d+$/);
        expect(Number(refused.headers['retry-after'])).to.be.within(1, 60);
      }

      const { rest: other } = await createTenant(limited);
      expect((await other.get(deliveriesPath)).status).to.equal(200);
    });

    it('H95: limits failed look-ups by address, and still serves known clients there', async () => {
      const { rest: mine } = await createTenant(limited);
      expect((await mine.get(deliveriesPath)).status).to.equal(200);
      const statuses: number[] = [];
      for (let count = 0; count < 4; count += 1) {
        statuses.push((await mine.as(`sk_live_${count}`).get(deliveriesPath)).status);
      }
      expect(statuses).to.deep.equal([401, 401, 429, 429]);
      const refused = await mine.as('sk_live_4').get(deliveriesPath);
      expect(refused.headers).to.have.property('retry-after');
      expect(refused.headers).not.to.have.any.keys('ratelimit', 'ratelimit-policy');
      expect((await mine.get(deliveriesPath)).status).to.equal(200);
    });
  });
});

describe('requests that break the rules of HTTP', () => {
  let service: Service;
  let rest: RestClient;
  let tooSlow: Promise<Reply>;
  let tooSlowBody: Promise<BesideProbe<Reply>>;

  before(async () => {
    service = await sharedService();
    ({ rest } = await createTenant(service));
    tooSlow = sendRaw(service.url, `GET ${endpointsPath} HTTP/1.1\r\nHost: a\r\n`);

    const headers = lines(
      `POST ${endpointsPath} HTTP/1.1`,
      'Host: a',
      authorization(),
      'Idempotency-Key: slow',
      'Content-Type: application/json',
      'Content-Length: 100',
    );

    const alive = async () => (await fetch(`${service.internalUrl}/livez`)).text();
    tooSlowBody = besideProbe(alive, () => sendRaw(service.url, headers, '{"url":'));
  });

  const lines = (...headers: readonly string[]) => [...headers, '', ''].join('\r\n');
  const get = (...headers: readonly string[]) =>
    sendRaw(service.url, lines(`GET ${endpointsPath} HTTP/1.1`, ...headers, 'Connection: close'));
  const authorization = () => `Authorization: Bearer ${rest.token ?? ''}`;

  it('answers 200 to the valid request that the others differ from', async () => {
    expect((await get('Host: a', authorization())).status).to.equal(200);
  });

  for (const [what, headers] of Object.entries({
    'have two Host headers': ['Host: a', 'Host: b'],
    'have the same Host header twice': ['Host: a', 'Host: a'],
    'have no Host header': [],
    'have a NUL in a header': ['Host: a', 'X-Note: a\0b'],
    'have a space before the colon': ['Host: a', 'X-Note : b'],
    'have a header without a colon': ['Host: a', 'X-Note'],
    'have two lengths': ['Host: a', 'Content-Length: 1', 'Content-Length: 2'],
    'have a length and chunks': ['Host: a', 'Content-Length: 1', 'Transfer-Encoding: chunked'],
    'have a length that is not a number': ['Host: a', 'Content-Length: many'],
  })) {
    it(`H94: answers requests with a problem when they ${what}`, async () => {
      const refused = await get(...headers, authorization());
      expect(toProblem(refused, 400).code).to.equal('malformed_request');
      expect(refused.headers).to.include({ connection: 'close', 'cache-control': 'no-store' });
    });
  }

  for (const [what, line] of Object.entries({
    'a target of another scheme': `GET ftp://127.0.0.1${endpointsPath} HTTP/1.1`,
    'a target with a user': `GET http://me@127.0.0.1${endpointsPath} HTTP/1.1`,
    'a target without a host': `GET http://${endpointsPath} HTTP/1.1`,
    'a target that is not a path': 'GET v1 HTTP/1.1',
    'an unknown method': `FETCH ${endpointsPath} HTTP/1.1`,
    'an unknown version': `GET ${endpointsPath} HTTP/9.9`,
    'a line that is not HTTP': 'hello',
  })) {
    it(`H94: answers ${what} with a problem`, async () => {
      const refused = await sendRaw(service.url, lines(line, 'Host: a', authorization()));
      expect(toProblem(refused, 400).code).to.equal('malformed_request');
    });
  }

  it('H106: accepts an absolute-form target, and reads only its path', async () => {
    for (const target of [
      `http://127.0.0.1${endpointsPath}`,
      `HTTPS://api.example:8443${endpointsPath}?limit=1`,
    ]) {
      const line = `GET ${target} HTTP/1.1`;
      const headers = ['Host: a', authorization(), 'Connection: close'];
      expect((await sendRaw(service.url, lines(line, ...headers))).status, target).to.equal(200);
    }

    for (const target of ['http://api.example', 'http://api.example?x=1']) {
      const line = `GET ${target} HTTP/1.1`;
      const reply = await sendRaw(service.url, lines(line, 'Host: a', 'Connection: close'));
      expect(reply.status, target).to.equal(200);
    }
  });

  it('answers 431 to more than 16 KiB of headers', async () => {
    const big = await get('Host: a', `X-Note: ${'x'.repeat(20_000)}`);
    expect(toProblem(big, 431).code).to.equal('headers_too_large');
    expect(big.headers).to.include({ connection: 'close' });
    const many = await get('Host: a', ...Array.from({ length: 2_000 }, (_, i) => `X-${i}: note`));
    expect(toProblem(many, 431).code).to.equal('headers_too_large');
    const fits = await get('Host: a', authorization(), `X-Note: ${'x'.repeat(15_000)}`);
    expect(fits.status).to.equal(200);
  });

  it('serves the requests after malformed ones', async () => {
    expect((await rest.get(endpointsPath)).status).to.equal(200);
  });

  it('answers 408 when the headers do not arrive within 10 seconds', async () => {
    expect(toProblem(await tooSlow, 408).code).to.equal('request_timeout');
  });

  it('H105: answers 408 when the body does not arrive within 10 seconds', async () => {
    const { value: refused, ...times } = await tooSlowBody;
    expect(times.tookMs).to.be.below(allowedMs(10_000, times));
    expect(toProblem(refused, 408).code).to.equal('request_timeout');
    expect(refused.headers).to.include({ connection: 'close' });
  });
});
