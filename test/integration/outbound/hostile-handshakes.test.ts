import { createServer as createHttp2Server } from 'node:http2';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { createPoster, type Poster } from '../../../src/outbound/post.js';
import { testAuthority } from '../../support/authority.js';
import { eventually } from '../../support/eventually.js';
import { startReceiver, type ReceiverOptions } from '../../support/receiver.js';

const timeoutMs = 400;

describe('a receiver without a proper handshake', () => {
  let poster: Poster;

  before(async () => {
    const { caFile } = await testAuthority();
    poster = createPoster({ timeoutMs, allowPrivateTargets: { kind: 'private' }, caFile });
  });

  after(() => poster.close());

  const post = async (url: string, by = poster) => {
    const start = performance.now();
    const { outcome } = await by.post(url, {}, Buffer.from('{}'));
    return { outcome, ms: performance.now() - start };
  };
  const unreachable = (reason: string) => ({ kind: 'unreachable', reason });

  const unfit: Readonly<Record<string, [string, ReceiverOptions]>> = {
    'an expired certificate': ['tls_certificate_expired', { certificate: { expired: true } }],
    'a self-signed one': ['tls_certificate_untrusted', { certificate: { selfSigned: true } }],
    'a certificate for another host': [
      'tls_certificate_wrong_host',
      { certificate: { names: ['other.test', '127.0.0.9'] } },
    ],
    'TLS 1.1 only': [
      'tls_failure',
      { tls: { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } },
    ],
    'HTTP/2 only': ['tls_failure', { tls: { ALPNProtocols: ['h2'] } }],
  };

  for (const [what, [reason, options]] of Object.entries(unfit)) {
    it(`H65: with ${what} is ${reason} and receives nothing`, async () => {
      const receiver = await startReceiver(options);
      try {
        expect((await post(receiver.url())).outcome).to.deep.equal(unreachable(reason));
        expect(receiver.requests).to.have.length(0);
      } finally {
        await receiver.close();
      }
    });
  }

  it('H65: with an authority that nobody named is tls_certificate_untrusted', async () => {
    const receiver = await startReceiver();
    const strict = createPoster({ timeoutMs, allowPrivateTargets: { kind: 'private' } });
    try {
      const { outcome } = await post(receiver.url(), strict);
      expect(outcome).to.deep.equal(unreachable('tls_certificate_untrusted'));
      expect(receiver.requests).to.have.length(0);
    } finally {
      await Promise.all([strict.close(), receiver.close()]);
    }
  });

  const withoutTls: Readonly<Record<string, [string, () => Server]>> = {
    'accepts and never shakes hands': [
      'connect_timeout',
      () => createServer((socket) => socket.resume()),
    ],
    'speaks plain HTTP': [
      'tls_failure',
      () => createServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 No\r\n'))),
    ],
    'speaks plain HTTP/2': ['tls_failure', () => createHttp2Server()],
    'hangs up during the handshake': [
      'connection_reset',
      () => createServer((socket) => socket.once('data', () => socket.destroy())),
    ],
  };

  for (const [what, [reason, create]] of Object.entries(withoutTls)) {
    it(`H65: that ${what} is ${reason}, within the deadline`, async () => {
      const sockets = new Set<Socket>();
      const server = create().on('connection', (socket: Socket) => {
        sockets.add(socket.on('error', () => undefined));
        socket.on('close', () => sockets.delete(socket));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const { outcome, ms } = await post(`https://127.0.0.1:${port}/`);
      expect(outcome).to.deep.equal(unreachable(reason));
      expect(ms).to.be.below(timeoutMs + 400);
      await eventually(() => expect(sockets.size).to.equal(0), 'its socket is closed');
      await new Promise((resolve) => server.close(resolve));
    });
  }

  it('H65: that does not listen is connection_refused', async () => {
    const { outcome } = await post('https://127.0.0.1:1/');
    expect(outcome).to.deep.equal(unreachable('connection_refused'));
  });

  it('a file without certificates is refused before anything is sent', () => {
    for (const caFile of [import.meta.filename, '/nowhere/ca.pem']) {
      expect(() =>
        createPoster({ timeoutMs, allowPrivateTargets: { kind: 'none' }, caFile }),
      ).to.throw();
    }
  });
});
