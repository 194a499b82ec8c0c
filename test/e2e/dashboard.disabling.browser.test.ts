import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeDashboard, heading } from '../support/dashboard.js';
import { createEndpoint, endpointsPath } from '../support/endpoints.js';
import { expectVisibleFocus, tabTo } from '../support/browser.js';

describeDashboard('the reason of a disabled endpoint in the dashboard', (user) => {
  const dialog = (page: Page) => page.getByRole('dialog');
  const reasonField = (page: Page) => dialog(page).getByLabel('Reason (optional)');
  const notice = (page: Page) => page.locator('.notice-warn');
  const attack = '<img src=x onerror="document.title=1"> \u202eevom';

  async function newEndpoint(): Promise<string> {
    return (await createEndpoint(user.tenant.rest)).id;
  }

  async function openDialog(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Disable' }).click();
    await reasonField(page).waitFor();
  }

  async function disable(page: Page, reason: string): Promise<void> {
    await openDialog(page);
    await reasonField(page).fill(reason);
    await dialog(page).getByRole('button', { name: 'Disable' }).click();
    await dialog(page).waitFor({ state: 'detached' });
  }

  it('H232: owners and admins see who disabled an endpoint, when and why, on its page and in the log', async () => {
    const id = await newEndpoint();
    const page = await user.signIn(`/endpoints/${id}`, 'owner');
    await disable(page, ' The receiver moves to another host. ');
    await notice(page)
      .getByText(/^owner-\d+@shop\.example disabled it .+: The receiver moves to another host\.$/)
      .waitFor();
    await user.expectFit('the endpoint with a reason');
    await page.goto(`${user.service.url}/dashboard/audit-log?resource=${id}`);

    const row = page.locator('.record', { hasText: `disabled the endpoint ${id}` });
    await row.getByText('Reason: The receiver moves to another host.').waitFor();
    await user.expectFit('the audit log with a reason');
    await page.getByLabel('Deutsch').check();
    await page.getByText('Grund: The receiver moves to another host.').waitFor();
    await page.goto(`${user.service.url}/dashboard/endpoints/${id}`);
    await notice(page)
      .getByText(/^owner-\d+@shop\.example hat ihn .+ deaktiviert: The receiver moves/)
      .waitFor();
  });

  it('H232: a developer gives a reason, but sees neither it nor who disabled the endpoint', async () => {
    const id = await newEndpoint();
    const page = await user.signIn(`/endpoints/${id}`, 'developer');
    await disable(page, 'Too many events');
    await notice(page).getByText('Disabled by a member or a program.').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.locator('main').innerText()).not.to.match(/Too many events|disabled it/);
    const owner = await user.signIn(`/endpoints/${id}`, 'admin');
    await notice(owner)
      .getByText(/^developer-\d+@shop\.example disabled it .+: Too many events$/)
      .waitFor();
  });

  it('H232: shows markup and hidden characters of a reason as text', async () => {
    const id = await newEndpoint();
    const page = await user.signIn(`/endpoints/${id}`, 'owner');
    const title = await page.title();
    await disable(page, attack);
    await notice(page).locator('.escape', { hasText: '\\u202e' }).waitFor();
    await notice(page).getByText('<img src=x onerror="document.title=1">').waitFor();
    await page.goto(`${user.service.url}/dashboard/audit-log?resource=${id}`);
    await page.locator('.record .escape', { hasText: '\\u202e' }).waitFor();
    expect(await page.locator('main img').count()).to.equal(0);
    expect(title).not.to.equal('1');
    expect(await page.title()).not.to.equal('1');
  });

  it('H232: says at the field what is wrong, keeps the input, and works by keyboard', async () => {
    const id = await newEndpoint();
    const page = await user.signIn(`/endpoints/${id}`, 'owner');
    const button = page.getByRole('button', { name: 'Disable' });
    await button.waitFor();
    await tabTo(page, button);
    await page.keyboard.press('Enter');
    await tabTo(page, reasonField(page));
    await expectVisibleFocus(page);
    await user.expectFit('the dialog before disabling');
    await page.keyboard.insertText('a'.repeat(201));
    await dialog(page).getByText('Shorten the reason to at most 200 characters.').waitFor();
    await page.keyboard.press('Enter');
    await user.expectFit('the dialog with a reason that is too long');
    await reasonField(page).fill('Asked by ann@shop.example');
    await dialog(page).getByText('Remove the email address').waitFor();

    // Only the service looks for control characters.
    await reasonField(page).fill('Bell\u0007');
    await page.keyboard.press('Enter');
    await dialog(page).locator('.field-error').getByText('Must be one line').waitFor();
    expect(await reasonField(page).inputValue()).to.equal('Bell\u0007');

    const { body } = await user.tenant.rest.get(`${endpointsPath}/${id}`);
    expect(body).to.have.nested.property('data.active', true);
    await reasonField(page).fill('');
    await page.keyboard.press('Enter');
    await notice(page)
      .getByText(/^owner-\d+@shop\.example disabled it [^:]+\.$/)
      .waitFor();
  });

  it('H232: names a program that disabled an endpoint, and says what it knows of one that began inactive', async () => {
    const byKey = await newEndpoint();
    await user.tenant.rest.patch(`${endpointsPath}/${byKey}`, { active: false });
    const page = await user.signIn(`/endpoints/${byKey}`, 'owner');
    await notice(page)
      .getByText(/^An API key.* disabled it .+\.$/)
      .waitFor();
    const created = await createEndpoint(user.tenant.rest, { active: false });
    await page.goto(`${user.service.url}/dashboard/endpoints/${created.id}`);
    await notice(page).getByText('Disabled by a member or a program.').waitFor();
  });

  const lists = [
    { path: 'members', id: 'mem_gone', says: 'mem_gone was removed, or is not a member' },
    { path: 'keys', id: 'crd_gone', says: 'crd_gone was revoked, or is not an API key' },
    { path: 'sessions', id: 'ses_gone', says: 'ses_gone has ended, or belongs to another' },
  ] as const;

  const german = {
    members: 'mem_gone wurde entfernt',
    keys: 'crd_gone wurde widerrufen',
    sessions: 'ses_gone ist beendet',
  };

  it('H233: a list says that it lacks the entry that the audit log or a search linked to', async () => {
    const page = await user.signIn('/members', 'owner');
    await heading(page, 'Members').waitFor();

    for (const { path, id, says } of lists) {
      await page.goto(`${user.service.url}/dashboard/${path}?find=${id}`);
      await page.getByRole('status').getByText(says).waitFor();
      await user.expectFit(`${path} without the row`);
      await page.goto(`${user.service.url}/dashboard/${path}?find=Call+0800+now`);
      await page.locator('.records, .empty').first().waitFor();
      expect(await notice(page).count(), path).to.equal(0);
    }

    await page.getByLabel('Deutsch').check();
    await heading(page, 'Sitzungen').waitFor();

    for (const { path, id } of lists) {
      await page.goto(`${user.service.url}/dashboard/${path}?find=${id}`);
      await page.getByRole('status').getByText(german[path]).waitFor();
    }
  });

  it('H233: a link of the audit log to a removed member says that the member was removed', async () => {
    const { account } = user.tenant;
    const added = await user.tenant.graphql<{ createMember: { id: string } }>(
      'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }',
      { input: { account, email: 'gone@shop.example', role: 'viewer' } },
    );

    const { id } = added.createMember;
    const page = await user.signIn(`/members?find=${id}`, 'owner');
    await page.locator('.record[aria-current=true]', { hasText: 'gone@shop.example' }).waitFor();
    expect(await notice(page).count()).to.equal(0);
    await page.getByRole('button', { name: 'Remove gone@shop.example' }).click();
    await dialog(page).getByRole('button', { name: 'Remove' }).click();
    await page.getByText(`${id} was removed`).waitFor();
    await page.goto(`${user.service.url}/dashboard/audit-log?resource=${id}`);
    await page.getByRole('link', { name: id }).first().click();
    await heading(page, 'Members').waitFor();
    await page.getByRole('status').getByText(`${id} was removed`).waitFor();
  });
});
