import { expect } from 'chai';
import { describeInChromium } from '../support/browser-user.js';
import { heading } from '../support/dashboard-user.js';
import { eventually } from '../support/eventually.js';
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js';
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

    it('H202, H203: signs in there, lets choose an account, and says why it does not', async () => {
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
      await page.getByText('Your address is not that of a member here.').waitFor();
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
  },
  start,
);
