import { expect } from 'chai';
import { describeDashboard, heading } from '../support/dashboard.js';
import { createEndpoint } from '../support/endpoints.js';
import { sendKeySequence } from '../support/browser.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

const script = '<img src=x onerror="window.attacked = true">';

// On a service of its own, because it adds to the catalogue.
describeDashboard(
  'the event types of the dashboard',
  (user) => {
    let receiver: Receiver;

    before(async () => {
      receiver = await startReceiver();
      await createEndpoint(user.tenant.rest, { url: receiver.url('/types') });

      const versionOf = (version: string, name: string) => ({
        version,
        schema: { type: 'object', required: [name], properties: { [name]: { type: 'string' } } },
        example: { [name]: 'p_1' },
      });

      await user.tenant.graphql(
        'mutation ($input: PutEventTypeInput!) { putEventType(input: $input) { id } }',
        {
          input: {
            id: 'shop.parcel.shipped',
            category: 'parcels',
            summary: 'A parcel left.',
            description: `It is on its way. ${script}`,
            offered: true,
            validation: 'enforce',
            versions: [versionOf('v1', 'parcel'), versionOf('v2', 'parcel_id')],
          },
        },
      );
    });

    after(() => receiver.close());

    it('H189: finds a type, explains its data, and sends its example', async () => {
      const page = await user.signIn('/overview');
      await sendKeySequence(page, 'g', 't');
      await heading(page, 'Event types').waitFor();
      await page.getByRole('link', { name: 'offer.sent' }).waitFor();
      await user.expectFit('the catalogue');
      await page.getByPlaceholder('Search event types').fill('order.completed');
      await page.getByRole('link', { name: 'offer.sent' }).waitFor({ state: 'detached' });
      await page.waitForURL(/\?search=order\.completed$/);
      await page.getByRole('link', { name: 'cart.order.completed' }).click();

      await heading(page, 'cart.order.completed').waitFor();
      await page.locator('.schema-row', { hasText: 'line_items' }).first().waitFor();
      await page.getByText('Format date-time').first().waitFor();
      await user.expectFit('the type');
      await page.getByText('Python', { exact: true }).click();

      const code = page.getByRole('group', { name: 'Code in Python' });
      await code.getByText('hmac.compare_digest').waitFor();
      await user.expectFit('the type with code in Python');

      await page.getByRole('button', { name: 'Send test event' }).click();
      await user.expectFit('the dialog of a test event');
      await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();

      // Checked first, because the page shows it for only 6 s.
      await page.getByText(/^Test event evt_\w+ is on its way/).waitFor();

      const request = await receiver.next(({ path }) => path === '/types');
      expect(JSON.parse(request.body.toString())).to.include({ type: 'cart.order.completed' });
    });

    it('H280: says Copied only while the clipboard has what the button copies', async () => {
      const page = await user.signIn('/event-types/offer.sent');
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);

      const copy = page.getByRole('button', { name: /receiver\./ });
      await page.getByRole('group', { name: 'Code in Node.js' }).waitFor();
      await copy.getByText('Copy', { exact: true }).click();
      await copy.getByText('Copied', { exact: true }).waitFor();

      const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
      expect(await clipboard()).to.include("=== 'offer.sent'");

      // Another text stands beside the button now.
      await page.getByText('Python', { exact: true }).click();
      await copy.getByText('Copy', { exact: true }).click();
      await copy.getByText('Copied', { exact: true }).waitFor();
      expect(await clipboard()).to.include('hmac.compare_digest');

      // The reader copies something else by hand.
      await page.getByRole('heading', { level: 1 }).selectText();
      await page.keyboard.press('Control+C');
      await copy.getByText('Copy', { exact: true }).waitFor();
    });

    it('H280: selects the text where the browser lets no page copy, and says so', async () => {
      const page = await user.signIn('/event-types/offer.sent');
      await page.getByRole('group', { name: 'Code in Node.js' }).waitFor();

      // As on a page over plain http.
      await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
      await page.getByText('Copy', { exact: true }).click();
      await page.getByText('Your browser does not allow this page to copy.').waitFor();

      const selected = await page.evaluate<string>('String(getSelection())');
      expect(selected).to.include("=== 'offer.sent'");
      await user.expectFit('a text to copy by hand');
      await page.getByText('Python', { exact: true }).click();
      await page
        .getByText('Your browser does not allow this page to copy.')
        .waitFor({ state: 'detached' });
    });

    it('H189: shows a type of the operator with its versions, and its text as text', async () => {
      const page = await user.signIn('/event-types/shop.parcel.shipped', 'viewer');
      await page.locator('.schema-row', { hasText: 'parcel_id' }).waitFor();
      await page.getByText(script).waitFor();
      expect(await page.evaluate('window.attacked')).to.equal(undefined);
      await page.getByRole('link', { name: 'v1', exact: true }).click();
      await page.locator('.schema-row', { hasText: 'parcel_id' }).waitFor({ state: 'detached' });
      await page.locator('.schema-row').getByText('parcel', { exact: true }).waitFor();
      const code = page.getByRole('group', { name: 'Code in Node.js' });
      await code.getByText("=== 'shop.parcel.shipped'").waitFor();
      expect(await page.getByRole('button', { name: 'Send test event' }).count()).to.equal(0);
      await user.expectFit('a type of the operator');
    });
  },
  { ownService: true },
);
