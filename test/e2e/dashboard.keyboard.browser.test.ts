import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { describeDashboard, heading } from '../support/dashboard.js';
import { expectVisibleFocus, tabTo, sendKeySequence } from '../support/browser.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

describeDashboard('the dashboard by keyboard alone', (user) => {
  let receiver: Receiver;

  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver.close());

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
  const focused = (page: Page, target: Locator) => target.and(page.locator(':focus'));

  async function choose(page: Page, target: Locator, key?: 'Shift+Tab'): Promise<void> {
    await tabTo(page, target, key);
    await page.keyboard.press('Enter');
  }

  async function write(page: Page, field: Locator, value: string): Promise<void> {
    await tabTo(page, field);
    await page.keyboard.type(value);
  }

  async function signIn(page: Page): Promise<void> {
    const email = await user.newMember('developer');
    await focused(page, page.getByLabel('Email address')).waitFor();
    const { code } = await user.mailAfter(async () => {
      await page.keyboard.type(email);
      await page.keyboard.press('Enter');
      await heading(page, 'Check your email').waitFor();
    });
    await write(page, page.getByLabel('Code from the email'), code);
    await page.keyboard.press('Enter');
    await heading(page, 'Overview').waitFor();
  }

  it('H171, H173: signs in, sets up an endpoint, replays an attempt and signs out', async () => {
    const page = await user.open('/');
    await signIn(page);

    // Backwards through the menu, up to the link that skips it.
    await link(page, 'Create endpoint').waitFor();
    await tabTo(page, page.getByRole('radio', { name: 'System' }), 'Shift+Tab');
    await page.keyboard.press('ArrowRight');
    await focused(page, page.getByRole('radio', { name: 'Light', checked: true })).waitFor();
    await expectVisibleFocus(page);
    await choose(page, link(page, 'Skip to content'), 'Shift+Tab');
    await focused(page, page.getByRole('main')).waitFor();
    await choose(page, link(page, 'Create endpoint'));

    await heading(page, 'Create an endpoint').waitFor();
    await write(page, page.getByLabel('URL'), receiver.url('/orders'));
    await write(page, page.getByPlaceholder('Search event types'), 'order.completed');
    await tabTo(page, page.getByLabel('cart.order.completed'));
    await page.keyboard.press('Space');
    await choose(page, button(page, 'Create endpoint'));
    await heading(page, 'The endpoint is ready').waitFor();
    await choose(page, link(page, 'I stored it'));

    await page.getByText('Healthy').waitFor();
    await choose(page, button(page, 'Send test event'));

    const dialog = page.getByRole('dialog');
    await dialog.getByRole('option', { name: 'cart.order.completed' }).waitFor({
      state: 'attached',
    });
    await choose(page, dialog.getByRole('button', { name: 'Send' }));

    // First, because the page shows it for 6 s only.
    await page.getByText(/^Test event evt_\w+ is on its way/).waitFor();
    await focused(page, button(page, 'Send test event')).waitFor();
    await receiver.next(({ path }) => path === '/orders');

    await sendKeySequence(page, 'g', 'd');
    await heading(page, 'Deliveries').waitFor();
    await choose(page, link(page, 'cart.order.completed'));
    await focused(page, page.getByRole('heading', { name: 'Attempt' })).waitFor();
    await choose(page, link(page, 'Open as page'));
    await heading(page, 'Attempt').waitFor();
    await choose(page, button(page, 'Replay'));
    await page.getByText('The replay was delivered.').waitFor();
    await choose(page, link(page, 'Open the new attempt'));
    await page.getByText('Replay of').waitFor();
    expect(receiver.requests.filter(({ path }) => path === '/orders')).to.have.length(2);

    await choose(page, button(page, 'Sign out'), 'Shift+Tab');
    await heading(page, 'Sign in').waitFor();
  });
});
