import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { eventTypeDocument } from '../../cli/generated/documents.js';
import { createEndpoint } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { startReceiver } from '../support/receiver.js';
import { type CliUser, createCliUser, type RunningCli, canOpenTerminals } from '../support/cli.js';
import { sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';
import { testAuthority } from '../support/authority.js';
import { startTunnelProxy, type TunnelProxy } from '../support/proxies.js';
import { repositoryRoot } from '../support/repository.js';

const run = promisify(execFile);

describe('signalpost, the command line', () => {
  let user: CliUser;
  let tenant: Tenant;
  let key: string;

  before(async () => {
    const service = await sharedService();
    tenant = await createTenant(service);
    key = (await tenant.credential({ kind: 'live' })).token;
    user = createCliUser({ SIGNALPOST_URL: service.url });
  });

  after(() => user.remove());

  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await user.run(...args, '--json');
    expect(code, stderr).to.equal(0);
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };

  it('H177: exits with 3 without a key, and stores none that the service refuses', async () => {
    expect((await user.run('endpoints', 'list')).code).to.equal(3);
    const refused = await user.type('sk_live_wrongwrongwrong\n', 'login');
    expect([refused.code, refused.stdout]).to.deep.equal([3, '']);
    expect((await user.run('profiles')).stdout).to.equal('');
  });

  it('H176: stores a profile that other users cannot read', async () => {
    const args = ['--profile', 'other', '--no-check'];
    const { code, stderr } = await user.type('sk_live_something', 'login', ...args);
    expect(code, stderr).to.equal(0);
    const folder = join(user.home, '.config', 'signalpost', 'profiles');
    const modes = [folder, join(folder, 'other.json')].map((path) => statSync(path).mode & 0o777);
    expect(modes).to.deep.equal([0o700, 0o600]);
    expect((await user.run('logout', '--profile', 'other')).code).to.equal(0);
  });

  it('H177: verify says whether a signature is right, without a service', async () => {
    const args = ['--secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0123456789AB', '--body', '-'];
    const hmac = '4d84f0cc0a7cf05e0161700a058f7bd315312974325cf8a2f890b633142d66ab';
    const header = ['--header', `t=1795132800,v1=${hmac}`, '--at', '2026-11-20T00:00:00Z'];
    const body =
      '{"specversion":"1.0","id":"evt_test_1","type":"cart.order.completed","data":{"metadata":{"k":"é"}}}';
    const right = await user.type(body, 'verify', ...args, ...header);
    expect([right.code, right.stdout]).to.deep.equal([0, 'Right: X-Service-Signature matches.\n']);
    const wrong = await user.type(`${body}\n`, 'verify', ...args, ...header, '--json');
    expect(wrong.code).to.equal(1);
    expect(JSON.parse(wrong.stdout)).to.deep.include({ right: false, reason: 'body_changed' });
  });

  it('H177: signs in with a key from standard input, then calls the service with it', async () => {
    const login = await user.type(`${key}\n`, 'login');
    expect(login.code, login.stderr).to.equal(0);
    expect(login.stdout).not.to.contain(key);

    const [whoami] = await json('whoami');
    expect([whoami]).to.deep.equal([
      {
        url: user.environment['SIGNALPOST_URL'],
        profile: 'default',
        key: `…${key.slice(-4)}`,
        account: tenant.account,
        account_name: 'Test shop',
        member: whoami?.['member'],
        role: 'owner',
        webhooks: 'write',
        orders: 'write',
      },
    ]);
  });

  it('creates, changes, lists and deletes an endpoint', async () => {
    const create = ['--endpoint-url', 'https://127.0.0.1:9/', '--events', 'cart.order.completed'];
    const [created] = await json('endpoints', 'create', ...create, '--email', 'ops@example.com');
    const id = String(created?.['id']);

    expect(created?.['signing_secret']).to.match(/^whsec_/);

    const [changed] = await json('endpoints', 'disable', id);
    expect(changed?.['active']).to.equal(false);
    expect(await json('endpoints', 'list', '--status', 'inactive')).to.have.lengthOf(1);

    const [standard] = await json('endpoints', 'options', id);
    expect(standard).to.deep.include({ id, max_per_second: null });
    expect(standard).to.have.nested.property('retry_schedule.name', 'default');
    const [limited] = await json('endpoints', 'options', id, '--rate', '10');
    expect(limited).to.deep.equal({ ...standard, max_per_second: 10 });
    const [unlimited] = await json('endpoints', 'options', id, '--rate', 'none');
    expect(unlimited).to.deep.equal(standard);
    const unknown = await user.run('endpoints', 'options', id, '--schedule', 'never');
    expect([unknown.code, unknown.stderr]).to.deep.equal([
      1,
      'retrySchedule: Must be one of default.\n',
    ]);

    const unconfirmed = await user.run('endpoints', 'delete', id);
    expect([unconfirmed.code, unconfirmed.stderr]).to.deep.equal([
      2,
      `Delete endpoint ${id} and its pending deliveries? Confirm with --yes.\n`,
    ]);

    expect(await json('endpoints', 'delete', id, '--yes')).to.deep.equal([{ deleted: id }]);
  });

  it('H177: names what was refused, with exit codes for refusal, wrong usage and no answer', async () => {
    const refused = await user.run('endpoints', 'show', 'whs_nothing');
    expect([refused.code, refused.stdout]).to.deep.equal([1, '']);
    expect(refused.stderr).to.equal(
      'Not found (404 not_found)\n  No webhook endpoint with this id.\n',
    );
    expect((await user.run('endpoints', 'list', '--limit', '0')).code).to.equal(2);
    const away = createCliUser({ SIGNALPOST_URL: 'http://127.0.0.1:1', SIGNALPOST_API_KEY: key });
    const unanswered = await away.run('endpoints', 'list');
    away.remove();
    expect(unanswered.code).to.equal(4);
    expect(unanswered.stderr).to.match(/^Cannot reach http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/);
  });

  it('shows events and attempts, and triggers events with given data', async () => {
    const receiver = await startReceiver();
    after(() => receiver.close());

    const { id: endpoint } = await createEndpoint(tenant.rest, { url: receiver.url() });
    const type = 'cart.order.completed';
    const set = ['--set', 'currency=USD', '--set', 'metadata.cart=cart-77'];
    const sent = await json('trigger', type, '--endpoint', endpoint, '--count', '2', ...set);
    expect(sent).to.have.lengthOf(2);

    const { body, headers } = await receiver.next();
    const { data } = JSON.parse(body.toString()) as { data: Record<string, unknown> };
    expect(data).to.deep.include({ currency: 'USD' });

    const delivery = headers['x-service-delivery-id'] ?? '';
    await eventually(async () => {
      const [shown] = await json('deliveries', 'show', delivery);
      expect(shown).to.deep.include({ status: 'success', endpoint: { id: endpoint } });
    }, 'the record');

    const ids = (await json('events', 'list', '--type', type)).map(({ id }) => id);
    expect(ids).to.include.members(sent.map(({ id }) => id));

    const event = await user.run('events', 'show', headers['x-service-event-id'] ?? '');
    expect(event.stdout).to.contain(delivery).and.to.contain('cart-77');

    const counted = await user.run('recover', '--since', '1h', '--dry-run');
    expect([counted.code, counted.stdout]).to.deep.equal([0, 'Nothing to recover.\n']);
  });

  it('H183: prints an example that trigger takes as data, and names members as /v1 does', async () => {
    const type = 'cart.order.completed';
    const { stdout: example } = await user.run('event-types', 'show', type, '--example');
    expect(JSON.parse(example)).to.have.property('line_items');

    const { code, stdout, stderr } = await user.type(
      example,
      'trigger',
      type,
      '--no-endpoint',
      '--data',
      '-',
      '--json',
    );

    expect(code, stderr).to.equal(0);

    const { id } = JSON.parse(stdout) as { id: string };
    const [event] = await json('events', 'show', id);
    expect(event).to.include.keys('occurred_at', 'body').and.not.include.keys('occurredAt');

    const [schema] = await json('event-types', 'show', type, '--schema');
    expect(schema?.['title']).to.equal('Order completed');
  });

  it('H277: reads examples from the served schema when the service is of 2.0.0', async () => {
    const service = await startOlder(String(user.environment['SIGNALPOST_URL']));
    const older = createCliUser({ SIGNALPOST_URL: service.url, SIGNALPOST_API_KEY: key });
    try {
      const type = 'cart.order.completed';
      const shown = await older.run('event-types', 'show', type, '--example');
      expect(shown.code, shown.stderr).to.equal(0);
      expect(JSON.parse(shown.stdout)).to.have.property('line_items');

      const trigger = ['trigger', type, '--no-endpoint', '--set'];
      const sent = await older.run(...trigger, 'currency=USD', '--json');
      expect(sent.code, sent.stderr).to.equal(0);

      const { id } = JSON.parse(sent.stdout) as { id: string };
      expect((await older.run('events', 'show', id)).stdout).to.contain('"USD"');

      const mistyped = await older.run(...trigger, 'curency=USD');
      expect(mistyped.stderr).to.equal('Unknown path: curency. Did you mean currency?\n');

      const open = await older.run('event-types', 'show', 'payment.dispute.opened', '--example');
      expect([open.code, open.stderr]).to.deep.equal([
        1,
        'payment.dispute.opened has no public example at this service.\n',
      ]);

      const other = await older.run('event-types', 'show', type, '--example', '--version', 'v9');
      expect([other.code, other.stdout]).to.deep.equal([1, '']);
      expect(other.stderr).to.contain('404');
      expect(service.refused).to.equal(5);
    } finally {
      older.remove();
      await service.close();
    }
  });

  it('H269: refuses a number in --data or --set that a double would change', async () => {
    const type = ['trigger', 'cart.order.completed', '--no-endpoint'];
    const [example = {}] = await json('event-types', 'show', 'cart.order.completed', '--example');

    for (const number of ['9007199254740993.0', '9007199254740993', '1e-400', '1e400']) {
      const data = JSON.stringify({ ...example, metadata: { text: '1e400', n: 0 } });
      const given = data.replace('"n":0', `"n":${number}`);
      const set = `metadata.n=${number}`;
      for (const refused of [
        await user.type(given, ...type, '--data', '-'),
        await user.run(...type, '--set', set),
      ]) {
        expect([refused.code, refused.stdout], number).to.deep.equal([2, '']);
        expect(refused.stderr, number).to.include(number);
      }
    }

    const taken = await user.run(
      ...type,
      '--set',
      'metadata.n=1.0',
      '--set',
      'metadata.text=1e400x',
    );
    expect(taken.code, taken.stderr).to.equal(0);
  });

  if (!existsSync('/dev/full')) {
    it('no /dev/full on this system, which stands for a full disk: only Linux has it');
  } else {
    it('H177: says in one line that the disk is full, as the commands of operators do', async () => {
      for (const entry of ['cli/main.js', 'tools/admin/main.js']) {
        const path = fileURLToPath(new URL(`../../${entry}`, import.meta.url));
        const command = 'exec "$0" "$@" > /dev/full';
        const full = await run('sh', [
          '-c',
          command,
          process.execPath,
          path,
          'completion',
          'bash',
        ]).catch((error: unknown) => error);

        expect(full, entry).to.deep.include({ code: 1, stdout: '' });
        expect(full)
          .to.have.property('stderr')
          .that.matches(/^Cannot write to standard output: ENOSPC.*\n$/);
      }
    });
  }

  it('H177: refuses data that does not fit before sending it, and suggests similar paths', async () => {
    const { id } = await createEndpoint(tenant.rest);
    const trigger = ['trigger', 'cart.order.completed', '--endpoint', id, '--set'];
    const mistyped = await user.run(...trigger, 'curency=USD');
    expect([mistyped.code, mistyped.stderr]).to.deep.equal([
      2,
      'Unknown path: curency. Did you mean currency?\n',
    ]);
    const wrong = await user.run(...trigger, 'line_items=none');
    expect([wrong.code, wrong.stdout]).to.deep.equal([1, '']);
    expect(wrong.stderr).to.match(/^data\.line_items: .+\n$/);
    const foreign = await user.run('events', 'show', 'evt_0VbZiGIyik9E43S6tFR9sk7Z');
    expect([foreign.code, foreign.stdout]).to.deep.equal([1, '']);
  });
});

