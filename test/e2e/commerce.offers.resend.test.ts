import { expect } from 'chai';
import { codeOf } from '../support/commerce.js';
import { dataOf } from '../support/endpoints.js';
import {
  ask,
  expireOfferIn,
  mailsAbout,
  makeOffer,
  type OfferBody,
  owedAbout,
} from '../support/offers.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

describe('commerce.offers.resend', () => {
  let service: Service;
  let tenant: Tenant;

  before(async function () {
    this.timeout(60_000);
    service = await sharedService();
    tenant = await createTenant(service);
  });

  it('sends the same mail once more under a Message-ID of its own, and counts it', async () => {
    const sent = await makeOffer(tenant.rest);
    const again = dataOf<OfferBody>(await ask(tenant.rest, sent.id, 'resend'), 200);
    expect(again.updated_at > sent.updated_at).to.equal(true);
    const { updated_at } = again;
    expect(again).to.deep.equal({ ...sent, send_count: 2, updated_at });
    const [first, second] = await mailsAbout(service, sent.id, 2);
    expect(second?.text).to.equal(first?.text);
    expect(second?.headers['message-id']).not.to.deep.equal(first?.headers['message-id']);
  });

  it('owes a mail for each of many that ask at once', async () => {
    const { id } = await makeOffer(tenant.rest);
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => ask(tenant.rest, id, 'resend')),
    );
    const counts = replies.map((reply) => dataOf<OfferBody>(reply, 200).send_count);
    expect(counts.sort((a, b) => a - b)).to.deep.equal([2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await owedAbout(service, id)).to.have.length(9);
  });

  it('refuses what was not sent or is open no longer', async () => {
    const expired = await makeOffer(tenant.rest);
    await expireOfferIn(service, expired.id, 0);
    const { id: cancelled } = await makeOffer(tenant.rest, {}, ['send', 'cancel']);
    const { id: draft } = await makeOffer(tenant.rest, {}, []);
    for (const [id, mails] of [
      [draft, 0],
      [cancelled, 1],
      [expired.id, 1],
    ] as const) {
      const reply = await ask(tenant.rest, id, 'resend');
      expect(codeOf(reply, 409)).to.equal('offer_state_conflict');
      expect(await owedAbout(service, id)).to.have.length(mails);
    }
  });

  it('H57, H43: requires an idempotency key, and sends once under it', async () => {
    const { id } = await makeOffer(tenant.rest);
    expect(codeOf(await ask(tenant.rest, id, 'resend', { key: null }), 400)).to.equal(
      'idempotency_key_required',
    );
    const key = `resend-${id}`;
    const first = await ask(tenant.rest, id, 'resend', { key });
    const again = await ask(tenant.rest, id, 'resend', { key });
    expect(again.headers['idempotent-replayed']).to.equal('true');
    expect(again.text).to.equal(first.text);
    expect(await owedAbout(service, id)).to.have.length(2);
  });
});
