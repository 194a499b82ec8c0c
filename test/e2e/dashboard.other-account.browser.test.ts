import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { answer } from '../support/behaviours.js';
import { describeDashboard } from '../support/dashboard.js';
import { recordedAs } from '../support/delivery-records.js';
import { createEndpoint } from '../support/endpoints.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { createTenant } from '../support/tenants.js';

describeDashboard('two accounts in one browser', (user) => {
  let receiver: Receiver;

  before(async () => {
    receiver = await startReceiver();
    receiver.always(answer(200));
    await createEndpoint(user.tenant.rest, { url: receiver.url('/hooks') });
  });

  after(() => receiver.close());

  const rows = (page: Page) => page.locator('[id^="row-whd_"]');

  it('shows nothing of the account before when another tab signs in to another account', async () => {
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
