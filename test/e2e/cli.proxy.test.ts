import { expect } from 'chai';
import { testAuthority } from '../support/authority.js';
import { type CliUser, createCliUser, type RunningCli } from '../support/cli.js';
import { eventually } from '../support/eventually.js';
import { sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';
import { startTunnelProxy, type TunnelProxy } from '../support/proxies.js';

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
    await Promise.all(running.splice(0).map((each) => each.end('SIGKILL')));
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

  it('H265: sends every request and the stream through it', async () => {
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

  it('H265: speaks TLS with a proxy of https, and with the service inside', async () => {
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

  it('H265: goes past it to this machine', async () => {
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

  it('H265: says what a proxy answers, without its password', async () => {
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

  it('H265: ends at Ctrl-C while a proxy does not answer', async () => {
    proxy.answerWith(0);
    const before = proxy.tunnels.length;
    const cli = start('listen');
    await eventually(() => expect(proxy.tunnels).to.have.lengthOf(before + 1), 'the request');
    expect(await cli.end('SIGINT')).to.equal(130);
  });
});
