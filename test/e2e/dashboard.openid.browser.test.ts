import { expect } from 'chai';
import { admin } from '../support/admin.js';
import { describeInChromium } from '../support/browser.js';
import { heading } from '../support/dashboard.js';
import { eventually } from '../support/eventually.js';
import { type OpenIdProvider, startOpenIdProvider } from '../support/sign-in.js';
import { startService } from '../support/service.js';
import { createTenant } from '../support/tenants.js';

let provider: OpenIdProvider;
const start = async () => {
  provider = await startOpenIdProvider();
  const service = await startService({
    workers: 0,
    environment: { ...provider.environment, OIDC_NAME: 'Example & "Co" <Ltd>' },
  });
  provider.redirectUris.push(`${service.url}/dashboard/session/openid`);
  return service;
};

describeInChromium(
  'the dashboard with an OpenID provider',
  (user) => {
    after(() => provider.close());

    it('H202, H203: signs in at the provider, offers a choice of accounts, and explains a refusal', async () => {
      const other = await createTenant(user.service);
      for (const account of [user.tenant.account, other.account]) {
        await user.tenant.graphql(
          'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }',
          { input: { account, email: 'ann@shop.example', role: 'developer' } },
        );
      }

      provider.people.set('ann', { sub: '1', email: 'ann@shop.example', email_verified: true });
      provider.people.set('eve', { sub: '2', email: 'eve@shop.example', email_verified: true });

      const atProvider = { name: 'Continue with Example & "Co" <Ltd>' };

      const page = await user.browse({ reducedMotion: 'reduce', ignoreHTTPSErrors: true });
      await page.goto(`${user.service.url}/dashboard/endpoints?status=active`);
      await page.getByRole('button', atProvider).click();
      await page.getByPlaceholder('Enter any login').fill('eve');
      await page.getByPlaceholder('and password').fill('any');
      await page.getByRole('button', { name: 'Sign-in' }).click();
      await page.getByText('Your address does not belong to a member.').waitFor();
      await user.expectFit('the refusal');
      await page.getByRole('button', { name: 'Back to the sign-in' }).click();
      await page.context().clearCookies();

      await page.goto(`${user.service.url}/dashboard/endpoints?status=active`);
      await page.getByRole('button', atProvider).waitFor();
      await user.expectFit('the sign-in with a provider');
      await page.getByRole('button', atProvider).click();
      await page.getByPlaceholder('Enter any login').fill('ann');
      await page.getByPlaceholder('and password').fill('any');
      await page.getByRole('button', { name: 'Sign-in' }).click();
      await heading(page, 'Choose an account').waitFor();
      await eventually(() => expect(page.url()).not.to.include('#'), 'the links leave the address');
      await user.expectFit('the choice of an account');
      await page.getByRole('button', { name: 'Test shop' }).first().click();
      await heading(page, 'Endpoints').waitFor();
      expect(page.url()).to.match(/\/dashboard\/endpoints\?status=active$/);
    });

    it('H246: the tab that began the sign-in uses a single link without a click, and no other tab does', async () => {
      const created = await user.tenant.graphql<{ createMember: { id: string } }>(
        'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }',
        { input: { account: user.tenant.account, email: 'bo@shop.example', role: 'developer' } },
      );

      const bo = { sub: '3', email: 'bo@shop.example', email_verified: true };
      provider.people.set('bo', bo);

      const page = await user.browse({ reducedMotion: 'reduce', ignoreHTTPSErrors: true });
      await page.goto(`${user.service.url}/dashboard/endpoints`);
      await page.getByRole('button', { name: /^Continue with/ }).click();
      await page.getByPlaceholder('Enter any login').fill('bo');
      await page.getByPlaceholder('and password').fill('any');
      await page.getByRole('button', { name: 'Sign-in' }).click();
      await heading(page, 'Endpoints').waitFor();

      // Another site sends the reader here with a link of its own, which an operator printed.
      const member = created.createMember.id;
      const printed = await admin(user.service.environment, 'dashboard-link', '--member', member);
      const [, token = ''] = /\/dashboard\/sign-in#(\w+)/.exec(printed.stdout) ?? [];
      const links = JSON.stringify([{ account: 'Your shop', token }]);
      const fragment = `links=${Buffer.from(links).toString('base64url')}`;
      const victim = await user.browse({ reducedMotion: 'reduce' });

      for (const end of ['', '&state=', '&state=x']) {
        await victim.goto('about:blank');
        await victim.goto(`${user.service.url}/dashboard/sign-in#${fragment}${end}`);
        await heading(victim, 'Choose an account').waitFor();
      }

      expect(await victim.context().cookies()).to.deep.equal([]);
      await victim.getByRole('button', { name: 'Your shop' }).click();
      await victim.getByRole('navigation', { name: 'Views' }).waitFor();
    });
  },
  start,
);
