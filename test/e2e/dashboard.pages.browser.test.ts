import { expect } from 'chai';
import { membersDocument } from '../../dashboard/src/generated/documents.js';
import { makeOrder, makeOffer, createCheckout } from '../support/sales.js';
import { describeDashboard, heading } from '../support/dashboard.js';
import { createEndpoint, endpointsPath } from '../support/endpoints.js';
import type { Locator, Page } from 'playwright-core';
import {
  drawn,
  expectVisibleFocus,
  sendKeySequence,
  tabTo,
  violationsOf,
} from '../support/browser.js';
import { recordedAs } from '../support/delivery-records.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { answer } from '../support/behaviours.js';
import { createTenant } from '../support/tenants.js';

describeDashboard('the pages of the dashboard', (user) => {
  const sales = ['orders', 'payments', 'refunds', 'invoices', 'offers', 'checkouts'] as const;

  it('H171: changes an endpoint', async () => {
    const { id } = await createEndpoint(user.tenant.rest);
    const page = await user.signIn(`/endpoints/${id}`);
    await page.getByRole('link', { name: 'Edit' }).click();
    await heading(page, 'Edit the endpoint').waitFor();
    await page.getByLabel('Description').fill('Into the books');
    await user.expectFit('the form of a change');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Into the books').waitFor();
    const { body } = await user.tenant.rest.get(`${endpointsPath}/${id}`);
    expect(body).to.have.nested.property('data.description', 'Into the books');
  });

  it('H217: lists and shows sales of each kind, accessible in both themes', async () => {
    const { payment } = await makeOrder(user.tenant);
    await user.tenant.graphql(
      `mutation ($id: ID!, $account: ID, $input: RefundPaymentInput!) {
        refundPayment(id: $id, account: $account, input: $input) { id } }`,
      { id: payment.id, account: user.tenant.account, input: { amountMinorUnits: 500 } },
    );

    await makeOffer(user.tenant.rest, { title: 'Poster' }, []);

    const page = await user.signIn('/orders', 'owner');

    for (const kind of sales) {
      await page.goto(`${user.service.url}/dashboard/${kind}`);
      const first = page.locator(`main a[href^="/dashboard/${kind}/"]`).first();
      await first.waitFor();
      await user.expectFit(`the list of ${kind}`);
      await first.click();
      await page.locator('.facts').first().waitFor();
      await user.expectFit(`one of ${kind}`);
    }
  });

  const failures = [
    { path: 'nowhere', shown: 'The address may be wrong' },
    { path: 'endpoints/whs_0VbmZZ1vukb7Kiw4iIU5s39l', shown: 'This did not work' },
    { path: 'members', shown: 'The dashboard failed to show this page.' },
  ] as const;

  it('says why a view shows nothing, accessible in both themes', async () => {
    const first = await user.signIn('/overview', 'owner');
    // Of its own: the view that throws must not fail the test.
    const page = await first.context().newPage();
    await page.route('**/dashboard/graphql', async (route) => {
      const isForMembers = route.request().postData()?.includes(membersDocument.id) === true;
      await (isForMembers
        ? route.fulfill({ json: { data: { members: null } } })
        : route.continue());
    });

    for (const { path, shown } of failures) {
      await page.goto(`${user.service.url}/dashboard/${path}`);
      await page.getByText(shown).waitFor();
      await user.expectFit(path, page);
    }
  });

  it('says that the service does not answer, accessible in both themes', async () => {
    const page = await user.browse({ reducedMotion: 'reduce' });
    await page.route('**/dashboard/graphql', (route) => route.abort());
    await page.goto(`${user.service.url}/dashboard/endpoints`);
    await page.getByText('The service did not answer.').waitFor();
    await user.expectFit('a service that does not answer');
    await page.unroute('**/dashboard/graphql');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Email address').waitFor();
  });

  it('keeps the theme that a member chose, and follows the device again', async () => {
    const page = await user.signIn('/endpoints');
    const theme = (name: string, state = {}) => page.getByRole('radio', { name, ...state });
    const colour = () =>
      page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');

    await page.emulateMedia({ colorScheme: 'light' });

    const light = await colour();
    await theme('Dark').check();

    const dark = await colour();
    expect(dark).not.to.equal(light);
    await page.reload();
    await theme('Dark', { checked: true }).waitFor();
    expect(await colour()).to.equal(dark);
    await theme('System').check();
    expect(await colour()).to.equal(light);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await colour()).to.equal(dark);
    await page.reload();
    await theme('System', { checked: true }).waitFor();
  });
});

