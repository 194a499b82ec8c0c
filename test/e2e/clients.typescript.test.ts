import { execFile, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect } from 'chai';
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { openObjects } from '../../scripts/generate/print.js';
import {
  createEndpoint,
  dataOf,
  deliveriesPath,
  type EndpointBody,
  endpointsPath,
} from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type ReceivedRequest, type Receiver, startReceiver } from '../support/receiver.js';
import { repositoryRoot } from '../support/repository.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const run = promisify(execFile);
const modules = join(repositoryRoot, 'node_modules');
/** The first block of a document in this language that begins so. */
const shown = (document: string, language: string, begin = '') => {
  const text = readFileSync(join(repositoryRoot, document), 'utf8');
  const block = new RegExp(`\`\`\`${language}\\n(${begin}.*?)\`\`\``, 's').exec(text)?.[1];
  if (block === undefined) throw new Error(`${document} has no such block`);
  return block;
};
const guide = join('docs', 'clients.md');

describe('the package of the TypeScript client', () => {
  let work: string;
  /** The folder of a user, with the package and a compiler. */
  let folder: string;
  let service: Service;
  let receiver: Receiver;
  let tenant: Tenant;
  let environment: Readonly<Record<string, string>>;

  before(async () => {
    work = mkdtempSync(join(tmpdir(), 'signalpost-client-package-'));
    folder = join(work, 'user');
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');

    const stage = join(repositoryRoot, 'scripts', 'stage-packages.mjs');
    execFileSync(process.execPath, [stage, work], { stdio: 'pipe' });

    const npm = (args: string[], cwd: string) =>
      execFileSync(
        'npm',
        [...args, '--cache', join(work, 'cache'), '--loglevel=error', '--no-update-notifier'],
        {
          cwd,
          encoding: 'utf8',
          env: { PATH: process.env['PATH'], HOME: work },
        },
      );
    const packed = ['pack', join(work, 'client-package'), '--pack-destination', work];
    const tarball = npm(packed, work).trim();
    npm(['install', '--offline', '--no-audit', '--no-fund', join(work, tarball)], folder);

    // What a user has besides: the types of Node.
    for (const name of ['@types', 'undici-types']) {
      symlinkSync(join(modules, name), join(folder, 'node_modules', name));
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));

    service = await sharedService();
    receiver = await startReceiver();
    tenant = await createTenant(service);
    const { token } = await tenant.credential({ kind: 'live' });
    environment = {
      PATH: process.env['PATH'] ?? '',
      SIGNALPOST_URL: service.url,
      SIGNALPOST_API_KEY: token,
      RECEIVER_URL: receiver.url('/first'),
    };
  });

  after(async () => {
    await receiver.close();
    rmSync(work, { recursive: true, force: true });
  });

  const installed = () => join(folder, 'node_modules', 'signalpost-client');

  /** Compiles the examples of the package and the program of this test, with all checks. */
  async function compile(): Promise<void> {
    cpSync(join(installed(), 'examples'), join(folder, 'src'), { recursive: true });
    const readme = join('clients', 'typescript', 'README.md');
    const transport = shown(readme, 'ts', 'const transport');
    writeFileSync(
      join(folder, 'src', 'uses.ts'),
      uses.replace('TRANSPORT', () => transport),
    );
    const compiler = join(modules, '@typescript', 'native', 'bin', 'tsc');
    await run(process.execPath, [compiler, '-p', folder, '--pretty', 'false']).catch(
      (error: unknown) => {
        throw new Error((error as { stdout: string }).stdout, { cause: error });
      },
    );
  }

  const start = (program: string, changed: Readonly<Record<string, string>> = {}) =>
    run(process.execPath, [join(folder, 'dist', program)], {
      env: { ...environment, ...changed },
    });

  /** Each line that a program printed. */
  const lines = ({ stdout }: { readonly stdout: string }) => stdout.trimEnd().split('\n');

  it('has compiled code, declarations, examples and no dependency', () => {
    const files = readdirSync(installed(), { recursive: true, encoding: 'utf8' });
    expect(files).to.include.members(['README.md', 'LICENSE', join('dist', 'index.d.ts')]);
    expect(files.filter((name) => /(?<!\.d)\.ts$/.test(name)).sort()).to.deep.equal([
      join('examples', 'endpoint.ts'),
      join('examples', 'receiver.ts'),
    ]);
    expect(readdirSync(join(folder, 'node_modules'))).to.have.members([
      '.package-lock.json',
      '@types',
      'signalpost-client',
      'undici-types',
    ]);
  });

  it('docs/clients.md shows the example of the package', () => {
    const example = readFileSync(join(installed(), 'examples', 'endpoint.ts'), 'utf8');
    expect(shown(guide, 'ts')).to.equal(example);
  });

  it('its example creates an endpoint and lists deliveries, and so does that for curl', async function () {
    await compile();
    const [first = ''] = lines(await start('endpoint.js'));
    const [id = '', secret] = first.split(' ');
    const { data } = (await tenant.rest.get(`${endpointsPath}/${id}`)).body as {
      data: EndpointBody;
    };
    expect(data.url).to.equal(receiver.url('/first'));
    expect(secret).to.match(/^whsec_/);

    // More than a page has by default.
    const events = Array.from({ length: 23 }, () => tenant.publish({}));
    await Promise.all(events);
    await eventually(async () => {
      const { body } = await tenant.rest.get(`${deliveriesPath}?limit=100`);
      expect((body as { data: unknown[] }).data).to.have.lengthOf(events.length);
    }, 'the records');

    const [, ...delivered] = lines(await start('endpoint.js'));
    expect(delivered).to.have.lengthOf(events.length);
    for (const line of delivered) expect(line).to.match(/^whd_\w+ success$/);

    const refused = await start('endpoint.js', { RECEIVER_URL: 'http://shop.example' }).catch(
      (error: unknown) => error as { stderr: string },
    );
    expect(refused.stderr).to.include(
      'Problem: Validation failed (422 validation_failed)\n  url: ',
    );

    const missing = await run('sh', [
      '-c',
      'for c in bash curl jq openssl; do command -v $c || echo missing $c; done',
    ]);
    if (missing.stdout.includes('missing')) {
      this.test!.title += ' (without curl: bash, curl, jq or openssl is not installed)';
      return;
    }
    const shell = await run('bash', ['-c', shown(guide, 'bash')], { env: environment });
    const [created, ...rest] = lines(shell);
    expect(created).to.match(/^whs_\w+ whsec_\w+$/);
    expect(rest).to.deep.equal(delivered);
  });

  it('reads pages, keeps keys, and throws typed Problems of the service', async () => {
    await compile();
    const { stdout } = await start('uses.js');
    const used = JSON.parse(stdout) as Record<string, unknown>;
    const endpoints = dataOf<EndpointBody[]>(await tenant.rest.get(endpointsPath), 200);
    expect(used).to.deep.include({
      listed: endpoints.map(({ id }) => id),
      repeated: false,
      deleted: 'undefined',
      orders: 0,
    });
    expect(used['problem']).to.deep.include({
      name: 'Problem',
      status: 422,
      code: 'validation_failed',
      param: 'url',
    });
    expect(used['problem']).to.have.property('requestId').that.matches(/^req_/);
    expect(used['conflict']).to.equal('idempotency_key_conflict');
  });

  it('its receiver takes a delivery of the service, and names what is wrong with others', async () => {
    await compile();
    const { id, signing_secret: secret } = await createEndpoint(tenant.rest, {
      url: receiver.url('/verified'),
    });
    const deliver = async () => {
      const event = await tenant.publish({});
      return receiver.next(
        ({ headers, path }) => headers['webhook-id'] === event && path === '/verified',
      );
    };
    const first = await deliver();
    dataOf(await tenant.rest.post(`${endpointsPath}/${id}/secret-rotations`), 200);
    const rotated = await deliver();
    expect(rotated.headers['webhook-signature']?.split(' ')).to.have.lengthOf(2);

    const child = spawn(process.execPath, [join(folder, 'dist', 'receiver.js')], {
      env: { ...environment, SIGNING_SECRET: secret, PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    const printed = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const complained = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
    try {
      const { value: started = '' } = (await printed.next()) as { value?: string };
      const [, port] = /port: (\d+)/.exec(started) ?? [];
      const post = async ({ headers }: ReceivedRequest, body: Buffer) => {
        const given = Object.entries(headers).filter(([name]) =>
          /^webhook-|^content-type$/.test(name),
        );
        const url = `http://127.0.0.1:${port}/`;
        return (await fetch(url, { method: 'POST', headers: given, body })).status;
      };

      for (const sent of [first, rotated]) {
        expect(await post(sent, sent.body)).to.equal(204);
        const line = new RegExp(`^${sent.headers['webhook-id']} ord_\\w+$`);
        expect((await printed.next()).value).to.match(line);
      }

      expect(await post(first, Buffer.concat([first.body, Buffer.from(' ')]))).to.equal(401);
      expect((await complained.next()).value).to.match(/^no_match: /);
      expect(await post({ ...first, headers: {} }, first.body)).to.equal(401);
      expect((await complained.next()).value).to.match(/^missing_header: /);
    } finally {
      child.kill();
      process.off('exit', kill);
    }
  });

  it('programs compile when every object of the description has a member more', async () => {
    const description = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPI3;
    let added = 0;
    const grow = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(grow);
      if (typeof value !== 'object' || value === null) return value;
      const copy = Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, grow(inner)]),
      );
      if (copy['type'] !== 'object' || !('properties' in copy)) return copy;
      added += 1;
      const properties = { ...(copy['properties'] as object), added_later: { type: 'string' } };
      return { ...copy, properties };
    };
    const types = await openapiTypes(openObjects(grow(description)) as OpenAPI3, {
      defaultNonNullable: false,
    });
    expect(added).to.be.greaterThan(50);
    writeFileSync(join(installed(), 'dist', 'generated', 'types.d.ts'), astToString(types));
    await compile();
  });
});

