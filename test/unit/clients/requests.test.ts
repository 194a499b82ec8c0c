import { expect } from 'chai';
import { type Client, createClient } from '../../../clients/typescript/src/client.js';
import {
  createSend,
  type ExchangeOptions,
  NoResponse,
  Problem,
  type TransportRequest,
  UnexpectedResponse,
} from '../../../clients/typescript/src/exchange.js';
import { eventually } from '../../support/eventually.js';
import {
  type Behaviour,
  json,
  problem,
  reset,
  type ScriptedService,
  silent,
  startScripted,
  truncated,
} from '../../support/scripted-service.js';

const key = 'sk_live_0000000000000000';
const endpoints = '/v1/webhooks/endpoints';
const body = {
  url: 'https://shop.example/hooks',
  event_types: ['cart.order.completed'],
  notification_email: 'ops@shop.example',
};
const created = { data: { id: 'whs_1' } };

describe('the TypeScript client', () => {
  let service: ScriptedService;
  let client: Client;

  before(async () => {
    service = await startScripted();
    client = createClient({ url: `${service.url}/`, key });
  });
  after(() => service.close());

  const clientWith = (options: ExchangeOptions) =>
    createClient({ url: service.url, key, ...options });
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => expect.fail('It succeeded.'),
      (error: unknown) => error,
    );
  const create = (idempotencyKey?: string) =>
    client.request('POST', endpoints, { body, idempotencyKey });
  const keys = () => new Set(service.seen.map(({ headers }) => headers['idempotency-key']));

  it('sends method, path, parameters, body and headers, and returns the body of the answer', async () => {
    service.behave(json(200, created));
    const changed = await client.request('PATCH', `${endpoints}/{id}`, {
      path: { id: 'whs_ä/?#' },
      body: { description: null },
      idempotencyKey: 'schlüssel-7',
    });
    expect(changed).to.deep.equal(created);

    const [seen] = service.seen;
    expect(seen).to.include({
      method: 'PATCH',
      path: '/v1/webhooks/endpoints/whs_%C3%A4%2F%3F%23',
      body: '{"description":null}',
    });
    expect(seen?.headers).to.include({
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      // Bytes of UTF-8, as Node reads them.
      'idempotency-key': Buffer.from('schlüssel-7').toString('latin1'),
    });

    service.behave(json(200, { data: [] }));
    const query = { limit: 5, status: undefined };
    await client.request('GET', '/v1/webhooks/deliveries', { query });
    expect(service.seen[0]?.path).to.equal('/v1/webhooks/deliveries?limit=5');
    expect([...keys()]).to.deep.equal([undefined]);
  });

  it('returns undefined for an answer without a body', async () => {
    service.behave((response) => response.writeHead(204).end());
    const path = { id: 'whs_1' };
    const work: Promise<unknown> = client.request('DELETE', `${endpoints}/{id}`, { path });
    expect(await work).to.equal(undefined);
  });

  for (const [name, behaviour] of [
    ['429', problem(429, 'rate_limit_exceeded', { 'Retry-After': '0' })],
    ['503', problem(503, 'service_unavailable')],
    ['502 of a proxy', (response) => response.writeHead(502).end('<html>')],
    ['a reset connection', reset],
    ['a body that breaks off', truncated],
    ['a first request that still runs', problem(409, 'idempotency_key_in_progress')],
  ] satisfies [string, Behaviour][]) {
    it(`repeats a change under the same key after ${name}`, async () => {
      service.behave(behaviour, behaviour, json(201, created));
      expect(await create()).to.deep.equal(created);
      expect(service.seen).to.have.lengthOf(3);
      expect(keys().size).to.equal(1);
      expect([...keys()][0]).to.match(/^[0-9a-f-]{36}$/);
      expect(new Set(service.seen.map((seen) => seen.body))).to.have.keys(JSON.stringify(body));
    });
  }

  it('makes another key for each change, and sends one that it is given', async () => {
    service.behave(json(201, created));
    await create();
    await create();
    await create('order-7');
    expect(keys().size).to.equal(3);
    expect(keys()).to.include('order-7');
  });

  it('waits at least as long as Retry-After asks', async () => {
    service.behave(problem(429, 'rate_limit_exceeded', { 'Retry-After': '1' }), json(200, {}));
    await client.request('GET', endpoints);
    const [first, second] = service.seen;
    expect(second!.at - first!.at).to.be.at.least(1_000);
  });

  it('gives up when the retries are used, with the key of the change', async () => {
    const twice = clientWith({ retries: 1 });
    service.behave(problem(503, 'service_unavailable'));
    const refused = await failure(twice.request('POST', endpoints, { body }));
    expect(refused).to.be.instanceOf(Problem);
    expect(service.seen).to.have.lengthOf(2);
    expect((refused as Problem).idempotencyKey).to.equal([...keys()][0]);

    service.behave(reset);
    const broken = await failure(twice.request('POST', endpoints, { body }));
    expect(broken).to.be.instanceOf(NoResponse);
    expect(service.seen).to.have.lengthOf(2);
    expect((broken as NoResponse).idempotencyKey).to.equal([...keys()][0]);
  });

  it('asks until the first request with its key has ended, however few retries it has', async () => {
    const running = problem(409, 'idempotency_key_in_progress', { 'Retry-After': '0' });
    service.behave(running, running, json(201, created));
    const never = clientWith({ retries: 0 });
    expect(await never.request('POST', endpoints, { body })).to.deep.equal(created);
  });

  it('repeats a change that has no key only when the service asks for it', async () => {
    const send = createSend({});
    const change = { method: 'POST', url: service.url, headers: {}, body };
    for (const behaviour of [reset, problem(502, 'x'), problem(503, 'x')]) {
      service.behave(behaviour);
      await failure(send(change));
      expect(service.seen).to.have.lengthOf(1);
      expect([...keys()]).to.deep.equal([undefined]);
    }

    service.behave(problem(503, 'x', { 'Retry-After': '0' }), json(200, created));
    expect(await send(change)).to.deep.equal(created);
  });

  it('does not wait for longer than 30 s, or than its deadline', async () => {
    for (const [seconds, deadlineMs] of [
      ['31', 120_000],
      ['2', 2_000],
      [new Date(Date.now() + 3_600_000).toUTCString(), 120_000],
    ] as const) {
      service.behave(problem(429, 'rate_limit_exceeded', { 'Retry-After': seconds }));
      const error = await failure(clientWith({ deadlineMs }).request('GET', endpoints));
      expect(error, seconds).to.be.instanceOf(Problem);
      expect((error as Problem).retryAfterSeconds, seconds).to.be.greaterThan(1);
      expect(service.seen, seconds).to.have.lengthOf(1);
    }
  });

  it('repeats no request that was refused for good', async () => {
    for (const [status, code] of [
      [404, 'not_found'],
      [409, 'idempotency_key_conflict'],
      [409, 'offer_state_conflict'],
      [422, 'validation_failed'],
      [500, 'internal_error'],
    ] as const) {
      service.behave(problem(status, code, { 'Retry-After': '0' }));
      const error = await failure(create());
      expect(error, code).to.be.instanceOf(Problem).and.include({ status, code });
      expect(service.seen, code).to.have.lengthOf(1);
    }
  });

  it('throws a Problem with status, code, errors, param and request id', async () => {
    const errors = [
      { code: 'required', detail: 'Is missing.' },
      { code: 'invalid_format', detail: 'Must begin with https://.', param: 'url' },
    ];
    const document = { title: 'Validation failed', code: 'validation_failed', errors };
    service.behave(json(422, { ...document, status: 422, detail: 'No.', request_id: 'req_1' }));
    const error = await failure(create('k'));
    expect(error)
      .to.be.instanceOf(Problem)
      .and.deep.include({
        ...document,
        status: 422,
        detail: 'No.',
        param: 'url',
        requestId: 'req_1',
        idempotencyKey: 'k',
      });
    expect(String(error)).to.equal(
      'Problem: Validation failed (422 validation_failed)\n  Is missing.\n  url: Must begin with https://.',
    );
  });

  it('reads a problem whose members have other types, and logs it in its own lines', async () => {
    const errors = [null, 7, {}, { detail: 'a\r\nFORGED', param: 7 }, { detail: ['x'] }];
    service.behave(json(400, { title: 'b\u001b[2J\u2028c', code: 'odd', errors, detail: {} }));
    const error = (await failure(create())) as Problem;
    expect(error.errors).to.deep.equal([{ code: '', detail: 'a\r\nFORGED' }]);
    expect(error.detail).to.equal(undefined);
    expect(error.message).to.equal('b [2J c (400 odd)\n  a FORGED');
  });

  it('tells apart what another server answers', async () => {
    for (const [behaviour, status, message] of [
      [(response) => response.writeHead(404).end('<html>'), 404, 'without a problem document'],
      [(response) => response.writeHead(200).end('<html>'), 200, 'without a JSON object'],
      [(response) => response.writeHead(200).end(), 200, 'without a JSON object'],
      [json(401, { error: 'no' }), 401, 'without a problem document'],
    ] satisfies [Behaviour, number, string][]) {
      service.behave(behaviour);
      const error = await failure(create());
      expect(error).to.be.instanceOf(UnexpectedResponse).and.include({ status });
      expect(String(error)).to.include(`${service.url} answered ${status} ${message}`);
      expect(service.seen).to.have.lengthOf(1);
    }
  });

  it('follows no redirect, which would take the key elsewhere', async () => {
    const other = await startScripted();
    other.behave(json(200, created));
    for (const status of [301, 302, 307, 308]) {
      service.behave((response) => response.writeHead(status, { Location: other.url }).end());
      expect(await failure(create())).to.include({ status });
    }
    expect(other.seen).to.deep.equal([]);
    await other.close();
  });

  it('reads at most 64 MiB of an answer, and closes the connection', async () => {
    const mebibyte = Buffer.alloc(1_048_576, 32);
    let closed = false;
    service.behave((response) => {
      response.on('close', () => (closed = true));
      const write = () => {
        while (!response.destroyed && response.write(mebibyte));
        response.once('drain', write);
      };
      write();
    });
    const error = await failure(create());
    expect(error).to.be.instanceOf(UnexpectedResponse);
    expect(String(error)).to.include('more than 67108864 bytes');
    expect(service.seen).to.have.lengthOf(1);
    await eventually(() => expect(closed).to.equal(true), 'the connection');
  });

  it('gives up a try in which nothing arrives, and repeats it', async () => {
    const started: Behaviour = (response) => response.writeHead(200).write('{');
    for (const behaviour of [silent, started]) {
      service.behave(behaviour, json(201, created));
      const impatient = clientWith({ timeoutMs: 50 });
      expect(await impatient.request('POST', endpoints, { body })).to.deep.equal(created);
    }

    service.behave(silent);
    const error = await failure(
      clientWith({ timeoutMs: 50, retries: 0 }).request('GET', endpoints),
    );
    expect(error).to.be.instanceOf(NoResponse);
    expect(String(error)).to.include('nothing arrived for 0.05 s');
  });

  it('gives up at the deadline of all tries, although bytes keep arriving', async () => {
    let timer: NodeJS.Timeout | undefined;
    service.behave((response) => {
      response.writeHead(200);
      timer = setInterval(() => response.write(' '), 10);
    });
    const error = await failure(clientWith({ deadlineMs: 200 }).request('GET', endpoints));
    clearInterval(timer);
    expect(error).to.be.instanceOf(NoResponse);
    expect(String(error)).to.include('the deadline of 0.2 s has passed');
  });

  it('ends a request, and a pause, when the caller gives up', async () => {
    for (const behaviour of [
      silent,
      problem(503, 'service_unavailable', { 'Retry-After': '30' }),
    ]) {
      service.behave(behaviour);
      const caller = new AbortController();
      const { signal } = caller;
      const gaveUp = failure(client.request('GET', endpoints, { signal }));
      await eventually(() => expect(service.seen).to.have.lengthOf(1), 'the request');
      const reason = new Error('The user left.');
      caller.abort(reason);
      expect(await gaveUp).to.equal(reason);
      expect(await failure(client.request('GET', endpoints, { signal }))).to.equal(reason);
      expect(service.seen).to.have.lengthOf(1);
    }
  });

  it('says why nobody answers', async () => {
    const gone = await startScripted();
    await gone.close();
    const nobody = createClient({ url: gone.url, key, retries: 0 });
    const error = await failure(nobody.request('GET', endpoints));
    const { host } = new URL(gone.url);
    service.behave(truncated);
    const broken = await failure(clientWith({ retries: 0 }).request('GET', endpoints));
    expect(String(broken)).to.include(`No response from ${service.url}: other side closed.`);
    expect(String(error)).to.equal(
      `NoResponse: No response from http://${host}: connect ECONNREFUSED ${host}.`,
    );
  });

  it('sends over the transport that it is given', async () => {
    const sent: TransportRequest[] = [];
    const own = createClient({
      url: 'https://api.example',
      key,
      transport: (request) => {
        sent.push(request);
        const bytes = Buffer.from(JSON.stringify(created));
        async function* parts() {
          yield bytes.subarray(0, 5);
          yield await Promise.resolve(bytes.subarray(5));
        }
        return Promise.resolve({ status: 201, headers: {}, body: parts() });
      },
    });
    expect(await own.request('POST', endpoints, { body })).to.deep.equal(created);
    expect(sent[0]).to.deep.include({
      method: 'POST',
      url: 'https://api.example/v1/webhooks/endpoints',
      body: JSON.stringify(body),
    });
  });

  it('refuses what no request can carry, and sends nothing', async () => {
    service.behave(json(200, created));
    for (const id of ['', '.', '..']) {
      const path = { id };
      const error = await failure(client.request('DELETE', `${endpoints}/{id}`, { path }));
      expect(String(error)).to.equal('TypeError: path.id must be an id');
    }
    expect(String(await failure(create('a\nb')))).to.include('idempotencyKey must not');
    expect(service.seen).to.deep.equal([]);
    for (const wrong of ['', 'sk_live_1\n', 'sk live']) {
      expect(() => createClient({ url: service.url, key: wrong })).to.throw(TypeError, 'key must');
    }
    for (const url of ['api.example', 'ftp://api.example']) {
      expect(() => createClient({ url, key })).to.throw(TypeError);
    }
  });
});

