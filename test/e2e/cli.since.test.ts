import { expect } from 'chai';
import { type CliUser, createCliUser, type RunningCli } from '../support/cli.js';
import { createEndpoint } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const type = 'cart.order.completed';

describe('signalpost, what has happened', function () {
  this.timeout(60_000);
  let user: CliUser;
  let tenant: Tenant;
  let receiver: Receiver;
  let endpoint: string;
  const running: RunningCli[] = [];

  before(async () => {
    const service = await sharedService();
    tenant = await createTenant(service);
    const { token } = await tenant.credential({ kind: 'live' });
    user = createCliUser({ SIGNALPOST_URL: service.url, SIGNALPOST_API_KEY: token });
    receiver = await startReceiver();
    ({ id: endpoint } = await createEndpoint(tenant.rest, { url: receiver.url() }));
  });
  afterEach(() => Promise.all(running.splice(0).map((each) => each.end('SIGKILL'))));
  after(async () => {
    await receiver.close();
    user.remove();
  });

  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await user.run(...args, '--json');
    expect(code, stderr).to.equal(0);
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  const start = (...args: string[]) => {
    const cli = user.start(...args);
    running.push(cli);
    return cli;
  };
  const trigger = async (count: string) =>
    (await json('trigger', type, '--count', count)).map(({ id }) => String(id));

  it('H182: listen begins with the event that --since names, and refuses one of another account', async () => {
    const [first = ''] = await trigger('1');
    const [second = '', third = ''] = await trigger('2');
    const cli = start('listen', '--since', second);
    await eventually(() => expect(cli.stdout()).to.contain(third), 'the third event');
    expect(cli.stdout()).to.contain(second);
    expect(cli.stdout()).not.to.contain(first);
    const foreign = await user.run(
      'listen',
      '--name',
      'other',
      '--since',
      'evt_0VbZiGIyik9E43S6tFR9sk7Z',
    );
    expect([foreign.code, foreign.stderr]).to.deep.equal([1, 'No event with this id.\n']);
  });

  it('H182: tail begins with the attempts of the event that --since names', async () => {
    const [event = ''] = await trigger('1');
    const cli = start('tail', '--since', event, '--json');
    await eventually(() => expect(cli.stdout()).to.contain(event), 'the attempt');
    const [line = ''] = cli.stdout().split('\n');
    expect(JSON.parse(line)).to.deep.include({ endpoint_id: endpoint, status: 'success' });
  });

  it('H182: deliveries list finds attempts by endpoint, type, event, time, test and replay', async () => {
    const [event = ''] = await trigger('1');
    const list = (...filter: string[]) => json('deliveries', 'list', '--event', event, ...filter);
    const [attempt] = await eventually(async () => {
      const found = await list();
      expect(found).to.have.lengthOf(1);
      return found;
    }, 'the record');
    expect(attempt).to.deep.include({ eventId: event, endpoint: { id: endpoint }, test: true });
    const matching = [
      ['--endpoint', endpoint, '--type', type, '--status', 'success'],
      ['--since', '1h', '--test', '--no-replayed'],
    ];
    for (const filter of matching) expect(await list(...filter)).to.deep.equal([attempt]);
    const others = [['--no-test'], ['--replayed'], ['--until', '1h'], ['--type', 'offer.sent']];
    for (const filter of others) expect(await list(...filter), filter.join(' ')).to.deep.equal([]);
  });
});