const compilerOptions = {
  module: 'nodenext',
  target: 'es2022',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  rootDir: 'src',
  outDir: 'dist',
  types: ['node'],
};

/** Uses more than the examples; each line after `@ts-expect-error` must not compile. */
const uses = `
import { request } from 'node:http';
import { createClient, type Event, isEvent, Problem, type Transport } from 'signalpost-client';

TRANSPORT

const { SIGNALPOST_URL: url = '', SIGNALPOST_API_KEY: key = '', RECEIVER_URL = '' } = process.env;
const client = createClient({ url, key, transport });
const path = '/v1/webhooks/endpoints';
const body = {
  url: RECEIVER_URL,
  event_types: ['cart.order.completed'],
  notification_email: 'ops@shop.example',
};
const problem = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof Problem ? error : Promise.reject(error)),
  );

const { data } = await client.request('POST', path, { body, idempotencyKey: key.slice(-8) });
const repeated = await client.request('POST', path, { body, idempotencyKey: key.slice(-8) });
const conflict = await problem(client.request('POST', path, {
  body: { ...body, active: false },
  idempotencyKey: key.slice(-8),
}));
const refused = await problem(client.request('POST', path, { body: { ...body, url: 'http://a.b' } }));
const deleted = await client.request('DELETE', \`\${path}/{id}\`, { path: { id: data.id } });
const listed: string[] = [];
for await (const { id } of client.list(path, { query: { limit: 1 } })) listed.push(id);
let orders = 0;
for await (const { totals } of client.list('/v1/commerce/orders')) orders += totals.total_minor_units;
await client.request('GET', '/v1/webhooks/event-types');

console.log(
  JSON.stringify({
    listed,
    repeated: repeated.data.id !== data.id || 'signing_secret' in repeated.data,
    conflict: conflict?.code,
    problem: refused && { ...refused, name: refused.name },
    deleted: String(deleted),
    orders,
  }),
);

export async function typed(event: Event): Promise<unknown> {
  if (isEvent(event, 'cart.order.completed')) {
    const order: string = event.data.order.id;
    // @ts-expect-error -- an id is text
    const number: number = event.data.order.id;
    // @ts-expect-error -- the data has no such member
    return [order, number, event.data.basket];
  }
  // @ts-expect-error -- no such type of the service
  if (isEvent(event, 'cart.order.lost')) return event;
  // @ts-expect-error -- no such path
  await client.request('GET', '/v1/webhooks/endpoint');
  // @ts-expect-error -- no such method of this path
  await client.request('PUT', path, { body });
  // @ts-expect-error -- a body is required
  await client.request('POST', path);
  // @ts-expect-error -- an id is required
  await client.request('GET', '/v1/webhooks/endpoints/{id}');
  // @ts-expect-error -- no such member of the body
  await client.request('POST', path, { body: { ...body, name: 'first' } });
  // @ts-expect-error -- no such value of the filter
  await client.request('GET', path, { query: { status: 'failed' } });
  // @ts-expect-error -- one item is no list
  client.list('/v1/commerce/orders/{id}');
  // @ts-expect-error -- deleting returns nothing
  return (await client.request('DELETE', \`\${path}/{id}\`, { path: { id: '' } })).data;
}
`;
