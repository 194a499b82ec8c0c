import { expect } from 'chai';
import { fetch } from 'undici';
import { DatabaseClient } from '../../src/database/connection.js';
import { freePort } from '../../tools/launcher/ports.js';
import type { FollowedServer } from '../support/cluster.js';
import { eventually } from '../support/eventually.js';
import { ask, type FailoverPair, startFailoverPair } from '../support/failover-pair.js';
import { startProcess } from '../support/process.js';
import { type Service, startService } from '../support/service.js';
import { createTenant } from '../support/tenants.js';

const refusal = 'only a former primary takes writes';

describe('a former primary that takes writes, beside a standby of the promoted host', () => {
  let pair: FailoverPair;
  let service: Service;
  let follower: FollowedServer | undefined;
  let followerPort: number;

  beforeEach(async function () {
    follower = undefined;
    followerPort = await freePort();
    pair = await startFailoverPair();
    // Without a synchronous standby the former primary goes on to commit.
    const admin = pair.primary.url('postgres');
    await ask(admin, `alter system set synchronous_standby_names = ''`);
    await ask(admin, 'select pg_reload_conf()');
    const url = (database: string) => pair.url(database).replace(/(?=\/\w+$)/, followerHost());
    service = await startService({ cluster: { ...pair, url } });
  });

  afterEach(async () => {
    await service.stop();
    await follower?.stop();
    await pair.stop();
  });

  const followerHost = () => `,127.0.0.1:${followerPort}`;
  const nameOfDatabase = () =>
    new URL(service.database.url.replace(/,[^/]*/, '')).pathname.slice(1);
  const stored = async (server: FailoverPair['primary']) => {
    const rows = await ask(server.url(nameOfDatabase()), 'select id from event');
    return rows.map(({ id }) => String(id));
  };

  const readiness = async (url: string) => (await fetch(`${url}/readyz`)).status;

  it('H205: neither a running process nor one that starts uses the former primary', async function () {
    const tenant = await createTenant(service);
    await tenant.publish({});

    // A client that knows nothing of the promoted host uses the former primary until it sees a newer timeline.
    const url = pair.primary.url(nameOfDatabase()).replace(/(?=\/\w+$)/, followerHost());
    const client = new DatabaseClient({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();

    let isOpen = true;
    client.once('end', () => (isOpen = false));

    await pair.promote();
    follower = await pair.standby.startStandby(followerPort);

    const promoted = `"host":"${new URL(pair.standby.url('postgres')).host}"`;
    const running = [service.api, ...service.workers];
    await eventually(() => {
      for (const { lines } of running) expect(lines.join('\n')).to.include(promoted);
    }, 'API and worker use the promoted host');
    await eventually(() => expect(isOpen).to.equal(false), 'the client leaves the former primary');
    await pair.standby.end('SIGKILL');

    const before = await stored(pair.primary);

    const port = await freePort();
    const internalPort = await freePort();
    const fresh = startProcess('src/main.js', {
      ...service.environment,
      PORT: String(port),
      INTERNAL_PORT: String(internalPort),
    });
    try {
      await eventually(
        () => expect(fresh.lines.join('\n')).to.include(refusal),
        'the process that starts refuses the former primary',
      );

      const again = new DatabaseClient({ connectionString: url });
      const failure = await again.connect().catch((error: unknown) => error);
      expect(failure).to.be.an('error').with.property('code', '57P03');
      expect(failure).to.have.property('message').that.includes(refusal);

      const publish = await tenant.publish({}).catch((error: unknown) => error);
      expect(publish).to.include({ status: 503, code: 'service_unavailable' });

      await eventually(
        async () => expect(await readiness(service.internalUrl)).to.equal(503),
        'the running API is not ready',
      );

      expect(await stored(pair.primary)).to.deep.equal(before);

      await pair.standby.start();

      for (const address of [service.internalUrl, `http://127.0.0.1:${internalPort}`]) {
        await eventually(
          async () => expect(await readiness(address)).to.equal(200),
          `${address} is ready`,
        );
      }
    } finally {
      await fresh.end();
    }

    const id = await eventually(() => tenant.publish({ key: 'after' }), 'the API publishes again');
    expect(await stored(pair.standby)).to.include(id);
    expect(await stored(pair.primary)).to.deep.equal(before);
  });
});
