import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  auditLogDocument,
  changeMemberRoleDocument,
  createApiKeyDocument,
  type Document,
} from '../../dashboard/src/generated/documents.js';
import { describeDashboard, heading } from '../support/dashboard.js';
import { createEndpoint, endpointsPath } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { RestClient } from '../support/rest-client.js';

describeDashboard('the pages of an account in the dashboard', (user) => {
  const dialog = (page: Page) => page.getByRole('dialog');

  /** Sends a document as the page does. @returns the code of its error */
  function forge<Variables>(
    page: Page,
    { id }: Document<unknown, Variables>,
    variables: Variables,
  ) {
    return page.evaluate(async (body) => {
      const headers = { 'content-type': 'application/json' };
      const sent = await fetch('/dashboard/graphql', { method: 'POST', headers, body });
      const answer = (await sent.json()) as { errors?: { extensions: { code: string } }[] };
      return answer.errors?.[0]?.extensions.code;
    }, JSON.stringify({ id, variables }));
  }

  it('H191, H193: the audit log says in words who changed what, and finds entries', async () => {
    const { rest } = user.tenant;
    const { id } = await createEndpoint(rest, { url: 'https://one.example/a' });
    await rest.patch(`${endpointsPath}/${id}`, { url: 'https://two.example/b' });
    await rest.patch(`${endpointsPath}/${id}`, { active: false });

    const page = await user.signIn('/audit-log', 'owner');
    await heading(page, 'Audit log').waitFor();

    const rows = page.locator('.record');
    await rows.first().getByText('signed in').waitFor();
    await rows.getByText(`disabled the endpoint ${id}`).waitFor();
    await rows.filter({ hasText: `changed the endpoint ${id}: URL` }).waitFor();
    await page.getByText('URL: https://one.example → https://two.example').waitFor();

    const disabled = rows.filter({ hasText: `disabled the endpoint ${id}` });
    const key = disabled.getByRole('link', { name: /^crd_/ });
    expect(await key.getAttribute('href')).to.match(/^\/dashboard\/keys\?find=crd_\w+$/);
    await user.expectFit('the audit log');
    await page.getByLabel('What').selectOption('endpoint_created');
    await eventually(async () => {
      expect(await rows.count()).to.equal(1);
    }, 'the log is filtered');
    await page.waitForURL(/action=endpoint_created/);
    await rows.getByText('created the endpoint').waitFor();
    await page.getByLabel('Time').selectOption('hour');
    await rows.getByText('created the endpoint').waitFor();
    await page.getByRole('link', { name: id }).click();
    await page.getByRole('heading', { name: 'Health' }).waitFor();
  });

  it('H194: an owner creates a key, sees it once, and revokes it', async () => {
    const page = await user.signIn('/keys', 'owner');
    await heading(page, 'API keys').waitFor();
    await page.getByRole('button', { name: 'Create API key' }).click();
    await dialog(page).getByLabel('Access').selectOption('restricted');
    await dialog(page).getByLabel('Webhooks').selectOption('read');
    await user.expectFit('the dialog of a key');
    await dialog(page).getByRole('button', { name: 'Create API key' }).click();

    const token = await dialog(page)
      .getByText(/^sk_live_/)
      .innerText();
    const key = new RestClient(user.service.url, token);
    expect((await key.get(endpointsPath)).status).to.equal(200);
    expect((await key.get('/v1/commerce/orders')).status).to.equal(403);
    await dialog(page).getByRole('button', { name: 'I stored it' }).click();

    const row = page.locator('.record', { hasText: token.slice(-4) });
    await row.getByText(/^crd_\w+$/).waitFor();
    await row.getByText('Webhooks: Read. Orders: No access.').waitFor();
    await user.expectFit('the keys');
    await row.getByRole('button', { name: 'Revoke' }).click();
    await user.expectFit('the dialog before a key is revoked');
    await dialog(page).getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The key is revoked.').waitFor();
    await row.waitFor({ state: 'detached' });
    expect((await key.get(endpointsPath)).status).to.equal(401);
  });

  it('H194: an admin adds, changes and removes members, but no owners', async () => {
    const page = await user.signIn('/members', 'admin');
    await heading(page, 'Members').waitFor();
    await page.getByRole('button', { name: 'Add member' }).click();
    expect(await dialog(page).getByRole('option', { name: 'Owner' }).count()).to.equal(0);
    await dialog(page).getByLabel('Email address').fill('nowhere');
    await dialog(page).getByRole('button', { name: 'Add member' }).click();
    await dialog(page).getByText('Enter an email address.').waitFor();
    await dialog(page).getByLabel('Email address').fill('bo@shop.example');
    await dialog(page).getByLabel('Role').selectOption('viewer');
    await user.expectFit('the dialog of a member');
    await dialog(page).getByRole('button', { name: 'Add member' }).click();

    const row = page.locator('.record', { hasText: 'bo@shop.example' });
    await row.getByText('Viewer').waitFor();

    const id = await row.locator('code').innerText();
    await page.keyboard.press('/');
    await page.getByLabel('Find by id').fill(id);
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/members\\?find=${id}$`));
    await page.locator('.record[aria-current=true]', { hasText: 'bo@shop.example' }).waitFor();
    await user.expectFit('the members');
    await row.getByRole('button', { name: 'Change role of bo@shop.example' }).click();
    await dialog(page).getByLabel('Role').selectOption('developer');
    await user.expectFit('the dialog of a role');
    await dialog(page).getByRole('button', { name: 'Change role' }).click();
    await row.getByText('Developer').waitFor();
    await row.getByRole('button', { name: 'Remove bo@shop.example' }).click();
    await user.expectFit('the dialog before a member is removed');
    await dialog(page).getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });

    // Neither the own membership nor that of an owner.
    for (const role of ['Admin', 'Owner']) {
      const others = page.locator('.record', { has: page.getByText(role, { exact: true }) });
      const ownRow = role === 'Admin' ? others.filter({ hasText: 'You' }) : others;
      expect(await ownRow.getByRole('button').count(), role).to.equal(0);
    }
  });

  it('H168: a member sees and ends their own sessions', async () => {
    const page = await user.open('/sessions');
    const email = await user.newMember('viewer');
    const signIn = async (at: Page) => {
      const { code } = await user.askForMail(at, email);
      await at.getByLabel('Code from the email').fill(code);
      await at.getByRole('button', { name: 'Sign in' }).click();
      await at.getByRole('navigation', { name: 'Views' }).waitFor();
    };

    await signIn(page);
    await heading(page, 'Sessions').waitFor();
    await page.getByText('This browser').waitFor();

    const browser = page.context().browser();
    const others = [await browser?.newContext(), await browser?.newContext()];
    for (const context of others) {
      const other = await context?.newPage();
      await other?.goto(`${user.service.url}/dashboard/sessions`);
      if (other) await signIn(other);
    }

    await page.reload();

    const rows = page.locator('.record');
    await eventually(async () => {
      expect(await rows.count()).to.equal(3);
    }, 'three sessions are listed');
    await user.expectFit('the sessions');

    await rows
      .getByRole('button', { name: /^End session/ })
      .first()
      .click();

    await page.getByText('The session is ended.').waitFor();
    await eventually(async () => {
      expect(await rows.count()).to.equal(2);
    }, 'one session is ended');
    await page.getByRole('button', { name: 'End all others' }).click();
    await page.getByText('1 session is ended.').waitFor();
    await eventually(async () => {
      expect(await rows.count()).to.equal(1);
    }, 'one session is left');
    await page.getByText('This browser').waitFor();
    for (const context of others) await context?.close();
  });

  it('H193, H194: the dashboard offers a viewer none of these pages, and refuses forged requests', async () => {
    const page = await user.signIn('/endpoints', 'viewer');
    const views = page.getByRole('navigation', { name: 'Views' });

    for (const name of ['Audit log', 'API keys', 'Members']) {
      expect(await views.getByRole('link', { name }).count(), name).to.equal(0);
    }

    const { account } = user.tenant;
    const [owner] = await user.service.database.query<{ id: string }>(
      'select id from member where account_id = $1 order by id limit 1',
      [account],
    );

    const member = owner?.id ?? '';

    expect(await forge(page, auditLogDocument, {})).to.equal('forbidden');

    const key = { input: { account, kind: 'live' as const, level: 'full' as const } };
    expect(await forge(page, createApiKeyDocument, key)).to.equal('forbidden');

    const role = { input: { account, member, role: 'viewer' as const } };
    expect(await forge(page, changeMemberRoleDocument, role)).to.equal('forbidden');
  });
});
