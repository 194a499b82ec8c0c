import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { canOpenTerminals, type CliUser, createCliUser } from '../support/cli.js';
import { createEndpoint } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { repositoryRoot } from '../support/repository.js';
import { sharedService } from '../support/service.js';
import { createTenant } from '../support/tenants.js';

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

  it('H183: open starts the browser of a terminal, and needs none', async function () {
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
