import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createCheckout } from '../support/sales.js';
import { type CliUser, createCliUser, type RunningCli } from '../support/cli.js';
import { createEndpoint } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const type = 'cart.order.completed';

describe('the commands of signalpost that look back', () => {
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

  afterEach(() => Promise.all(running.splice(0).map((command) => command.end('SIGKILL'))));

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
    const whole = new RegExp(`${event}.*\\n`);
    await eventually(() => expect(cli.stdout()).to.match(whole), 'the attempt');
    const [line = ''] = cli.stdout().split('\n');
    expect(JSON.parse(line)).to.deep.include({ endpoint_id: endpoint, status: 'success' });
  });

  it('H182: deliveries list finds attempts by endpoint, type, event, time, test and replay', async () => {
    const [event = ''] = await trigger('1');
    const list = (...filter: string[]) => json('deliveries', 'list', '--event', event, ...filter);
    const [attempt] = await eventually(async () => {
      const deliveries = await list();
      expect(deliveries).to.have.lengthOf(1);
      return deliveries;
    }, 'the record');

    expect(attempt).to.deep.include({ event_id: event, endpoint: { id: endpoint }, test: true });

    const matching = [
      ['--endpoint', endpoint, '--type', type, '--status', 'success'],
      ['--since', '1h', '--test', '--no-replayed'],
    ];

    for (const filter of matching) expect(await list(...filter)).to.deep.equal([attempt]);

    const others = [['--no-test'], ['--replayed'], ['--until', '1h'], ['--type', 'offer.sent']];
    for (const filter of others) expect(await list(...filter), filter.join(' ')).to.deep.equal([]);
  });

  it('H183: a test event without an endpoint reaches listen and no endpoint', async () => {
    const from = (await trigger('1'))[0] ?? '';
    const set = ['--set', 'currency=USD', '--json'];
    const sent = await user.run('trigger', type, '--no-endpoint', ...set);
    expect(sent.code, sent.stderr).to.equal(0);

    const { id } = JSON.parse(sent.stdout) as { id: string };
    const after = (await trigger('1'))[0] ?? '';
    const cli = start('listen', '--since', from, '--json', '--print-body');
    await eventually(() => expect(cli.stdout()).to.contain(after), 'the event after it');

    const shown = cli
      .stdout()
      .split('\n')
      .find((line) => line.includes(id));

    expect(JSON.parse(shown ?? '{}')).to.deep.include({ id, test: true, type });
    expect(shown).to.contain('USD');

    await eventually(
      async () => expect(await json('deliveries', 'list', '--event', after)).to.have.lengthOf(1),
      'the record of the event after it',
    );

    expect(await json('deliveries', 'list', '--event', id)).to.deep.equal([]);

    const narrowed = await user.run('trigger', type, '--no-endpoint', '--set', 'line_items=1');
    expect([narrowed.code, narrowed.stdout]).to.deep.equal([1, '']);
  });

  it('H183: recover counts what an endpoint missed, asks, and starts sending it', async () => {
    const separate = await createTenant(await sharedService());
    const { token } = await separate.credential({ kind: 'live' });
    const { id } = await createEndpoint(separate.rest, {
      url: receiver.url(),
      event_types: ['cart.checkout.created'],
    });

    const signalpost = (...args: string[]) => user.with(token).run(...args);
    expect((await signalpost('endpoints', 'disable', id)).code).to.equal(0);
    await createCheckout(separate);
    expect((await signalpost('endpoints', 'enable', id)).code).to.equal(0);

    const recover = ['recover', '--since', '1h'];
    const counted = await signalpost(...recover, '--dry-run');
    expect(counted.stdout).to.match(
      new RegExp(`^Would send 0 failed and 1 missed events to ${id}, in about \\d+ s\\.\n$`),
    );

    const asked = await signalpost(...recover);
    expect([asked.code, asked.stdout]).to.deep.equal([2, '']);
    expect(asked.stderr).to.equal(
      `Send 0 failed and 1 missed events to ${id}? Confirm with --yes.\n`,
    );

    const started = await signalpost(...recover, '--yes', '--no-wait');
    expect(started.stdout, started.stderr).to.match(/^Started rcv_\w+\.\n$/);
  });

  it('listen and tail say which types of --events the catalogue lacks', async () => {
    for (const command of ['listen', 'tail']) {
      const cli = start(command, '--events', 'cart.order.complete,offer.sent');
      await eventually(
        () => expect(cli.stderr()).to.match(/^(Listening|Waiting) for /m),
        `${command} began`,
      );
      expect(cli.stderr()).to.match(
        /^Unknown event type: cart\.order\.complete\. Did you mean cart\.order\.completed/,
      );
      expect(cli.stderr()).not.to.contain('type: offer.sent');
    }
  });

  it('H184: listen --parallel forwards while an answer hangs', async () => {
    const seen: string[] = [];
    const local = createServer(({ headers }, response) => {
      seen.push(String(headers['webhook-id']));
      if (seen.length > 1) response.end();
    });

    local.listen(0, '127.0.0.1');
    await once(local, 'listening');
    after(() => local.close().closeAllConnections());

    const { port } = local.address() as AddressInfo;
    const ids = await trigger('3');
    const to = ['--forward-to', `http://127.0.0.1:${port}/`, '--parallel', '2'];
    const cli = start('listen', '--since', ids[0] ?? '', ...to);

    await eventually(() => expect(seen).to.have.members(ids), 'each event at the local server');

    await eventually(
      () => expect(cli.stdout().match(/→ 200/g)).to.have.lengthOf(2),
      'the two that do not hang',
    );
  });

  it('H264: listen goes on after an answer whose body stays open', async () => {
    const local = createServer((_request, response) => void response.writeHead(200).write('o'));
    local.listen(0, '127.0.0.1');
    await once(local, 'listening');
    after(() => local.close().closeAllConnections());
    const to = `http://127.0.0.1:${(local.address() as AddressInfo).port}/`;
    const ids = await trigger('2');
    const cli = start('listen', '--since', ids[0] ?? '', '--forward-to', to);
    for (const id of ids) {
      const line = new RegExp(`${id}.* → 200`);
      await eventually(() => expect(cli.stdout()).to.match(line), `the answer to ${id}`);
    }
  });

  it('H264: listen ends at Ctrl-C with every process of its command', async () => {
    const [id = ''] = await trigger('1');
    const cli = start('listen', '--since', id, '--exec', 'echo begun; sleep 1000 & wait');
    await eventually(() => expect(cli.stdout()).to.contain('begun'), 'the command began');
    // Resolves once no process holds the standard output open.
    expect(await cli.end('SIGINT')).to.equal(130);
  });

  it('H183: checkouts list shows the checkouts of the account, newest first', async () => {
    const ids = [await createCheckout(tenant), await createCheckout(tenant)];
    const shown = await json('checkouts', 'list');
    expect(shown.map(({ id, status }) => [id, status])).to.deep.equal(
      ids
        .toSorted()
        .map((id) => [id, 'open'])
        .toReversed(),
    );

    const { stdout, stderr } = await user.run('checkouts', 'list', '--limit', '1');
    expect(stdout)
      .to.match(/^ID +STATUS +MINOR UNITS/)
      .and.to.contain(String(shown[0]?.['id']));
    expect(stderr).to.equal('There are more: use --limit 2.\n');
  });
});
