import { expect } from 'chai';
import type { Frame, Page } from 'playwright-core';
import {
  deleteEndpointDocument,
  membersDocument,
} from '../../dashboard/src/generated/documents.js';
import { describeInChromium } from '../support/browser.js';
import { createEndpoint } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { frameOf, type Merchant, startMerchant } from '../support/portal.js';
import { describeDashboard, heading } from '../support/dashboard.js';

/** The menu, and a text of each view when it has its data. */
const views = {
  Overview: 'Receive your first event',
  Deliveries: 'Live',
  Endpoints: 'Healthy',
  Recoveries: 'No recoveries yet',
  'Event types': 'offer.sent',
};
const wide = { viewport: { width: 1_280, height: 860 }, reducedMotion: 'reduce' } as const;

describeInChromium('the portal in the page of another site', (user) => {
  let merchant: Merchant;
  let frameUrl: () => Promise<string>;
  const violations: string[] = [];

  before(async () => {
    merchant = await startMerchant(() => frameUrl());
    await settings({ origins: [merchant.origin] });
  });

  after(() => merchant.close());

  beforeEach(() => {
    frameUrl = () => link('developer');
    merchant.asked = 0;
    violations.splice(0);
  });

  afterEach(() => expect(violations).to.deep.equal([]));

  function settings(input: object) {
    return user.tenant.graphql(
      'mutation ($input: UpdatePortalSettingsInput!) { updatePortalSettings(input: $input) { origins } }',
      { input: { account: user.tenant.account, ...input } },
    );
  }

  async function link(role: string): Promise<string> {
    const created = await user.tenant.graphql<{ createPortalLink: { url: string } }>(
      'mutation ($input: CreatePortalLinkInput!) { createPortalLink(input: $input) { url } }',
      { input: { account: user.tenant.account, role } },
    );
    return created.createPortalLink.url;
  }

  async function browse(): Promise<Page> {
    const page = await user.browse(wide);
    return page.on('pageerror', (error) => violations.push(String(error)));
  }

  const menu = (frame: Frame) => frame.getByRole('navigation', { name: 'Views' });

  /** Sends a document as the page does. @returns the code of its error */
  const forge = (frame: Frame, { id }: { readonly id: string }, variables: object) =>
    frame.evaluate(
      async ({ path, body }) => {
        const headers = { 'content-type': 'application/json' };
        const sent = await fetch(path, { method: 'POST', headers, body });
        // A Problem has the code itself.
        const answer = (await sent.json()) as {
          code?: string;
          errors?: { extensions?: { code: string } }[];
        };
        return answer.code ?? answer.errors?.[0]?.extensions?.code;
      },
      {
        path: `/portal/${user.tenant.account}/graphql`,
        body: JSON.stringify({ id, variables }),
      },
    );

  it('H213, H215: opens by the link in the frame, keeps a partitioned cookie, and shows webhooks', async () => {
    await createEndpoint(user.tenant.rest);

    const page = await browse();
    await page.goto(merchant.origin);

    const frame = await frameOf(page);
    await menu(frame).waitFor();
    expect(new URL(frame.url()).hash).to.equal('');
    expect(await menu(frame).getByRole('link').allInnerTexts()).to.deep.equal(Object.keys(views));
    await menu(frame).getByRole('link', { name: 'Endpoints' }).click();
    await frame.getByRole('link', { name: 'Create endpoint' }).waitFor();
    expect(frame.url()).to.include(`/portal/${user.tenant.account}/endpoints`);

    // This browser rejects third-party cookies that are not partitioned.
    await frame.evaluate(`document.cookie = 'shared=1; SameSite=None; Secure'`);

    const cookies = await page.context().cookies(user.service.url);
    expect(cookies.map(({ httpOnly, sameSite }) => [httpOnly, sameSite])).to.deep.equal([
      [true, 'None'],
    ]);

    // The cookie alone opens it again: the token of the page is gone.
    await Promise.all([page.waitForEvent('framenavigated'), frame.evaluate('location.reload()')]);
    await frame.getByRole('link', { name: 'Create endpoint' }).waitFor();
    expect(merchant.asked).to.equal(0);
    expect(await forge(frame, membersDocument, {})).to.equal('document_unknown');

    for (const [view, shown] of Object.entries(views)) {
      await menu(frame).getByRole('link', { name: view }).click();
      await frame.getByText(shown, { exact: true }).first().waitFor();
      await user.expectFit(`${view} in the frame`, frame);
    }
  });

  it('H215: works without a cookie by the token of the page, and asks for a link after a reload', async () => {
    const page = await browse();
    const context = page.context();
    await context.route(/\/portal\/\w+\/session$/, async (route) => {
      const response = await route.fetch();
      // Acts as a browser that keeps no cookies in frames.
      await context.clearCookies();
      const { ['set-cookie']: cookie, ...headers } = response.headers();
      expect(cookie).to.include('Partitioned');
      await route.fulfill({ response, headers });
    });

    await page.goto(merchant.origin);

    const frame = await frameOf(page);
    await menu(frame).waitFor();
    expect(await context.cookies(user.service.url)).to.deep.equal([]);
    await menu(frame).getByRole('link', { name: 'Deliveries' }).click();
    await frame.getByText('Live', { exact: true }).first().waitFor();
    await frame.evaluate('location.reload()');
    await eventually(() => expect(merchant.asked).to.equal(1), 'the page asked for a link');
    await menu(frame).waitFor();
    expect(frame.url()).to.include('/deliveries');
  });

  it('H216: accepts no link that another window sends, and a used link opens nothing', async () => {
    const used = await link('viewer');
    frameUrl = () => Promise.resolve(used);

    const first = await browse();
    await first.goto(merchant.origin);
    await menu(await frameOf(first)).waitFor();

    const thief = await first.context().browser()?.newContext();
    const page = await thief?.newPage();
    if (!page) throw new Error('no page');

    await page.goto(merchant.origin);

    const frame = await frameOf(page);
    await frame.getByRole('heading', { name: 'This page needs a new link' }).waitFor();
    await user.expectFit('a used link in the frame', frame);

    const fresh = await link('viewer');
    await frame.evaluate(`postMessage({ type: 'signalpost.link', url: '${fresh}' }, '*')`);
    await frame.getByRole('button', { name: 'Try again' }).waitFor();
    frameUrl = () => Promise.resolve(fresh);
    await frame.getByRole('button', { name: 'Try again' }).click();
    await menu(frame).waitFor();
    await menu(frame).getByRole('link', { name: 'Endpoints' }).click();
    await frame.getByRole('heading', { name: 'Endpoints', level: 1 }).waitFor();
    expect(await frame.getByRole('link', { name: 'Create endpoint' }).count()).to.equal(0);
    expect(await forge(frame, deleteEndpointDocument, { id: 'whs_1' })).to.equal('forbidden');
    await thief?.close();
  });

  it('H214: no site that is not set frames the portal, and no site frames the dashboard', async () => {
    const dashboard = `${user.service.url}/dashboard`;
    const other = await startMerchant(() => link('viewer'));
    try {
      const page = await browse();
      frameUrl = () => Promise.resolve(dashboard);
      for (const { origin } of [other, merchant]) {
        await page.goto(origin);
        const frame = await frameOf(page);
        await eventually(() => expect(frame.url()).to.match(/^chrome-error:/), 'it is refused');
      }
    } finally {
      await other.close();
    }
  });

  it('H213: outside a frame, a link waits for a click', async () => {
    const page = await browse();
    await page.goto(await link('viewer'));
    const open = page.getByRole('button', { name: 'Open' });
    await open.waitFor();
    await eventually(() => expect(new URL(page.url()).hash).to.equal(''), 'the token is gone');
    await user.expectFit('the entrance');
    await open.click();
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
  });

  it('H214: shows the colours and the logo of the account, without a violation of its policy', async () => {
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const theme = { scheme: 'light', accent: '#14532d', background: '#fffdf5' };
    await settings({ theme, logo: `data:image/png;base64,${png}` });

    const page = await browse();
    page.on('console', (message) => {
      if (/Content.Security.Policy/i.test(message.text())) violations.push(message.text());
    });
    await page.goto(merchant.origin);

    const frame = await frameOf(page);
    await menu(frame).locator('a[aria-current]').waitFor();

    const colours = await frame.evaluate<string[]>(`[
      getComputedStyle(document.documentElement).backgroundColor,
      getComputedStyle(document.querySelector('.nav a[aria-current]')).color,
    ]`);

    expect(colours).to.deep.equal(['rgb(255, 253, 245)', 'rgb(20, 83, 45)']);

    const drawn = () =>
      frame.evaluate<number>(`document.querySelector('.brand-logo').naturalWidth`);
    await eventually(async () => expect(await drawn()).to.equal(1), 'the logo is drawn');
    await user.expectFit('own colours', frame);
  });
});

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describeDashboard('the page of the portal in the dashboard', (user) => {
  it('H214: an owner sets origins, colours and the logo, and previews them', async () => {
    const page = await user.signIn('/portal', 'owner');
    await heading(page, 'Portal').waitFor();
    await page.getByLabel('Origins of your site').fill('http://shop.example');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Must begin with https, except on localhost and 127.0.0.1.').waitFor();
    await page
      .getByLabel('Origins of your site')
      .fill('https://shop.example/\nhttp://localhost:3000');

    const accent = page.getByRole('textbox', { name: 'Accent colour' }).first();
    await accent.fill('blue');
    await page.getByText('Enter a colour as #rrggbb.').waitFor();
    await accent.fill('#14532d');
    await page.getByText('Too little contrast on dark').waitFor();
    await page.getByLabel('Light or dark').selectOption('light');
    await eventually(async () => {
      expect(await page.getByText('Too little contrast').count()).to.equal(0);
    }, 'only the scheme that is shown counts');

    await page.getByLabel('Logo').setInputFiles({
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: Buffer.from(png, 'base64'),
    });

    await page.getByRole('figure', { name: 'Preview, light' }).getByRole('img').waitFor();
    await user.expectFit('the page of the portal');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The portal settings are saved.').waitFor();

    const [stored] = await user.service.database.query<Readonly<Record<string, unknown>>>(
      'select origins, theme, logo from portal_settings where account_id = $1',
      [user.tenant.account],
    );

    expect(stored).to.deep.equal({
      origins: ['https://shop.example', 'http://localhost:3000'],
      theme: { scheme: 'light', accent: '#14532d', background: null },
      logo: `data:image/png;base64,${png}`,
    });
  });

  it('H215: an owner creates a link, and sees and ends the session that it opened', async () => {
    const page = await user.signIn('/portal', 'owner');
    await page.getByText('No one has the portal open.').waitFor();
    await page.getByRole('button', { name: 'Create a link' }).click();

    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Role').selectOption('developer');
    await user.expectFit('the dialog of a link');
    await dialog.getByRole('button', { name: 'Create a link' }).click();

    const url = await dialog.getByText(/\/portal\/acc_\w+\/#\w{43}$/).innerText();
    await dialog.getByRole('button', { name: 'Done' }).click();

    const customer = await page.context().browser()?.newPage();
    if (!customer) throw new Error('no page');

    await customer.goto(url);

    let answer: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    await customer.route('**/session', (route) => asked.then(() => route.continue()));
    await customer.getByRole('button', { name: 'Open' }).click();
    await customer.getByText('Opening …').waitFor();
    await user.expectFit('the portal while it opens', customer);
    answer();
    await customer.getByRole('navigation', { name: 'Views' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: /^End session/ }).click();
    await page.getByText('No one has the portal open.').waitFor();
    await customer.reload();
    await heading(customer, 'This page needs a new link').waitFor();
    await user.expectFit('the portal without a session', customer);
    await customer.close();
  });

  it('H245: an owner sees an unused link, and revokes it', async () => {
    const page = await user.signIn('/portal', 'owner');
    await page.getByText('Every link was used or has expired.').waitFor();
    await page.getByRole('button', { name: 'Create a link' }).click();

    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create a link' }).click();

    const url = await dialog.getByText(/\/portal\/acc_\w+\/#\w{43}$/).innerText();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText(/^created by mem_/).waitFor();
    await user.expectFit('the unused links');
    await page.getByRole('button', { name: /^Revoke link plk_/ }).click();
    await page.getByText('The link is revoked.').waitFor();
    await page.getByText('Every link was used or has expired.').waitFor();

    const customer = await page.context().browser()?.newPage();
    if (!customer) throw new Error('no page');

    await customer.goto(url);
    await customer.getByRole('button', { name: 'Open' }).click();
    await heading(customer, 'This page needs a new link').waitFor();
    await customer.close();
  });

  it('H215: a developer does not see the page of the portal', async () => {
    const page = await user.signIn('/endpoints', 'developer');
    const views = page.getByRole('navigation', { name: 'Views' });
    expect(await views.getByRole('link', { name: 'Portal' }).count()).to.equal(0);
  });
});
