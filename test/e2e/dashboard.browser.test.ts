import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventTypesDocument } from '../../dashboard/src/generated/documents.js';
import { describedBy, sendKeySequence } from '../support/browser.js';
import { describeDashboard, heading } from '../support/dashboard.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

describeDashboard('the dashboard', (user) => {
  let receiver: Receiver;

  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver.close());

  const createEndpoint = async (path: string) => {
    const body = { url: receiver.url(path), event_types: ['cart.order.completed'] };
    const { rest } = user.tenant;
    await rest.post('/v1/webhooks/endpoints', { ...body, notification_email: 'a@shop.example' });
  };

  it('H171: signs in by the link of a mail, and the waiting page follows', async () => {
    const waiting = await user.open('/endpoints?status=active');
    await waiting.getByLabel('Email address').waitFor();
    await user.expectFit('sign-in');

    const { link } = await user.askForMail(waiting, await user.newMember('developer'));
    await user.expectFit('the page that waits');

    const elsewhere = await waiting.context().browser()?.newPage();
    if (!elsewhere) throw new Error('no page');

    await elsewhere.goto(link);
    await elsewhere.getByRole('button', { name: 'Sign in' }).click();
    await heading(elsewhere, 'This is a different browser').waitFor();
    await user.expectFit('a link in another browser', elsewhere);
    await elsewhere.close();

    const opened = await waiting.context().newPage();
    await opened.goto(link);
    await heading(opened, 'Continue to the dashboard').waitFor();
    await user.expectFit('a link', opened);

    await eventually(
      () => expect(opened.url()).not.to.include('#'),
      'the token leaves the address',
    );

    await opened.getByRole('button', { name: 'Sign in' }).click();
    await heading(opened, 'Overview').waitFor();
    await opened.getByText('Receive your first event').waitFor();
    await user.expectFit('the first steps', opened);
    await heading(waiting, 'Endpoints').waitFor();
    expect(waiting.url()).to.match(/\/dashboard\/endpoints\?status=active$/);
    await opened.goto(link);
    await opened.getByRole('button', { name: 'Sign in' }).click();
    await heading(opened, 'This link no longer works').waitFor();
    await user.expectFit('a used link', opened);
  });

  it('H274: signs in a member whose domain the browser sends in Punycode', async () => {
    const email = 'ida@m\u00fcnchen.example';
    await user.tenant.graphql(
      'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }',
      { input: { account: user.tenant.account, email, role: 'viewer' } },
    );
    const page = await user.open('/');
    const { link } = await user.askForMail(page, email);
    await page.goto(link);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await heading(page, 'Overview').waitFor();
  });

  it('H171: creates an endpoint, sends a test event, rotates the secret, disables and deletes it', async () => {
    const page = await user.signIn('/endpoints/new');
    await page.getByLabel('URL').fill('http://shop.example');
    await page.getByText('The URL must start with https://.').waitFor();
    await page.getByLabel('URL').fill(receiver.url('/orders'));
    await page.getByPlaceholder('Search event types').fill('completed');
    await page.getByLabel('cart.order.completed').check();
    await page.getByLabel('Notification address').fill('nowhere');
    await page.getByRole('button', { name: 'Create endpoint' }).click();

    // The service refuses it beside the field, and the page keeps the rest.
    await page
      .getByLabel('Notification address')
      .and(page.locator('[aria-invalid=true]'))
      .waitFor();

    expect(await page.getByLabel('URL').inputValue()).to.equal(receiver.url('/orders'));
    await user.expectFit('the form');
    await page.getByLabel('Notification address').fill('ops@shop.example');
    await page.getByRole('button', { name: 'Create endpoint' }).click();
    await heading(page, 'The endpoint is ready').waitFor();

    const secret = await page.getByText(/^whsec_/).innerText();
    await user.expectFit('the new endpoint');
    await page.getByRole('link', { name: 'I stored it' }).click();

    await page.getByText('Healthy').waitFor();
    await user.expectFit('the endpoint');

    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Send test event' }).click();
    await user.expectFit('the dialog of a test event');
    await dialog.getByRole('button', { name: 'Send' }).click();

    // Checked first, because the page shows it for only 6 s.
    await page.getByText(/^Test event evt_\w+ is on its way/).waitFor();

    const request = await receiver.next(({ path }) => path === '/orders');
    expect(JSON.parse(request.body.toString())).to.include({ type: 'cart.order.completed' });

    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await user.expectFit('the dialog before a rotation');
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();

    const rotated = dialog.getByText(/^whsec_/);
    await rotated.waitFor();
    expect(await rotated.innerText()).not.to.equal(secret);
    await page.keyboard.press('Escape');
    await user.expectFit('the dialog with the secret');
    await dialog.getByRole('button', { name: 'I stored it' }).click();

    await page.getByRole('button', { name: 'Change Rate limit' }).click();
    await dialog.getByLabel('Requests per second').fill('5');
    await user.expectFit('the dialog of the rate limit');
    await dialog.getByRole('button', { name: 'Save limit' }).click();
    await page.getByText('5 requests per second').waitFor();

    await page.getByRole('button', { name: 'Change Retries' }).click();
    await dialog.getByLabel('Retries').selectOption('fast');
    await user.expectFit('the dialog of the retries');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('fast: 1 second, 6 seconds after the first attempt').waitFor();

    await page.getByRole('button', { name: 'Change Headers' }).click();
    await dialog.getByLabel('Name').fill('Authorization');
    await dialog.getByLabel('Value').fill('Bearer from-the-page');
    await dialog.getByRole('button', { name: 'Add header' }).click();
    await dialog.getByRole('group', { name: 'Header 2' }).getByLabel('Name').fill('Host');
    await user.expectFit('the dialog of the headers');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('The service does not let endpoints set Host.').waitFor();
    await dialog.getByRole('button', { name: 'Remove Host' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Authorization. Set').waitFor();

    await page.getByRole('button', { name: 'Send test event' }).click();
    await dialog.getByRole('button', { name: 'Send' }).click();
    const gated = await receiver.next(({ headers }) => headers['authorization'] !== undefined);
    expect(gated.headers['authorization']).to.equal('Bearer from-the-page');

    await page.getByRole('button', { name: 'Change Headers' }).click();
    expect(await dialog.getByLabel('Value').inputValue()).to.equal('');
    await dialog.getByRole('button', { name: 'Add header' }).click();
    const added = dialog.getByRole('group', { name: 'Header 2' });
    await added.getByLabel('Name').fill('X-Key');
    await added.getByLabel('Value').fill('key');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Authorization, X-Key. Set').waitFor();

    await page.getByRole('button', { name: 'Change Filter' }).click();
    await dialog.getByLabel('Condition').fill('$.data.currency = "EUR"');
    await dialog.getByRole('button', { name: 'Try it' }).click();
    await dialog.getByText('Character 17: Write == in place of =.').waitFor();
    await dialog.getByLabel('Condition').fill('$.data.currency == "EUR"');
    await dialog.getByRole('button', { name: 'Try it' }).click();
    await dialog.getByText(/events match|no event of its types/).waitFor();
    await user.expectFit('the dialog of the filter');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('$.data.currency == "EUR"').waitFor();

    await page.getByRole('button', { name: 'Change Public key' }).click();
    await user.expectFit('the dialog of the public key');
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const publicKeys = page.getByText(/^whpk_[A-Za-z0-9+/]{43}=$/);
    await publicKeys.waitFor();
    const first = await publicKeys.innerText();
    await page.getByRole('button', { name: 'Rotate key' }).click();
    await dialog.getByRole('button', { name: 'Rotate key' }).click();
    await page.getByText('Old key. It signs until').waitFor();
    const [newest, old] = await publicKeys.allInnerTexts();
    expect(old).to.equal(first);
    await user.expectFit('the page with two public keys');
    const address = await page.getByText(/\/webhooks\/keys\/whs_\w+$/).innerText();
    const { keys } = (await (await fetch(address)).json()) as {
      readonly keys: readonly { readonly public_key: string }[];
    };
    expect(keys.map((key) => key.public_key)).to.deep.equal([newest, old]);
    await page.getByRole('button', { name: 'Change Public key' }).click();
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await publicKeys.first().waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Disable' }).click();
    await user.expectFit('the dialog before disabling');
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('The endpoint is enabled.').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();

    const confirm = dialog.getByRole('button', { name: 'Delete' });
    expect(await confirm.getAttribute('aria-disabled')).to.equal('true');
    await user.expectFit('the dialog before a deletion');
    await dialog.getByRole('textbox').fill(new URL(receiver.url()).host);
    await confirm.click();
    await page.getByText('The endpoint is deleted.').waitFor();
    await heading(page, 'Endpoints').waitFor();
  });

  it('H172: offers a viewer nothing that the role does not allow', async () => {
    await createEndpoint('/viewed');

    const page = await user.signIn('/endpoints', 'viewer');
    await page.keyboard.press('n');
    await page.getByRole('link', { name: /\/viewed$/ }).click();
    await page.getByRole('heading', { name: 'Health' }).waitFor();

    for (const name of ['Send test event', 'Rotate secret', 'Rate limit', 'Disable', 'Delete']) {
      expect(await page.getByRole('button', { name }).count(), name).to.equal(0);
    }

    expect(await page.getByRole('link', { name: /Edit|Create/ }).count()).to.equal(0);

    // The URL of a form does not offer it either.
    const path = new URL(page.url()).pathname;
    for (const form of ['/dashboard/endpoints/new', `${path}/edit`, '/dashboard/recoveries/new']) {
      await page.goto(`${user.service.url}${form}`);
      await page.getByText('Ask a developer or an admin of your account').waitFor();
      expect(await page.locator('main').getByRole('textbox').count(), form).to.equal(0);
    }
  });

  it('works by keyboard alone, and lists its shortcuts', async () => {
    await createEndpoint('/keys');

    const page = await user.signIn('/endpoints');
    await heading(page, 'Endpoints').waitFor();
    await user.expectFit('the list');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await user.expectFit('the help');
    await page.keyboard.press('Escape');

    // A dialog that closes returns the focus, and the window has just been narrow.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByLabel('Find by id').waitFor();

    const href = (await page.getByRole('link', { name: /\/keys$/ }).getAttribute('href')) ?? '';
    await page.keyboard.press('/');
    await page.locator('#find:focus').waitFor();
    await page.keyboard.type(href.split('/').at(-1) ?? '');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Health' }).waitFor();
    await sendKeySequence(page, 'g', 'e');
    await heading(page, 'Endpoints').waitFor();

    // Shortcuts work once the page is completely drawn.
    await page.getByRole('link', { name: /\/keys$/ }).waitFor();
    await page.keyboard.press('n');
    await heading(page, 'Create an endpoint').waitFor();
  });

  it('shows nothing more after a sign-out, in every tab', async () => {
    const page = await user.signIn('/endpoints');
    const other = await page.context().newPage();
    await other.goto(page.url());
    await heading(other, 'Endpoints').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading(page, 'Sign in').waitFor();
    await heading(other, 'Sign in').waitFor();
    await page.goto(`${user.service.url}/dashboard/endpoints/new`);
    await eventually(() => {
      expect(page.url()).to.include('/dashboard/sign-in');
    }, 'the page asks to sign in');
  });

  describe('the dashboard when one of its files does not arrive', () => {
    const assets = '**/dashboard/assets/**';

    /** Marks the page. @returns whether it is still the same, and was not loaded again */
    const mark = async (page: Page) => {
      await page.evaluate('globalThis.marked = true');
      return () => page.evaluate<boolean>('globalThis.marked === true');
    };

    const menu = (page: Page, name: string) =>
      page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name });

    it('H280: keeps the shell when the connection drops, and loads the view on request', async () => {
      const page = await user.signIn('/endpoints');
      await heading(page, 'Endpoints').waitFor();

      const isSame = await mark(page);
      await page.route(assets, (route) => route.abort());
      await menu(page, 'Recoveries').click();
      await heading(page, 'The dashboard failed to show this page.').waitFor();
      await user.expectFit('a view that did not load');

      const failsAgain = page.waitForEvent('requestfailed');
      await page.getByRole('button', { name: 'Try again' }).click();
      await failsAgain;

      // Another click loads it, too.
      await menu(page, 'Endpoints').click();
      await heading(page, 'Endpoints').waitFor();
      await menu(page, 'Recoveries').click();
      await heading(page, 'The dashboard failed to show this page.').waitFor();
      await page.unroute(assets);
      await page.getByRole('button', { name: 'Try again' }).click();
      await heading(page, 'Recoveries').waitFor();
      await menu(page, 'Event types').click();
      await heading(page, 'Event types').waitFor();
      expect(await isSame()).to.equal(true);
    });

    it('H280: loads the view with the next click, and with the styles of all views', async () => {
      const page = await user.signIn('/endpoints');
      await heading(page, 'Endpoints').waitFor();

      const isSame = await mark(page);
      await page.route(assets, (route) => route.abort());
      await menu(page, 'Overview').click();
      await heading(page, 'The dashboard failed to show this page.').waitFor();
      await page.unroute(assets);
      await menu(page, 'Endpoints').click();
      await heading(page, 'Endpoints').waitFor();
      await menu(page, 'Overview').click();
      await heading(page, 'Overview').waitFor();

      // Vite loads a style sheet of a view once: a second try would show the view without it.
      const styles = await page.evaluate<number>(
        `document.querySelectorAll('link[rel=stylesheet]').length`,
      );
      expect(styles).to.equal(1);
      expect(await isSame()).to.equal(true);
    });

    it('H280: reloads the page when a newer release replaced the file', async () => {
      const page = await user.signIn('/endpoints');
      await heading(page, 'Endpoints').waitFor();
      const isSame = await mark(page);
      await page.route('**/assets/recover*', (route) => route.fulfill({ status: 404 }));
      await menu(page, 'Recoveries').click();
      // The file is still missing after the reload, so the page does not reload again.
      await page.getByText('A new version of the dashboard is available.').waitFor();
      expect(await isSame()).to.equal(false);
      await page.unroute('**/assets/recover*');
      await page.getByRole('button', { name: 'Reload' }).click();
      await heading(page, 'Recoveries').waitFor();
    });

    it('H280: reloads the page when its view cannot show the answer of a newer release', async () => {
      const page = await user.signIn('/endpoints');
      await heading(page, 'Endpoints').waitFor();
      const isSame = await mark(page);
      const answer = { status: 200, json: { data: {} } };
      await page.route('**/dashboard/graphql', (route) =>
        route.request().postData()?.includes(eventTypesDocument.id) === true
          ? route.fulfill(answer)
          : route.continue(),
      );

      // The page belongs to the running release: reloading would not help.
      await menu(page, 'Event types').click();
      await heading(page, 'The dashboard failed to show this page.').waitFor();
      expect(await isSame()).to.equal(true);
      await menu(page, 'Endpoints').click();
      await heading(page, 'Endpoints').waitFor();

      await page.route('**/assets/index-*', (route) =>
        route.request().method() === 'HEAD' ? route.fulfill({ status: 404 }) : route.continue(),
      );
      await menu(page, 'Event types').click();
      await eventually(async () => {
        expect(await isSame()).to.equal(false);
      }, 'the page is loaded again');
      expect(user.takeErrors()).not.to.deep.equal([]);
    });

    it('H280: reloads the page on request when the browser keeps the failed module', async () => {
      const page = await user.signIn('/endpoints');
      await heading(page, 'Endpoints').waitFor();

      const isSame = await mark(page);

      // Acts as a browser that keeps failed modules: the file is there, and its import fails.
      await page.route('**/assets/recover*', (route) =>
        route.request().method() === 'HEAD' ? route.continue() : route.abort(),
      );
      await menu(page, 'Recoveries').click();
      await heading(page, 'The dashboard failed to show this page.').waitFor();
      expect(await isSame()).to.equal(true);
      await page.getByRole('button', { name: 'Try again' }).click();
      await eventually(async () => {
        expect(await isSame()).to.equal(false);
      }, 'the page is loaded again');
      await heading(page, 'The dashboard failed to show this page.').waitFor();
      await page.unroute('**/assets/recover*');
      await page.getByRole('button', { name: 'Try again' }).click();
      await heading(page, 'Recoveries').waitFor();
    });

    it('H280: opens another page while a view is still loading', async () => {
      const page = await user.signIn('/endpoints');
      await heading(page, 'Endpoints').waitFor();

      const documents: string[] = [];
      page.on('request', (request) => {
        if (request.isNavigationRequest()) documents.push(request.url());
      });

      // The file never arrives.
      await page.route('**/assets/recover*', () => undefined);

      const asked = page.waitForRequest('**/assets/recover*');
      await menu(page, 'Recoveries').click();
      await asked;
      await page.goto(`${user.service.url}/dashboard/event-types`);
      await heading(page, 'Event types').waitFor();
      expect(documents).to.deep.equal([`${user.service.url}/dashboard/event-types`]);
    });

    it('says what to do when its texts did not arrive', async () => {
      const page = await user.open('/sign-in');
      await heading(page, 'Sign in').waitFor();
      await page.route('**/assets/en-*', (route) => route.abort());
      await page.reload();
      await page.getByText('The dashboard did not load.').waitFor();
      await page.unroute('**/assets/en-*');
      await page.reload();
      await heading(page, 'Sign in').waitFor();
    });

    it('asks for a newer page when the service does not know its document', async () => {
      const page = await user.signIn('/endpoints');
      await heading(page, 'Endpoints').waitFor();
      const isSame = await mark(page);
      const problem = { code: 'document_unknown', detail: 'Not known.' };
      await page.route('**/dashboard/graphql', (route) =>
        route.request().postData()?.includes(eventTypesDocument.id) === true
          ? route.fulfill({ status: 400, json: problem })
          : route.continue(),
      );
      await menu(page, 'Event types').click();
      await page.getByText('A new version of the dashboard is available.').waitFor();
      expect(await isSame()).to.equal(false);
    });
  });

  it('H281: says at the field of the sign-in what is wrong, and puts the cursor there', async () => {
    const page = await user.open('/sign-in');
    const email = page.getByLabel('Email address');
    await email.fill('müller@example');
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await email.and(page.locator('[aria-invalid=true]:focus')).waitFor();
    expect(await describedBy(email)).to.match(/address/);
    await email.fill('müller@example.com');
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await heading(page, 'Check your email').waitFor();

    const code = page.getByLabel('Code from the email');
    await code.fill('AB');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await code.and(page.locator('[aria-invalid=true]:focus')).waitFor();
    expect(await describedBy(code)).to.include('The code has 8 characters.');
    await user.expectFit('a code that is too short');
  });

  it('says that it needs JavaScript when a browser has none', async () => {
    const page = await user.browse({ javaScriptEnabled: false });
    await page.goto(`${user.service.url}/dashboard`);
    expect(await page.locator('noscript').innerText()).to.include('needs JavaScript');
  });
});
