import { expect } from 'chai';
import { createWebhookClient, type WebhookClient } from '../../../src/outbound/post.js';
import { dnsNames } from '../../../src/outbound/resolve.js';
import { testAuthority } from '../../support/authority.js';
import { answer } from '../../support/behaviours.js';
import { eventually } from '../../support/eventually.js';
import { startNameServer, type NameServer, type Zone } from '../../support/name-server.js';
import { startReceiver, type Receiver } from '../../support/receiver.js';

const blocked = { kind: 'refused', reason: 'blocked_destination' };
const accepted = { kind: 'accepted', status: 200 };

describe('a receiver whose name changes its address', () => {
  // Opened is 127.0.0.2 only, so that both addresses are of this machine.
  const allowPrivateTargets = { kind: 'cidrs', cidrs: ['127.0.0.2/32'] } as const;
  let honest: Receiver;
  let canary: Receiver;
  let server: NameServer;
  let webhookClient: WebhookClient;

  /** Posts through a name server that answers from `zone`. */
  const postBy = async (zone: Zone) => {
    server = await startNameServer(zone);
    webhookClient = createWebhookClient({
      timeoutMs: 15_000,
      allowPrivateTargets,
      caFile: (await testAuthority()).caFile,
      names: dnsNames(() => server.resolver),
    });
    return async (url: string) => (await webhookClient.post(url, {}, Buffer.from('{}'))).outcome;
  };

  before(async () => {
    honest = await startReceiver({ host: '127.0.0.2', certificate: { names: ['r.example'] } });
    canary = await startReceiver({ port: honest.port, certificate: { names: ['r.example'] } });
  });

  afterEach(async () => {
    await Promise.all([webhookClient.close(), server.close()]);
    expect(canary.connections.accepted).to.equal(0);
  });

  after(() => Promise.all([honest.close(), canary.close()]));

  it('H4: rebinding was tried 200 times and reached the private address never', async () => {
    let asked = 0;
    const post = await postBy((_name, type) => {
      if (type === 'AAAA') return [];
      asked += 1;
      return asked % 2 === 0 ? ['127.0.0.1'] : ['127.0.0.2'];
    });

    honest.always(answer(200, { connection: 'close' }));

    const kinds = new Map<string, number>();
    for (let n = 0; n < 200; n += 1) {
      const { kind } = await post(`https://r.example:${honest.port}/`);
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }

    expect(Object.fromEntries(kinds)).to.deep.equal({ accepted: 100, refused: 100 });
    expect(asked).to.equal(200);
    expect(honest.requests).to.have.length(100);
  });

  it('a kept connection stays with the address that was checked', async () => {
    let address = '127.0.0.2';
    const post = await postBy((_name, type) => (type === 'A' ? [address] : []));
    honest.always(answer(200));
    const url = `https://r.example:${honest.port}/`;
    expect(await post(url)).to.deep.equal(accepted);
    address = '127.0.0.1';
    expect(await post(url)).to.deep.equal(accepted);
    honest.dropConnections();
    await eventually(() => expect(honest.connections.open).to.equal(0), 'it is closed');
    expect(await post(url)).to.deep.equal(blocked);
  });

  it('names whose servers never answer delay no other receiver', async () => {
    const post = await postBy((name, type) => {
      if (name.endsWith('.hang.example')) return undefined;
      return type === 'A' ? ['127.0.0.2'] : [];
    });
    honest.always(answer(200));
    const hanging = Array.from({ length: 50 }, (_, n) => post(`https://${n}.hang.example/`));
    const first = await Promise.race([post(`https://r.example:${honest.port}/`), ...hanging]);
    expect(first).to.deep.equal(accepted);
    for (const outcome of await Promise.all(hanging)) {
      expect(outcome).to.deep.equal({ kind: 'unreachable', reason: 'dns_failure' });
    }
  });
});