describeDashboard('the layout of the dashboard', (user) => {
  const topOf = async (element: Locator) => (await element.boundingBox())?.y;

  before(async () => {
    const receiver = await startReceiver();
    const { rest } = user.tenant;
    await createEndpoint(rest, { url: receiver.url('/a/rather/long/path/of/a/receiver') });
    await recordedAs(rest, await user.tenant.publish({}), ['success']);
    await receiver.close();
  });

  it('H173: fits the list of attempts into each width of the window', async () => {
    const page = await user.signIn('/deliveries');
    const list = page.getByRole('table');
    await list.getByRole('link').first().waitFor();
    for (const width of [320, 480, 641, 700, 768, 820, 900, 1000, 1100, 1280, 2560]) {
      await page.setViewportSize({ width, height: 800 });
      await drawn(page);
      const { content, room } = await page.evaluate<{ content: number; room: number }>(`(() => {
        const { scrollWidth, clientWidth } = document.querySelector('[role=table]');
        return { content: scrollWidth, room: clientWidth };
      })()`);
      expect(content, `the list in a window of ${width} pixels`).to.be.at.most(room);
    }
  });

  it('H280: prints a page of the dark theme in ink on white, without its controls', async () => {
    const page = await user.signIn('/deliveries');
    await page.getByRole('table').getByRole('link').first().waitFor();
    await page.getByText('Dark', { exact: true }).click();
    await page.locator('html[data-theme=dark]').waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });

    const colours = await page.evaluate<string[]>(`(() => {
      const { backgroundColor, color } = getComputedStyle(document.documentElement);
      return [backgroundColor, color];
    })()`);

    expect(colours).to.deep.equal(['rgb(255, 255, 255)', 'rgb(27, 28, 31)']);
    expect(await violationsOf(page, 'colours')).to.deep.equal([]);
    for (const hidden of [page.getByRole('navigation', { name: 'Views' }), page.locator('.button')])
      expect(await hidden.filter({ visible: true }).count()).to.equal(0);
  });

  it('H174: moves nothing when the first filter is chosen', async () => {
    for (const [path, filter, value, list] of [
      ['/deliveries', 'Outcome', 'success', '.deliveries'],
      ['/audit-log', 'What', 'session_opened', '.records'],
    ] as const) {
      const page = await user.signIn(path, 'owner');
      await page.locator(`${list} >> text=/./`).first().waitFor();
      const select = page.getByLabel(filter, { exact: true });
      const before = [await select.boundingBox(), await topOf(page.locator(list))];
      await select.selectOption(value);
      await page.getByRole('link', { name: 'Clear filters' }).waitFor();
      expect([await select.boundingBox(), await topOf(page.locator(list))]).to.deep.equal(before);
    }
  });

  it('H171: the page with the form of an endpoint does not scroll beyond its content', async () => {
    const page = await user.signIn('/endpoints/new');
    await page.getByLabel('cart.order.completed').waitFor();
    const { page: all, main } = await page.evaluate<{ page: number; main: number }>(`({
      page: document.documentElement.scrollHeight,
      main: document.querySelector('main').getBoundingClientRect().bottom + scrollY,
    })`);
    expect(all).to.be.at.most(Math.max(Math.ceil(main), 860));
  });

  it('H172: opens the first view that the role may read', async () => {
    const page = await user.signIn('', 'accountant');
    await heading(page, 'Orders').waitFor();
    expect(new URL(page.url()).pathname).to.equal('/dashboard/orders');
    const first = page.getByRole('navigation', { name: 'Views' }).getByRole('link').first();
    expect(await first.innerText()).to.equal('Sales');
    const brand = page.getByRole('link', { name: 'Signalpost' });
    expect(await brand.getAttribute('href')).to.equal('/dashboard/orders');
  });

  it('H217: shows sums that add up', async () => {
    const id = await createCheckout(user.tenant, { shippingMinorUnits: 690 });
    const page = await user.signIn(`/checkouts/${id}`, 'accountant');
    const sum = (name: string) =>
      page.getByRole('row', { name: new RegExp(`^${name} `) }).locator('td');
    const [subtotal, shipping, total] = await Promise.all(
      ['Subtotal', 'Shipping', 'Total'].map((name) => sum(name).innerText()),
    );
    const minorUnits = (shown = '') => Number(shown.replace(/\D/g, ''));
    expect(minorUnits(shipping)).to.equal(690);
    expect(minorUnits(subtotal) + 690).to.equal(minorUnits(total));
  });
});

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

    // Checked first, because the page shows it for only 6 s.
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

