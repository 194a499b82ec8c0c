import { expect } from 'chai';
import { atIntervals, eventually } from '../support/eventually.js';
import { type CliUser, createCliUser, type RunningCli } from '../support/cli.js';
import { FaultInjection } from '../support/fault-injection.js';
import { publisherOf } from '../support/publisher.js';
import { type Receiver, startReceiver, verify } from '../support/receiver.js';
import { sampleOf } from '../support/random.js';
import { type Service, startService } from '../support/service.js';
import { createTcpProxy, type TcpProxy } from '../support/proxies.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const type = 'cart.order.completed';
const events = 1_000;
const ticksMs = 100;
const perTick = 5;

describe('signalpost listen, while the API is killed and the network is cut', function () {
  let service: Service;
  let tenant: Tenant;
  let proxy: TcpProxy;
  let local: Receiver;
  let user: CliUser;
  let cli: RunningCli | undefined;

  before(async () => {
    service = await startService({ workers: 0 });
    tenant = await createTenant(service);
    proxy = await createTcpProxy(Number(new URL(service.url).port));
    await proxy.open();
    local = await startReceiver();
    user = createCliUser({ SIGNALPOST_URL: `http://127.0.0.1:${proxy.port}` });
    const { token } = await tenant.credential({ kind: 'live' });
    const { code, stderr } = await user.type(token, 'login');
    expect(code, stderr).to.equal(0);
  });

  after(async () => {
    await cli?.end('SIGKILL');
    user.remove();
    await Promise.all([local.close(), proxy.close(), service.stop()]);
  });

  /** Publishes at 50 events a second, without the API. */
  async function publishAll(): Promise<string[]> {
    const publisher = publisherOf(await service.database.open());
    const ids: string[] = [];
    const ticks = atIntervals(ticksMs)[Symbol.asyncIterator]();

    while (ids.length < events) {
      await ticks.next();

      const requests = Array.from({ length: perTick }, (__, place) => ({
        accountId: tenant.account,
        type,
        data: sampleOf(type),
        subject: `order:${ids.length + place}`,
      }));
      for (const result of await publisher.publish(requests)) {
        if (result instanceof Error) throw result;
        ids.push(result.id);
      }
    }

    await ticks.return?.();

    return ids;
  }

  it('H178: misses none of 1,000 events, and forwards none twice without a mark', async () => {
    cli = user.start('listen', '--forward-to', local.url('/hooks'), '--skip-verify');

    const running = cli;
    await eventually(() => expect(running.stderr()).to.contain('Listening'), 'it listens');

    const publishing = publishAll();
    const kills = new FaultInjection('API killed below listen');
    const cuts = new FaultInjection('network of listen cut');

    /** The next fault meets an open stream, not a pause of the one before. */
    const connectedAgain = () => {
      const wanted = kills.injected + cuts.injected + 1;
      return eventually(
        () => expect(running.stderr().split('Reconnected;').length - 1).to.be.at.least(wanted),
        `connection ${wanted}`,
        30_000,
      );
    };

    await kills.repeat(async () => {
      await service.api.end('SIGKILL');
      await service.startApi();
      await connectedAgain();
    });

    await cuts.repeat(async () => {
      await proxy.refuse();
      await cuts.holdFault();
      await proxy.open();
      await connectedAgain();
    });

    const published = await publishing;
    const idOf = ({ headers }: { headers: Readonly<Record<string, string>> }) =>
      headers['x-service-event-id'] ?? '';
    await eventually(
      () => expect(new Set(local.requests.map(idOf)).size).to.equal(published.length),
      'every event',
      30_000,
    );

    const unmarked = local.requests.filter(({ headers }) => !headers['signalpost-redelivered']);
    expect(unmarked.map(idOf)).to.have.members(published);

    const secret = /^Signing secret: (\S+)$/m.exec(running.stderr())?.[1] ?? '';
    const wrong = local.requests.filter((request) => {
      const { service: stripe, standard } = verify(request, secret);
      return !stripe || !standard;
    });

    expect(wrong.map(idOf)).to.deep.equal([]);
    expect(await running.end('SIGINT')).to.equal(130);
  });

  it('H178: goes on after its machine slept, although the sleep ended its connection', async () => {
    const sleep = new FaultInjection('machine of listen asleep');
    cli = user.start('listen', '--name', 'asleep');

    const running = cli;
    await eventually(() => expect(running.stderr()).to.contain('Listening'), 'it listens');

    const publish = () => tenant.publish({ type });
    const before = await publish();
    await eventually(() => expect(running.stdout()).to.contain(before), 'the event before');

    await sleep.repeat(async () => {
      running.signal('SIGSTOP');
      proxy.silence();
      const during = await publish();
      await sleep.holdFault();
      running.signal('SIGCONT');
      // Without it, 45 seconds of silence would end the connection 23 seconds from now.
      const arrived = () => expect(running.stdout()).to.contain(during);
      await eventually(arrived, 'the event of the night', 15_000);
    });

    expect(running.stderr()).to.contain('resuming where the stream broke off');
    expect(running.stdout().split(before)).to.have.lengthOf(2);
    expect(await running.end('SIGINT')).to.equal(130);
  });
});
