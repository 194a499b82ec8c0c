import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { Agent, fetch } from 'undici';
import { admin } from '../support/admin.js';
import { testAuthority } from '../support/authority.js';
import { DashboardClient } from '../support/dashboard.js';
import { eventually } from '../support/eventually.js';
import { type OpenIdProvider, startOpenIdProvider } from '../support/sign-in.js';
import { type Service, startService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const path = '/session/openid';

for (const { claimsInToken, only } of [
  { claimsInToken: true, only: false },
  { claimsInToken: false, only: true },
]) {
  const where = claimsInToken ? 'in the ID token' : 'from the provider’s userinfo';
  describe(`signing in to the dashboard at an OpenID provider, with the address ${where}`, () => {
    let provider: OpenIdProvider;
    let service: Service;
    let tenant: Tenant;
    let dispatcher: Agent;

    before(async () => {
      const { caFile } = await testAuthority();
      dispatcher = new Agent({ connect: { ca: readFileSync(caFile) } });
      provider = await startOpenIdProvider({ claimsInToken });
      const environment = { ...provider.environment, OIDC_ONLY: only ? '1' : '0' };
      service = await startService({ workers: 0, environment });
      provider.redirectUris.push(`${service.url}/dashboard${path}`);
      tenant = await createTenant(service);
    });

    after(async () => {
      await service.stop();
      await provider.close();
      await dispatcher.close();
    });

    const member = async (email: string, account = tenant.account): Promise<string> => {
      const { createMember } = await tenant.graphql<{ createMember: { id: string } }>(
        'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }',
        { input: { account, email, role: 'developer' } },
      );
      return createMember.id;
    };

    /** As `dashboard-link` did before members were to sign in at the provider only. @returns its token */
    const insertPrintedLink = async (holder: string): Promise<string> => {
      const token = 'p'.repeat(43);
      await service.database.query(
        `insert into sign_in_link (id, account_id, member_id, token_sha256, created_at, expires_at)
         values ('lnk_printed', $1, $2, sha256($3::bytea), now(), now() + interval '15 minutes')`,
        [tenant.account, holder, token],
      );
      return token;
    };

    const person = (name: string, email: string, verified = true) =>
      provider.people.set(name, { sub: name, email, email_verified: verified });

    /** Begins in `browser`, and signs in at the provider. @returns where that sends the browser */
    async function atProvider(browser: DashboardClient, name: string): Promise<URL> {
      const begun = await browser.send('POST', path);
      expect(begun.status, begun.text).to.equal(200);

      const cookies = new Map<string, string>();
      let url = new URL((JSON.parse(begun.text) as { url: string }).url);
      let body: URLSearchParams | undefined;

      while (url.origin === provider.issuer) {
        const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
        const response = await fetch(url, {
          dispatcher,
          redirect: 'manual',
          headers: { cookie },
          ...(body && { method: 'POST', body }),
        });
        for (const header of response.headers.getSetCookie()) {
          const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
          cookies.set(key, value);
        }

        const page = await response.text();
        const location = response.headers.get('location');

        body = undefined;

        if (location === null) {
          const [, action = ''] = /<form[^>]*action="([^"]+)"/.exec(page) ?? [];
          url = new URL(action, url);
          body = new URLSearchParams({ prompt: 'login', login: name, password: 'any' });
        } else url = new URL(location, url);
      }

      return url;
    }

    /** Comes back to the service, and returns what the page gets. */
    async function comeBack(browser: DashboardClient, { search }: URL): Promise<string> {
      const back = await browser.send('GET', path + search, undefined, {
        'sec-fetch-site': 'cross-site',
      });
      expect(back.status, back.text).to.equal(303);
      const location = String(back.headers['location']);
      expect(location).to.match(new RegExp(`^${service.url}/dashboard/sign-in#`));
      return new URL(location).hash.slice(1);
    }

    const linksIn = (fragment: string) => {
      const [, encoded = ''] = /^links=([^&]+)&state=[\w-]{43}$/.exec(fragment) ?? [];
      expect(encoded, fragment).not.to.equal('');
      const text = Buffer.from(encoded, 'base64url').toString();
      return JSON.parse(text) as { account: string; token: string }[];
    };

    const signIn = async (name: string, browser = new DashboardClient(service.url)) =>
      comeBack(browser, await atProvider(browser, name));

    it('H202: opens a session of the member with the verified address, by a link that works once', async () => {
      await member('ann@shop.example');
      person('ann', 'Ann@shop.example');
      const browser = new DashboardClient(service.url);
      const [link, ...others] = linksIn(await signIn('ann', browser));
      expect(others).to.deep.equal([]);
      expect(link?.account).to.equal('Test shop');
      const token = link?.token ?? '';
      const thief = await new DashboardClient(service.url).send('POST', '/session', { token });
      expect([thief.status, thief.code]).to.deep.equal([409, 'other_browser']);
      expect((await browser.send('POST', '/session', { token })).status).to.equal(200);
      const again = await browser.send('POST', '/session', { token });
      expect([again.status, again.code]).to.deep.equal([410, 'link_expired']);
    });

    it('H202: finds the member by the provider’s name for it, even after its address has changed', async () => {
      person('ann', 'ann.new@shop.example');
      expect(linksIn(await signIn('ann'))).to.have.length(1);
    });

    it('H203: opens nothing for another person who got the address later', async () => {
      person('second-ann', 'ann@shop.example');
      expect(await signIn('second-ann')).to.equal('refused=no_member');
    });

    it('H203: opens nothing for an address that is not verified, or not that of a member', async () => {
      await member('eve@shop.example');
      person('eve', 'eve@shop.example', false);
      expect(await signIn('eve')).to.equal('refused=no_member');
      person('mallory', 'mallory@shop.example');
      expect(await signIn('mallory')).to.equal('refused=no_member');
    });

    it('H248: opens nothing for a sub that is empty, too long or not ASCII', async () => {
      await member('dan@shop.example');
      for (const sub of ['', 's'.repeat(256), 'dän']) {
        const claims = { sub, email: 'dan@shop.example', email_verified: true };
        provider.people.set('dan', claims);
        expect(await signIn('dan'), sub).to.equal('refused=provider_failed');
      }
      provider.people.set('dan', {
        sub: 's'.repeat(255),
        email: 'dan@shop.example',
        email_verified: true,
      });
      expect(linksIn(await signIn('dan'))).to.have.length(1);
    });

    it('H202: offers a choice to a member of several accounts', async () => {
      const other = await createTenant(service);
      for (const account of [tenant.account, other.account])
        await member('bob@shop.example', account);
      person('bob', 'bob@shop.example');
      expect(linksIn(await signIn('bob'))).to.have.length(2);
    });

    it('H204: refuses an answer that is cancelled, forged, repeated or in another browser', async () => {
      const browser = new DashboardClient(service.url);
      const url = await atProvider(browser, 'ann');
      const thief = new DashboardClient(service.url);
      expect(await comeBack(thief, url), 'without the cookie').to.equal('refused=too_late');
      await thief.send('POST', path);
      expect(await comeBack(thief, url), 'with another').to.equal('refused=provider_failed');
      expect(linksIn(await comeBack(browser, url))).to.have.length(1);
      expect(await comeBack(browser, url), 'again').to.equal('refused=provider_failed');

      const begun = await browser.send('POST', path);
      const { url: sent } = JSON.parse(begun.text) as { url: string };
      const state = new URL(sent).searchParams.get('state') ?? '';
      const cancelled = new URL(
        `?${new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer }).toString()}`,
        service.url,
      );
      expect(await comeBack(browser, cancelled)).to.equal('refused=cancelled');
    });

    it(`H247: links by mail and printed links ${only ? 'open nothing' : 'sign in, too'}`, async () => {
      const memberId = await member('cy@shop.example');
      const printedBefore = await insertPrintedLink(memberId);
      const browser = new DashboardClient(service.url);
      await browser.send('POST', path);

      const asked = await browser.send('POST', '/session/link', { email: 'cy@shop.example' });
      const typed = await browser.send('POST', '/session', { code: 'ABCD-EFGH' });
      const printed = await admin(service.environment, 'dashboard-link', '--member', memberId);
      const opened = await browser.send('POST', '/session', { token: printedBefore });
      const page = await browser.send('GET', '/sign-in');

      expect([asked.status, typed.status, printed.code, opened.status]).to.deep.equal(
        only ? [403, 403, 1, 410] : [202, 422, 0, 200],
      );
      expect(page.text.includes('<meta name="openid-only"')).to.equal(only);
      if (only) expect(printed.stderr).to.include('OIDC_ONLY');

      const links = await service.database.query(
        'select from sign_in_link where code_sha256 is not null',
      );
      expect(links).to.have.length(only ? 0 : 1);
    });

    it('H204: begins only from the page itself', async () => {
      const site = new DashboardClient(service.url, { 'sec-fetch-site': 'cross-site' });
      const begun = await site.send('POST', path);
      expect([begun.status, begun.code]).to.deep.equal([403, 'forbidden']);
    });

    it('H204: logs neither code nor token', async () => {
      const browser = new DashboardClient(service.url);
      const url = await atProvider(browser, 'ann');
      const [link] = linksIn(await comeBack(browser, url));
      const secrets = [url.searchParams.get('code'), link?.token, ...browser.cookies.values()];
      const lines = () => service.api.lines.join('\n');
      await eventually(() => expect(lines()).to.include('dashboard.openid-finish'), 'it is logged');
      for (const secret of secrets) expect(lines()).not.to.include(secret ?? 'missing');
    });
  });
}

describe('an OpenID provider that is unreachable', () => {
  it('H204: sign-in by mail works while the OpenID provider is unreachable', async () => {
    const provider = await startOpenIdProvider();
    await provider.close();
    const service = await startService({ workers: 0, environment: provider.environment });
    const browser = new DashboardClient(service.url);
    const begun = await browser.send('POST', path);
    expect([begun.status, begun.code]).to.deep.equal([503, 'service_unavailable']);
    const asked = await browser.send('POST', '/session/link', { email: 'ann@shop.example' });
    expect(asked.status, asked.text).to.equal(202);
    await service.stop();
  });
});