describeDashboard('the dashboard in German', (user) => {
  let receiver: Receiver;

  before(async () => {
    receiver = await startReceiver();
    receiver.always(answer(503, { 'Retry-After': '3600' }));
  });

  after(() => receiver.close());

  it('H227: greets a German browser in German, and follows another choice', async () => {
    const page = await user.browse({ locale: 'de-AT' });
    await page.goto(`${user.service.url}/dashboard`);
    await heading(page, 'Anmelden').waitFor();
    expect(await page.evaluate('document.documentElement.lang')).to.equal('de');
    await page.getByLabel('English').check();
    await heading(page, 'Sign in').waitFor();
    expect(await page.evaluate('document.documentElement.lang')).to.equal('en');
    await page.reload();
    await heading(page, 'Sign in').waitFor();
  });

  it('H227: says in both languages what a webhook is, before the first delivery', async () => {
    const page = await user.signIn('/');
    await page.getByText('A webhook is a message that Signalpost sends').waitFor();
    await page.getByLabel('Deutsch').check();
    await page.getByText('Ein Webhook ist eine Nachricht, die Signalpost').waitFor();
    await user.expectFit('the first steps in German');
  });

  it('H227: sets up an endpoint, and shows why an attempt failed, in German', async () => {
    const page = await user.signIn('/endpoints/new');
    await page.getByLabel('URL').fill(receiver.url('/orders'));

    // A form with input is not loaded again.
    await page.getByLabel('Deutsch').check();
    await page.getByText('The language changes when you reload the page.').waitFor();
    expect(await page.getByLabel('URL').inputValue()).to.equal(receiver.url('/orders'));
    await page.reload();
    await heading(page, 'Endpunkt anlegen').waitFor();
    await page.getByLabel('URL').fill(receiver.url('/orders'));
    await page.getByLabel('cart.order.completed').check();
    await page.getByLabel('Benachrichtigungsadresse').fill('ops@shop.example');
    await user.expectFit('the form');
    await page.getByRole('button', { name: 'Endpunkt anlegen' }).click();
    await heading(page, 'Der Endpunkt ist bereit').waitFor();
    await page.getByRole('link', { name: 'Ich habe es gespeichert' }).click();
    await page.getByText('In Ordnung').waitFor();
    await user.expectFit('the endpoint');

    await page.getByRole('button', { name: 'Testereignis senden' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Senden' }).click();
    await page.getByText(/^Das Testereignis evt_\w+ ist unterwegs/).waitFor();
    await page.getByRole('link', { name: 'Zustellungen', exact: true }).click();
    await page.getByRole('link', { name: 'cart.order.completed' }).click();
    await page.getByText('Grund des Fehlschlags').waitFor();
    await user.expectFit('the attempt beside the list');
    await page.getByRole('link', { name: 'Als Seite öffnen' }).click();
    await heading(page, 'Versuch').waitFor();

    // Numbers and dates are German, too: UTC stands in the title of each time.
    const began = page.locator('time[title$=" UTC"]').first();
    expect(await began.getAttribute('title')).to.match(/^\d\d\.\d\d\.\d{4}, \d\d:\d\d:\d\d UTC$/);
    await user.expectFit('the attempt');
    await page.goto(`${user.service.url}/dashboard/`);
    await heading(page, 'Übersicht').waitFor();
    await page.getByText('Älteste insgesamt', { exact: true }).waitFor();
    await user.expectFit('the overview');
  });
});

describeDashboard('two accounts in one browser', (user) => {
  let receiver: Receiver;

  before(async () => {
    receiver = await startReceiver();
    receiver.always(answer(200));
    await createEndpoint(user.tenant.rest, { url: receiver.url('/hooks') });
  });

  after(() => receiver.close());

  const rows = (page: Page) => page.locator('[id^="row-whd_"]');

  it('shows nothing of the previous account when another tab signs in to another account', async () => {
    const event = await user.tenant.publish({});
    await recordedAs(user.tenant.rest, event, ['success']);

    const other = await createTenant(user.service);
    const email = 'developer@other.example';
    await other.graphql(
      'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }',
      { input: { account: other.account, email, role: 'developer' } },
    );

    const first = await user.signIn('/deliveries');
    await rows(first).first().waitFor();

    // A link signs in although a member of another account is signed in.
    const asked = await user.mailAfter(() =>
      first.evaluate(
        (body) =>
          fetch('/dashboard/session/link', {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body,
          }),
        JSON.stringify({ email }),
      ),
    );

    const second = await first.context().newPage();
    await second.goto(asked.link);
    await second.getByRole('button', { name: 'Sign in' }).click();
    await second.getByRole('navigation', { name: 'Views' }).waitFor();

    await first.getByText(email).waitFor({ state: 'attached' });
    await rows(first).waitFor({ state: 'detached' });
    expect(await rows(first).count()).to.equal(0);
  });
});
