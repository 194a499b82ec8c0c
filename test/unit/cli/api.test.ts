import { expect } from 'chai';
import { type Client, createClient, Refusal, runDocument } from '../../../cli/api/client.js';
import { isExempt } from '../../../cli/api/http.js';
import { version } from '../../../cli/version.js';
import { Failure } from '../../../cli/failure.js';
import type { Document } from '../../../cli/generated/documents.js';
import { isLoopback } from '../../../cli/url.js';
import {
  json,
  problem,
  reset,
  type ScriptedService,
  startScripted,
} from '../../support/scripted-service.js';

describe('the requests of the command line', () => {
  const path = '/v1/webhooks/endpoints';
  let service: ScriptedService;
  let client: Client;

  before(async () => {
    service = await startScripted();
    client = createClient({ url: service.url, key: 'sk_live_0000000000000000' });
  });
  after(() => service.close());

  /** Reads the endpoints, which fails. */
  const failure = (from = client) =>
    from.request('GET', path).then(
      () => expect.fail('It succeeded.'),
      (error: unknown) => error as Failure,
    );

  it('the command line sends over node:http under its own name, and repeats requests', async () => {
    service.behave(
      reset,
      problem(503, 'service_unavailable'),
      json(201, { data: { id: 'whs_1' } }),
    );
    const body = {
      url: 'https://a.example',
      event_types: ['x'],
      notification_email: 'a@b.example',
    };
    const { data } = await client.request('POST', path, { body });
    expect(data.id).to.equal('whs_1');
    expect(service.seen).to.have.lengthOf(3);
    for (const { headers } of service.seen) {
      // `fetch` would also send sec-fetch-mode.
      expect(headers).not.to.have.property('sec-fetch-mode');
      expect(headers).to.include({
        'user-agent': `signalpost-cli/${version}`,
        'idempotency-key': service.seen[0]?.headers['idempotency-key'],
      });
    }
  });

  it('the command line says in lines what the service refused, with its exit code', async () => {
    service.behave(problem(401, 'unauthorized'));
    const refused = await failure();
    expect(refused).to.be.instanceOf(Refusal).and.include({ exitCode: 3, code: 'unauthorized' });
    expect(refused.lines).to.deep.equal([
      'Refused (401 unauthorized)',
      '  Not now.',
      '  Run signalpost login with a live key.',
    ]);

    service.behave(problem(500, 'internal_error'));
    expect((await failure()).lines).to.deep.equal([
      'Refused (500 internal_error)',
      '  Not now.',
      '  Request: req_000000000000000000000001',
    ]);

    service.behave(json(403, { errors: [{ message: 'No.', extensions: null }] }));
    expect((await failure()).lines).to.deep.equal(['No.']);

    service.behave((response) => response.writeHead(404).end('<html>'));
    const other = await failure();
    expect(other).to.be.instanceOf(Refusal).and.include({ status: 404, exitCode: 1 });
    expect(other.message).to.equal(
      `${service.url} answered 404 without a problem document. Is this the URL of Signalpost?`,
    );
  });

  it('the command line says why it cannot reach the service', async () => {
    const gone = await startScripted();
    await gone.close();
    const unreachable = await failure(createClient({ url: gone.url, key: 'sk_live_0' }));
    expect(unreachable).to.be.instanceOf(Failure).and.include({ exitCode: 4 });
    expect(unreachable.message).to.equal(
      `Cannot reach ${gone.url}: connect ECONNREFUSED ${new URL(gone.url).host}.`,
    );
  });

  it('a list of the command line ends with the error of the page that was refused', async () => {
    const page = { data: [{ id: 'a' }], page: { has_more: true, next_cursor: 'c' } };
    service.behave(json(200, page), problem(422, 'validation_failed'));
    const pages = client.pages(path);
    expect((await pages.next()).done).to.equal(false);
    const error: unknown = await pages.next().catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Refusal).and.include({ status: 422 });
  });
});

