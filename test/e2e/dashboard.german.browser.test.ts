import { expect } from 'chai';
import { answer } from '../support/behaviours.js';
import { describeDashboard, heading } from '../support/dashboard.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

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
