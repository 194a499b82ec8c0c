import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import openapiTypes, { astToString } from 'openapi-typescript';
import { request } from 'undici';
import { parse } from 'yaml';
import { readVersion } from '../../src/process/version.js';
import { repositoryRoot } from '../support/repository.js';
import { type Service, sharedService, startService } from '../support/service.js';

type Json = Record<string, unknown>;
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

describe('the description that the public listener serves', () => {
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
    it(`H119: serves the description as ${path}, with its own address, to anybody`, async () => {
      const { status, headers, text } = await get(path);
      expect(status).to.equal(200);
      expect(headers['content-type']).to.equal(type);
      expect(headers['access-control-allow-origin']).to.equal('*');
      expect(headers['x-request-id']).to.match(/^req_/);
      const served = read(text);
      expect(served.servers).to.deep.equal([{ url: service.url }]);
      expect({ ...served, servers: written.servers }).to.deep.equal(withEventSchemas(written));
    });

    it(`H263: every reference in ${path} can be resolved`, async () => {
      const served = read((await get(path)).text);
      const references = [...new Set(referencesIn(served))];
      expect(references).to.include('#/components/schemas/cart.order.completed.v1');

      for (const reference of references) {
        const { pathname, hash } = new URL(reference, `${service.url}${path}`);
        const document = pathname === path ? served : read((await get(pathname)).text);
        expect(valueAt(document, hash), reference).to.be.an('object');
      }
    });

    it(`H263: a client can be generated from the URL of ${path} alone`, async () => {
      const types = astToString(await openapiTypes(new URL(`${service.url}${path}`)));
      expect(await compile({ 'types.ts': types, 'client.ts': client })).to.equal('');
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

  it('H120: describes the service at / as JSON', async () => {
    for (const accept of [undefined, '*/*', 'application/json', 'text/plain']) {
      const { status, headers, text } = await get('/', accept === undefined ? {} : { accept });
      expect(status).to.equal(200);
      expect(headers['content-type']).to.equal('application/json; charset=utf-8');
      expect(headers['vary']).to.equal('Accept');

      expect(JSON.parse(text)).to.deep.equal({
        name: 'Signalpost',
        version: readVersion(),
        summary: 'Webhook endpoints, deliveries, event types, and the commerce behind them.',
        status: 'up',
        api: `${service.url}/v1`,
        api_version: '1.0.0',
        description: [`${service.url}/openapi.yaml`, `${service.url}/openapi.json`],
        dashboard: `${service.url}/dashboard`,
      });
    }
  });

  it('H120: shows browsers a page at / that links to the description and the dashboard', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const { status, headers, text } = await get('/', { accept });
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(headers['content-security-policy']).to.include("default-src 'none'");
    expect(headers['vary']).to.equal('Accept');
    for (const path of ['/openapi.yaml', '/openapi.json', '/dashboard']) {
      expect(text).to.include(`href="${service.url}${path}"`);
    }
    for (const words of [`Signalpost ${readVersion()}`, 'up', 'docs/contract.md']) {
      expect(text).to.include(words);
    }
  });

  it('H120: links at / only to addresses that respond', async () => {
    const about = (await get('/')).text;
    const { api, description, dashboard } = JSON.parse(about) as {
      api: string;
      description: string[];
      dashboard: string;
    };

    const page = (await get('/', { accept: 'text/html' })).text;
    const linked = [...page.matchAll(/href="([^"]+)"/g)].map(([, url = '']) => url);
    expect(linked).to.have.members([...description, dashboard]);

    const named = [...about.matchAll(/"(https?:[^"]+)"/g)].map(([, url = '']) => url);
    expect(named).to.have.members([api, ...description, dashboard]);

    for (const url of [...named, ...linked]) {
      expect((await fetch(url)).status, url).to.equal(200);
    }

    expect(await (await fetch(api)).text()).to.equal(about);
  });

  it('accepts GET and HEAD for the description, and nothing else', async () => {
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

/** Uses types of an event and of an answer; the compiler must know both to see what is wrong. */
const client = `
import type { operations, webhooks } from './types.js';

type Delivered<Type extends keyof webhooks> =
  webhooks[Type]['post']['requestBody']['content']['application/json'];
type Order = NonNullable<Delivered<'cart.order.completed'>['data']>['order'];
type Answers = operations['webhooks.endpoints.list']['responses'];
type Endpoint = Answers[200]['content']['application/json']['data'][number];

export const order: Pick<Order, 'id'> = { id: 'ord_1' };
export const endpoint: Pick<Endpoint, 'url'> = { url: 'https://shop.example/webhooks' };
// @ts-expect-error -- an id is text
export const wrongOrder: Pick<Order, 'id'> = { id: 1 };
// @ts-expect-error -- a URL is text
export const wrongEndpoint: Pick<Endpoint, 'url'> = { url: 1 };
`;

/** What the compiler says about the files of one folder; empty if nothing. */
async function compile(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'signalpost-client-'));
  try {
    const paths = Object.entries(files).map(([name, text]) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    });

    const compiler = join(repositoryRoot, 'node_modules', '@typescript', 'native', 'bin', 'tsc');
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022'];
    const args = [compiler, ...options, ...paths];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
    return stdout;
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The description as it is served: references to files of schema/events lead to its components. */
function withEventSchemas(description: Description): unknown {
  const folder = join(repositoryRoot, 'schema', 'events');
  const schemas = readdirSync(folder).map((file) => {
    const { $schema, ...schema } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Json;
    expect($schema, file).to.equal('https://json-schema.org/draft/2020-12/schema');
    return [file.replace(/\.json$/, ''), schema] as const;
  });

  const served = JSON.parse(
    JSON.stringify(description).replace(
      /"\.\/events\/([^"]+)\.json"/g,
      '"#/components/schemas/$1"',
    ),
  ) as { readonly components: { readonly schemas: Json } };

  Object.assign(served.components.schemas, Object.fromEntries(schemas));

  return served;
}

function* referencesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === '$ref' && typeof inner === 'string') yield inner;
    else yield* referencesIn(inner);
  }
}

/** @param fragment a JSON pointer, such as `#/components/schemas/Page` */
function valueAt(document: unknown, fragment: string): unknown {
  return fragment
    .split('/')
    .slice(1)
    .map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, name) => (value as Json | undefined)?.[name], document);
}

function codeOf(problem: string): unknown {
  return (JSON.parse(problem) as Record<string, unknown>)['code'];
}
