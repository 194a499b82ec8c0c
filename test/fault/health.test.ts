import { expect } from 'chai';
import { fetch } from 'undici';
import { cluster } from '../support/cluster.js';
import { eventually } from '../support/eventually.js';
import { createTcpProxy, type TcpProxy } from '../support/proxies.js';
import { type Service, startService } from '../support/service.js';

describe('the health of API and worker', function () {
  let proxy: TcpProxy;
  let service: Service;
  let addresses: Record<'API' | 'worker', string>;

  before(async () => {
    proxy = await createTcpProxy(Number(new URL((await cluster()).url('postgres')).port));
    service = await startService({ databasePort: proxy.port });
    addresses = { API: service.internalUrl, worker: service.workers[0]?.healthUrl ?? '' };
  });

  after(async () => {
    await proxy.open();
    await service.stop();
    await proxy.close();
  });

  const ask = async (address: string, path: string) => {
    const response = await fetch(`${address}${path}`);
    return {
      status: response.status,
      type: response.headers.get('content-type')?.split(';')[0],
      body: await response.json(),
    };
  };

  const type = 'application/json';

  for (const name of ['API', 'worker'] as const) {
    const isReady = () =>
      eventually(async () => {
        const body = {
          status: 'ready',
          dependencies: { postgresql: 'ok', queue: 'ok', partitions: 'ok', writes: 'ok' },
        };
        expect(await ask(addresses[name], '/readyz')).to.deep.equal({ status: 200, type, body });
      }, `the ${name} is ready`);

    it(`the ${name} reports its health in the common format`, async () => {
      const live = { status: 200, type, body: { status: 'live' } };
      expect(await ask(addresses[name], '/livez')).to.deep.equal(live);
      await isReady();
    });

    it(`the ${name} is live but not ready while PostgreSQL is unreachable, and ready again afterwards`, async () => {
      await proxy.refuse();
      const body = {
        status: 'not ready',
        dependencies: { postgresql: 'away', queue: 'away', partitions: 'away', writes: 'away' },
      };
      expect(await ask(addresses[name], '/readyz')).to.deep.equal({ status: 503, type, body });
      expect((await ask(addresses[name], '/livez')).status).to.equal(200);
      await proxy.open();
      await isReady();
    });
  }
});
