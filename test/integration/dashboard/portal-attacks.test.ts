import { expect } from 'chai';
import type { Role } from '../../../src/domain/account/permission.js';
import { type Answer, DashboardClient, documentId } from '../../support/dashboard.js';
import { describePortal } from '../../support/portal.js';

const viewer = `query { viewer { account { id } member { id } permissions { webhooks orders }
  portal { role theme { scheme accent background } } } }`;
describePortal('attacks on the portal', [viewer], (use) => {
  const brief = ({ status, code }: Answer) => [status, code];

  it('H216: refuses what another site sends', async () => {
    const portal = use();
    const browser = portal.browser();
    await portal.open(browser);

    const { token } = await portal.link();
    const foreign = portal.browser(portal.account, { 'sec-fetch-site': 'cross-site' });

    for (const [name, value] of browser.cookies) foreign.cookies.set(name, value);

    const silent = portal.browser(portal.account, {});
    const other = portal.browser(portal.account, { origin: 'https://evil.example' });
    for (const each of [foreign, silent, other]) {
      for (const [path, body] of [
        ['/session', { token }],
        ['/session/kept', {}],
        ['/graphql', { id: documentId(viewer) }],
      ] as const) {
        expect(brief(await each.send('POST', path, body)), path).to.deep.equal([403, 'forbidden']);
      }

      expect((await each.send('DELETE', '/session')).status).to.equal(403);
      expect((await each.send('GET', '/stream')).status).to.equal(403);
    }

    const form = await browser.send('POST', '/session', `token=${token}`, {
      'content-type': 'text/plain',
    });
    expect(form.status).to.equal(415);
    expect((await portal.browser().send('POST', '/session', { token })).status).to.equal(200);
  });

  it('H216: runs documents of the release only, for the account of the path only', async () => {
    const portal = use();
    const browser = portal.browser();
    await portal.open(browser);

    const unknown = await portal.ask(browser, 'query { viewer { account { name } } }');
    expect(brief(unknown)).to.deep.equal([400, 'document_unknown']);

    const text = await browser.send('POST', '/graphql', { query: '{ accounts { id } }' });
    expect(text.status).to.equal(422);

    const other = await portal.sign.account('Other');
    const [value = ''] = browser.cookies.values();
    const elsewhere = portal.browser(other);
    const { token } = await portal.link({ role: 'viewer' }, other);
    const opened = await portal.browser(other).send('POST', '/session', { token });
    const [, name = ''] = /^([^=]+)=/.exec(String(opened.headers['set-cookie'])) ?? [];
    elsewhere.cookies.set(name, value);
    expect((await portal.ask(elsewhere, viewer)).status).to.equal(401);

    const header = { 'signalpost-portal-token': value };
    expect((await portal.ask(portal.browser(other), viewer, {}, header)).status).to.equal(401);
    expect((await portal.browser().send('GET', '/stream')).status).to.equal(401);
  });

  it('H216: reads no session of the dashboard, and the dashboard none of the portal', async () => {
    const portal = use();
    const { browser } = await portal.sign.browser(
      portal.server,
      portal.account,
      'owner' satisfies Role,
    );

    const [name = ''] = browser.cookies.keys();
    const session = browser.cookies.get(name) ?? '';
    const inPortal = portal.browser();
    inPortal.cookies.set(name, session);
    expect((await portal.ask(inPortal, viewer)).status).to.equal(401);
    await portal.open(inPortal);

    const [own = '', cookie = ''] = [...inPortal.cookies].at(-1) ?? [];
    inPortal.cookies.set(own, session);
    expect((await portal.ask(inPortal, viewer)).status).to.equal(401);

    const dashboard = new DashboardClient(portal.server.address);
    dashboard.cookies.set(own, cookie);
    expect((await portal.ask(dashboard, viewer)).status).to.equal(401);
    dashboard.cookies.set(name, cookie);
    expect((await portal.ask(dashboard, viewer)).status).to.equal(401);

    const bearer = { authorization: `Bearer ${cookie}` };
    expect((await portal.ask(portal.browser(), viewer, {}, bearer)).status).to.equal(401);
  });
});
