import { expect } from 'chai';
import { describeDashboard, heading } from '../support/dashboard.js';
import { eventually } from '../support/eventually.js';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describeDashboard('the page of the portal in the dashboard', (user) => {
  it('H214: an owner sets origins, colours and the logo, and sees them before', async () => {
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

  it('H215: an owner makes a link, and sees and ends what it opened', async () => {
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

  it('H245: an owner sees a link that no one has used, and revokes it', async () => {
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

  it('H215: a developer is not offered the page', async () => {
    const page = await user.signIn('/endpoints', 'developer');
    const views = page.getByRole('navigation', { name: 'Views' });
    expect(await views.getByRole('link', { name: 'Portal' }).count()).to.equal(0);
  });
});
