import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { request } from 'undici';
import { parse } from 'yaml';
import { repositoryRoot } from '../support/repository.js';
import { type Service, sharedService, startService } from '../support/service.js';

type Description = Record<string, unknown> & { readonly servers: readonly { url: string }[] };

/** Asks without a credential, as a browser or a generator does. */
async function ask(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await request(url, { headers, method: method as 'GET' });
  return {
    status: response.statusCode,
    headers: response.headers as Record<string, string>,
    text: await response.body.text(),
  };
}

const written = parse(
  readFileSync(join(repositoryRoot, 'schema', 'openapi.yaml'), 'utf8'),
) as Description;

describe('what the public listener says of itself', () => {
  let service: Service;

  before(async () => {
    service = await sharedService();
  });

  const get = (path: string, headers?: Record<string, string>, method?: string) =>
    ask(`${service.url}${path}`, headers, method);
  const forms = [
    ['/openapi.yaml', 'application/yaml', (text: string) => parse(text) as Description],
    [
      '/openapi.json',
      'application/json; charset=utf-8',
      (text: string) => JSON.parse(text) as Description,
    ],
  ] as const;

  for (const [path, type, read] of forms) {
    it(`H119: serves the description as ${path}, with where it is reachable, to anybody`, async () => {
      const { status, headers, text } = await get(path);
      expect(status).to.equal(200);
      expect(headers['content-type']).to.equal(type);
      expect(headers['access-control-allow-origin']).to.equal('*');
      expect(headers['x-request-id']).to.match(/^req_/);
      const served = read(text);
      expect(served.servers).to.deep.equal([{ url: service.url }]);
      expect({ ...served, servers: written.servers }).to.deep.equal(written);
    });

    it(`H119: lets clients cache ${path}, and answers 304 to those that have it`, async () => {
      const { headers, text } = await get(path);
      const { etag = '' } = headers;
      expect(etag).to.match(/^"[\w-]{20,}"$/);
      expect(headers['cache-control']).to.equal('public, max-age=300');
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await get(path, { 'if-none-match': known });
        expect([again.status, again.text, again.headers['etag']], known).to.eql([304, '', etag]);
      }
      const other = await get(path, { 'if-none-match': '"other"' });
      expect([other.status, other.text]).to.eql([200, text]);
      const head = await get(path, {}, 'HEAD');
      expect([head.status, head.text]).to.eql([200, '']);
      expect(head.headers['content-length']).to.equal(String(Buffer.byteLength(text)));
    });
  }

  it('H120: says at / what this is, as JSON', async () => {
    for (const accept of [undefined, '*/*', 'application/json', 'text/plain']) {
      const { status, headers, text } = await get('/', accept === undefined ? {} : { accept });
      expect(status).to.equal(200);
      expect(headers['content-type']).to.equal('application/json; charset=utf-8');
      expect(headers['vary']).to.equal('Accept');
      expect(JSON.parse(text)).to.deep.equal({
        name: 'Signalpost',
        version: '1.0.0',
        summary: 'Webhook endpoints, deliveries, event types, and the commerce behind them.',
        status: 'up',
        api: `${service.url}/v1`,
        description: [`${service.url}/openapi.yaml`, `${service.url}/openapi.json`],
        documentation: ['docs/contract.md', 'docs/receiving.md'],
      });
    }
  });

  it('H120: and to a browser as a page that leads on', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const { status, headers, text } = await get('/', { accept });
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(headers['content-security-policy']).to.include("default-src 'none'");
    expect(headers['vary']).to.equal('Accept');
    for (const path of ['/openapi.yaml', '/openapi.json']) {
      expect(text).to.include(`href="${service.url}${path}"`);
    }
    for (const words of ['Signalpost', '1.0.0', 'docs/contract.md', 'docs/receiving.md', 'up']) {
      expect(text).to.include(words);
    }
  });

  it('takes GET and HEAD there, and nothing else', async () => {
    for (const path of ['/', '/openapi.yaml', '/openapi.json']) {
      expect((await get(path, {}, 'HEAD')).status, path).to.equal(200);
      const options = await get(path, {}, 'OPTIONS');
      expect([options.status, options.headers['allow']]).to.eql([204, 'GET, HEAD, OPTIONS']);
      const post = await get(path, {}, 'POST');
      expect([post.status, codeOf(post.text)]).to.eql([405, 'method_not_allowed']);
      expect(post.headers['allow']).to.equal('GET, HEAD, OPTIONS');
    }
    expect((await get('/openapi')).status).to.equal(404);
    expect((await get('/openapi.yaml/')).status).to.equal(404);
  });

  it('H119, H120: names the base URL that is set, and counts requests by address', async () => {
    const environment = { BASE_URL: 'https://api.example.com/webhooks/', RATE_LIMIT: '40' };
    const other = await startService({ environment, workers: 0 });
    try {
      const rest = { get: (path: string) => ask(`${other.url}${path}`) };
      const yaml = parse((await rest.get('/openapi.yaml')).text) as Description;
      expect(yaml.servers).to.eql([{ url: 'https://api.example.com/webhooks' }]);
      const { text } = await rest.get('/openapi.json');
      expect((JSON.parse(text) as Description).servers).to.eql(yaml.servers);
      expect(JSON.parse((await rest.get('/')).text)).to.include({
        api: 'https://api.example.com/webhooks/v1',
      });
      expect((await rest.get('/')).status).to.equal(200);
      for (const path of ['/', '/openapi.yaml', '/openapi.json']) {
        const { status, text: refusal } = await rest.get(path);
        expect([status, codeOf(refusal)]).to.eql([429, 'rate_limit_exceeded']);
      }
    } finally {
      await other.stop();
    }
  });
});

function codeOf(problem: string): unknown {
  return (JSON.parse(problem) as Record<string, unknown>)['code'];
}