describe('the lists of the TypeScript client', () => {
  let service: ScriptedService;
  let client: Client;

  before(async () => {
    service = await startScripted();
    client = createClient({ url: service.url, key });
  });
  after(() => service.close());

  const ids = async (items: AsyncIterable<{ readonly id: string }>) => {
    const found: string[] = [];
    for await (const { id } of items) found.push(id);
    return found;
  };
  const itemsOf = (...names: readonly string[]) => names.map((id) => ({ id }));
  const page = (names: readonly string[], next?: string) =>
    json(200, {
      data: itemsOf(...names),
      page: next === undefined ? { has_more: false } : { has_more: true, next_cursor: next },
    });
  const numbered = (names: readonly string[], current_page: number, total_pages: number) =>
    json(200, {
      data: itemsOf(...names),
      pagination: { current_page, total_pages, per_page: 25, total_count: 9 },
    });
  const paths = () => service.seen.map((seen) => seen.path.replace(/^.*\?/, ''));

  it('reads the items of all pages by their cursors, with the same filter', async () => {
    service.behave(page(['a', 'b'], 'c/1'), page([], 'c2'), page(['c']));
    const query = { status: 'failed', limit: 2 } as const;
    expect(await ids(client.list('/v1/webhooks/deliveries', { query }))).to.deep.equal([
      'a',
      'b',
      'c',
    ]);
    expect(paths()).to.deep.equal([
      'status=failed&limit=2',
      'status=failed&limit=2&cursor=c%2F1',
      'status=failed&limit=2&cursor=c2',
    ]);
  });

  it('reads the items of all pages by their numbers, to the last of that moment', async () => {
    service.behave(numbered(['a'], 1, 3), numbered(['b'], 2, 3), numbered(['b'], 2, 2));
    expect(await ids(client.list('/v1/commerce/orders'))).to.deep.equal(['a', 'b']);
    expect(paths().slice(1)).to.deep.equal(['page=2', 'page=3']);
  });

  it('reads pages as they are needed, and no more', async () => {
    service.behave(page(['a'], 'c1'), page(['b'], 'c2'));
    for await (const { data } of client.pages(endpoints)) {
      expect(data.map(({ id }) => id)).to.deep.equal(['a']);
      break;
    }
    expect(service.seen).to.have.lengthOf(1);
  });

  it('ends with an error when a page follows itself, or is none', async () => {
    const none = json(200, { data: [], page: { has_more: true } });
    for (const [behaviour, requests] of [
      [page(['a'], 'c1'), 2],
      [none, 1],
      [json(200, { data: {} }), 1],
    ] satisfies [Behaviour, number][]) {
      service.behave(behaviour);
      const error = await ids(client.list(endpoints)).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(UnexpectedResponse);
      expect(service.seen).to.have.lengthOf(requests);
    }
  });
});