/** Starts a service without the documents that 2.0.0 lacked. It forwards everything else to `url`. */
async function startOlder(url: string) {
  let refused = 0;
  const server = createServer((incoming, response) => {
    const pass = async () => {
      const body = await buffer(incoming);
      if (body.includes(eventTypeDocument.id)) {
        refused += 1;
        response.writeHead(400, { 'content-type': 'application/problem+json' });
        response.end('{"title":"Unknown document","status":400,"code":"document_unknown"}');
        return;
      }

      const { method = 'GET', headers, url: path = '/' } = incoming;
      const passed = request(new URL(path, url), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      passed.end(body);
    };
    void pass();
  });

  await once(server.listen(0, '127.0.0.1'), 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get refused() {
      return refused;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const name = 'webhooks.signalpost.test';

describe('signalpost behind a proxy', () => {
  let proxy: TunnelProxy;
  let tenant: Tenant;
  let environment: Record<string, string>;
  const users: CliUser[] = [];
  const running: RunningCli[] = [];

  before(async () => {
    const service = await sharedService();
    tenant = await createTenant(service);
    proxy = await startTunnelProxy(service.url, [name, 'localhost']);
    environment = {
      HTTPS_PROXY: proxy.url.replace('//', '//me:pass%20word@'),
      NODE_EXTRA_CA_CERTS: (await testAuthority()).caFile,
      SIGNALPOST_API_KEY: (await tenant.credential({ kind: 'live' })).token,
    };
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((command) => command.end('SIGKILL')));
    for (const user of users.splice(0)) user.remove();
    proxy.answerWith(200);
  });

  after(() => proxy.close());

  const userOf = (url: string) => {
    const user = createCliUser({ ...environment, SIGNALPOST_URL: url });
    users.push(user);
    return user;
  };

  const start = (...args: string[]) => {
    const cli = userOf(`https://${name}`).start(...args);
    running.push(cli);
    return cli;
  };

  it('H265: sends every request and the stream through the proxy', async () => {
    const user = userOf(`https://${name}`);
    const before = proxy.tunnels.length;
    const shown = await user.run(
      'trigger',
      'offer.sent',
      '--no-endpoint',
      '--count',
      '2',
      '--json',
    );

    expect(shown.code, shown.stderr).to.equal(0);

    const [line = ''] = shown.stdout.split('\n');
    const { id } = JSON.parse(line) as { id: string };

    // One connection serves all requests of a command.
    expect(proxy.tunnels.slice(before)).to.deep.equal([
      { to: `${name}:443`, authorization: `Basic ${btoa('me:pass word')}` },
    ]);

    const cli = start('listen', '--since', id);
    await eventually(() => expect(cli.stdout()).to.contain(id), 'the event');
    expect(await cli.end('SIGINT')).to.equal(130);
  });

  it('H265: speaks TLS with an https proxy, and with the service inside the tunnel', async () => {
    const user = createCliUser({
      ...environment,
      HTTPS_PROXY: proxy.secureUrl,
      SIGNALPOST_URL: `https://${name}`,
    });
    users.push(user);
    const shown = await user.run('endpoints', 'list');
    expect(shown.code, shown.stderr).to.equal(0);
    expect(proxy.tunnels.at(-1)).to.include({ to: `${name}:443` });
  });

  it('H265: bypasses the proxy for services on this machine', async () => {
    const before = proxy.tunnels.length;
    const shown = await userOf(`https://localhost:${proxy.securePort}`).run('endpoints', 'list');
    expect(shown.code, shown.stderr).to.equal(0);
    expect(proxy.tunnels).to.have.lengthOf(before);
  });

  it('names a missing intermediate certificate', async () => {
    const user = createCliUser({
      SIGNALPOST_API_KEY: environment['SIGNALPOST_API_KEY'] ?? '',
      SIGNALPOST_URL: `https://localhost:${proxy.securePort}`,
    });
    users.push(user);
    const { code, stderr } = await user.run('endpoints', 'list');
    expect(code, stderr).to.equal(4);
    expect(stderr).to.contain('The server sent no intermediate certificate');
  });

  it('H265: prints what the proxy answers, without its password', async () => {
    proxy.answerWith(407);

    const refused = await userOf(`https://${name}`).run('endpoints', 'list');
    expect([refused.code, refused.stderr]).to.deep.equal([
      4,
      `Cannot reach https://${name}: proxy ${proxy.url}: status 407.\n`,
    ]);

    environment = { ...environment, HTTPS_PROXY: 'socks5://me:secret@127.0.0.1:1' };

    const other = await userOf(`https://${name}`).run('endpoints', 'list');
    environment['HTTPS_PROXY'] = proxy.url;

    expect([other.code, other.stderr]).to.deep.equal([
      2,
      'HTTPS_PROXY must be an http or https URL.\n',
    ]);
  });

  it('H265: ends at Ctrl-C while the proxy does not answer', async () => {
    proxy.answerWith(0);
    const before = proxy.tunnels.length;
    const cli = start('listen');
    await eventually(() => expect(proxy.tunnels).to.have.lengthOf(before + 1), 'the request');
    expect(await cli.end('SIGINT')).to.equal(130);
  });
});

const pages = {
  whs_1: 'endpoints',
  whd_1: 'deliveries',
  evt_1: 'events',
  rcv_1: 'recoveries',
};

const linesOf = (text: string) => stripVTControlCharacters(text).split('\r\n');

describe('signalpost, on a terminal', () => {
  let user: CliUser;
  let endpoint: string;
  let url: string;

  before(async () => {
    const service = await sharedService();
    ({ url } = service);
    const tenant = await createTenant(service);
    const { token } = await tenant.credential({ kind: 'live' });
    ({ id: endpoint } = await createEndpoint(tenant.rest));
    user = createCliUser({ SIGNALPOST_URL: url, SIGNALPOST_API_KEY: token });
    const sent = await user.run('trigger', 'cart.order.completed', '--no-endpoint');
    expect(sent.code, sent.stderr).to.equal(0);
  });

  after(() => user.remove());

  const needTerminal = (test: Mocha.Context) => {
    if (canOpenTerminals) return;
    test.test!.title += ' (pending: script(1) opens no terminal here)';
    test.skip();
  };

  it('H175: fits tables to 60, 80, 100 and 200 columns, and cuts no id', async function () {
    needTerminal(this);

    const lists = {
      endpoints: endpoint,
      events: 'evt_',
      'event-types': 'payment.chargeback.created',
    };
    for (const [list, whole] of Object.entries(lists)) {
      for (const columns of [60, 80, 100, 200]) {
        const { code, stdout } = await user.onTerminal(columns, list, 'list');
        expect(code, stdout).to.equal(0);

        const lines = linesOf(stdout);
        const longest = Math.max(...lines.map((line) => line.length));
        expect(longest, stdout).to.be.at.most(columns);
        expect(stdout).to.contain(whole);
        if (list === 'endpoints') expect(stdout).to.contain('\u001b[32mactive');

        const isTable = /^(ID|TYPE) .+ [A-Z]+$/.test(lines[0] ?? '');
        expect(isTable, `${list} at ${columns}: ${lines[0]}`).to.equal(columns > 60);
      }
    }
  });

  it('H183: open prints the page of an id', async () => {
    const routes = readFileSync(join(repositoryRoot, 'dashboard', 'src', 'routes.tsx'), 'utf8');
    for (const [id, page] of Object.entries(pages)) {
      const { code, stdout } = await user.run('open', id);
      expect([code, stdout]).to.deep.equal([0, `${url}/dashboard/${page}/${id}\n`]);
      expect(routes).to.contain(`/${page}/:id\``);
    }
    const unknown = await user.run('open', 'ord_1');
    expect([unknown.code, unknown.stdout]).to.deep.equal([2, '']);
  });

  it('H183: open starts the browser when it runs on a terminal', async function () {
    needTerminal(this);

    const folder = join(user.home, 'bin');
    const opened = join(user.home, 'opened');

    mkdirSync(folder);
    writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`);
    chmodSync(join(folder, 'xdg-open'), 0o755);

    const search = `${folder}:${process.env['PATH']}`;
    const other = createCliUser({ ...user.environment, PATH: search });
    const page = `${url}/dashboard/events/evt_1`;
    const shown = await other.onTerminal(80, 'open', 'evt_1');
    expect([shown.code, shown.stdout]).to.deep.equal([0, `${page}\r\n`]);
    await eventually(() => expect(readFileSync(opened, 'utf8')).to.equal(page), 'the browser');
    other.remove();
  });
});
