import { expect } from 'chai';
import { type Client, runDocument } from '../../../cli/api/client.js';
import { isExempt } from '../../../cli/api/http.js';
import type { Document } from '../../../cli/generated/documents.js';
import { isLoopback } from '../../../cli/url.js';

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