describe('the operations of the command line', () => {
  const document = { id: 'd' } as Document<{ readonly sent: boolean }, object>;
  const sent = { data: { sent: true } };
  const refusal = (code: string, retryAfterSeconds: number) => ({
    data: null,
    errors: [{ message: 'Refused.', extensions: { code, detail: 'Refused.', retryAfterSeconds } }],
  });

  /** A service that gives these answers, the last one again and again. */
  const answering = (...answers: readonly unknown[]) => {
    const service = { calls: 0 };
    const call = () => {
      const answer = answers[Math.min(service.calls, answers.length - 1)];
      service.calls += 1;
      return Promise.resolve(answer as never);
    };
    const client: Pick<Client, 'url' | 'call'> = { url: 'https://api.example', call };
    const run = () =>
      runDocument(client, document, {}).catch((error: unknown) => (error as Error).message);
    return { service, run };
  };

  it('repeats an operation when its rate limit has room again', async () => {
    const { service, run } = answering(refusal('rate_limit_exceeded', 0), sent);
    expect(await run()).to.deep.equal({ sent: true });
    expect(service.calls).to.equal(2);
  });

  it('gives up an operation after four tries, before a long pause, and on other refusals', async () => {
    for (const [refused, calls] of [
      [refusal('rate_limit_exceeded', 0), 4],
      [refusal('rate_limit_exceeded', 31), 1],
      [refusal('test_limit_reached', 0), 1],
    ] as const) {
      const { service, run } = answering(refused);
      expect(await run()).to.equal('Refused.');
      expect(service.calls).to.equal(calls);
    }
  });

  it('says what is known of an operation that was answered in another form', async () => {
    const answers: readonly (readonly [unknown, string])[] = [
      [{ errors: [{ message: 'No.', extensions: null }] }, 'No.'],
      [{ errors: [{ message: 'No.', extensions: { errors: 'x', detail: 5 } }] }, 'No.'],
      [{ errors: [{ message: 'No.', extensions: { errors: [null, {}] } }] }, 'No.'],
      [{ errors: 5 }, 'The response has no data.'],
      [{ errors: [null], data: null }, 'The response has no data.'],
    ];
    for (const [answer, text] of answers) expect(await answering(answer).run()).to.equal(text);
  });
});

describe('the proxy of the command line', () => {
  it('H265: the command line reaches hosts of NO_PROXY without the proxy', () => {
    const exempt: Readonly<Record<string, readonly string[]>> = {
      'https://hooks.example.com': [
        '*',
        'example.com',
        '.example.com',
        '*.example.com',
        'EXAMPLE.COM',
        'hooks.example.com.',
        'a.test, example.com',
        'a.test example.com',
        'example.com:443',
        ', ,example.com',
      ],
      'https://hooks.example.com.:8443': ['example.com', 'hooks.example.com:8443'],
      'https://10.1.2.3': ['10.1.2.3', '10.0.0.0/8', '10.1.2.3:443', '0.0.0.0/0'],
      'https://[fd00::1]:8443': ['fd00::1', '[fd00::1]', '[fd00::1]:8443', 'fd00::/8'],
    };
    for (const [url, lists] of Object.entries(exempt)) {
      for (const list of lists)
        expect(isExempt(new URL(url), list), `${url} ${list}`).to.equal(true);
    }
  });

  it('H265: the command line reaches all other hosts through the proxy', () => {
    const asked: Readonly<Record<string, readonly string[]>> = {
      'https://hooks.example.com': [
        '',
        ',',
        'ample.com',
        'example.com:8443',
        'example.com.test',
        '10.0.0.0/8',
        'a.hooks.example.com',
        'https://example.com',
        '/8',
        ':443',
      ],
      'https://10.1.2.3': [
        '10.1.2',
        '10.0.0.0/16',
        '10.0.0.0/33',
        '10.0.0.0/x',
        'fd00::/8',
        '::/0',
      ],
      'https://[fd00::1]': ['[fd00::1]:8443', '10.0.0.0/8', 'fd01::/16'],
    };
    for (const [url, lists] of Object.entries(asked)) {
      for (const list of lists) {
        expect(isExempt(new URL(url), list), `${url} ${list}`).to.equal(false);
      }
    }
  });

  it('H265: the command line never uses the proxy for this machine', () => {
    const hosts = ['localhost', 'api.localhost', 'localhost.', '127.0.0.1', '127.1', '[::1]'];
    for (const host of hosts) {
      expect(isLoopback(new URL(`https://${host}`).hostname), host).to.equal(true);
    }
    for (const host of ['localhost.example', '128.0.0.1', 'notlocalhost', '[::2]']) {
      expect(isLoopback(new URL(`https://${host}`).hostname), host).to.equal(false);
    }
  });
});
