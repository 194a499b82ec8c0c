import { expect } from 'chai';
import { updatePortalSettings } from '../../../src/domain/portal/portal-settings.js';
import { type Answer, DashboardClient } from '../../support/dashboard.js';

import { describePortal } from '../../support/portal.js';

const documents: readonly string[] = [];

describePortal('the page of the portal', documents, (use) => {
  it('H214: only the origins of the account may frame the page', async () => {
    const portal = use();
    const policyOf = ({ headers }: Answer) => String(headers['content-security-policy']);
    const closed = await portal.browser(portal.account, {}).send('GET', '/');
    expect(policyOf(closed)).to.include("frame-ancestors 'none'");
    expect(closed.headers['x-frame-options']).to.equal('DENY');

    const origins = ['https://shop.example', 'http://localhost:3000'];
    await portal.database.transact((tx) => updatePortalSettings(tx, portal.account, { origins }));

    const page = await portal.browser(portal.account, {}).send('GET', '/endpoints');
    expect(page.status).to.equal(200);
    expect(policyOf(page)).to.match(
      /; frame-ancestors https:\/\/shop\.example http:\/\/localhost:3000$/,
    );
    expect(policyOf(page)).to.include("script-src 'self'").and.not.to.include('unsafe');
    expect(page.headers).not.to.have.property('x-frame-options');

    const unknown = await portal.browser('acc_000000000000000000000000', {}).send('GET', '/');
    expect([unknown.status, policyOf(unknown)]).to.deep.equal([200, policyOf(closed)]);

    const dashboard = await new DashboardClient(portal.server.address, {}).send('GET', '/');
    expect(policyOf(dashboard)).to.include("frame-ancestors 'none'");
    expect(dashboard.headers['x-frame-options']).to.equal('DENY');

    const bare = new DashboardClient(portal.server.address, {}, '/portal');
    expect((await bare.send('GET', '/x')).status).to.equal(404);
  });

  it('H214: tells the page the look of the account as text', async () => {
    const portal = use();
    const png = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\nx', 'latin1').toString('base64')}`;
    const theme = { scheme: 'dark', accent: '#ABCDEF' } as const;
    await portal.database.transact((tx) =>
      updatePortalSettings(tx, portal.account, { theme, logo: png }),
    );

    const { text } = await portal.browser(portal.account, {}).send('GET', '/');
    const [, content = ''] = /<meta name="portal" content="([^"]*)">/.exec(text) ?? [];
    const meta = JSON.parse(content.replaceAll('&#34;', '"')) as { logo: string };
    expect(meta).to.deep.include({
      theme: { scheme: 'dark', accent: '#abcdef', background: null },
    });

    const logo = await portal.browser(portal.account, {}).send('GET', `/${meta.logo}`);
    expect(logo.headers).to.include({
      'content-type': 'image/png',
      'content-security-policy': "default-src 'none'; sandbox",
    });

    expect(
      (await portal.browser(await portal.sign.account(), {}).send('GET', '/logo')).status,
    ).to.equal(404);
  });
});
