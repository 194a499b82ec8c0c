import { expect } from 'chai';
import { fetch } from 'undici';
import { allowedMs, type BesideProbe, besideProbe } from '../support/eventually.js';
import { endpointsPath, toProblem } from '../support/endpoints.js';
import { type Reply, type RestClient, sendRaw } from '../support/rest-client.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant } from '../support/tenants.js';

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

  it('differ from a valid request, which gets 200', async () => {
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
    'have a length that is no number': ['Host: a', 'Content-Length: many'],
  })) {
    it(`H94: are answered with a problem when they ${what}`, async () => {
      const refused = await get(...headers, authorization());
      expect(toProblem(refused, 400).code).to.equal('malformed_request');
      expect(refused.headers).to.include({ connection: 'close', 'cache-control': 'no-store' });
    });
  }

  for (const [what, line] of Object.entries({
    'a target of another scheme': `GET ftp://127.0.0.1${endpointsPath} HTTP/1.1`,
    'a target with a user': `GET http://me@127.0.0.1${endpointsPath} HTTP/1.1`,
    'a target without a host': `GET http://${endpointsPath} HTTP/1.1`,
    'a target that is no path': 'GET v1 HTTP/1.1',
    'an unknown method': `FETCH ${endpointsPath} HTTP/1.1`,
    'an unknown version': `GET ${endpointsPath} HTTP/9.9`,
    'no sense': 'hello',
  })) {
    it(`H94: are answered with a problem when they have ${what}`, async () => {
      const refused = await sendRaw(service.url, lines(line, 'Host: a', authorization()));
      expect(toProblem(refused, 400).code).to.equal('malformed_request');
    });
  }

  it('H106: do not include an absolute-form target, which is taken by its path', async () => {
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

  it('are 431 with more than 16 KiB of headers', async () => {
    const big = await get('Host: a', `X-Note: ${'x'.repeat(20_000)}`);
    expect(toProblem(big, 431).code).to.equal('headers_too_large');
    expect(big.headers).to.include({ connection: 'close' });
    const many = await get('Host: a', ...Array.from({ length: 2_000 }, (_, i) => `X-${i}: note`));
    expect(toProblem(many, 431).code).to.equal('headers_too_large');
    const fits = await get('Host: a', authorization(), `X-Note: ${'x'.repeat(15_000)}`);
    expect(fits.status).to.equal(200);
  });

  it('do not disturb those after them', async () => {
    expect((await rest.get(endpointsPath)).status).to.equal(200);
  });

  it('are 408 when their headers do not arrive within 10 seconds', async () => {
    expect(toProblem(await tooSlow, 408).code).to.equal('request_timeout');
  });

  it('H105: are 408 when their body does not arrive within 10 seconds', async () => {
    const { value: refused, ...times } = await tooSlowBody;
    expect(times.tookMs).to.be.below(allowedMs(10_000, times));
    expect(toProblem(refused, 408).code).to.equal('request_timeout');
    expect(refused.headers).to.include({ connection: 'close' });
  });
});
