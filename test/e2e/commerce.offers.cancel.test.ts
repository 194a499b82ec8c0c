import { expect } from 'chai';
import {
  codeOf,
  ask,
  expireOfferIn,
  makeOffer,
  type OfferBody,
  openOfferCheckout,
  payPage,
} from '../support/sales.js';
import { dataOf } from '../support/endpoints.js';
import { openPage } from '../support/dashboard.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

describe('commerce.offers.cancel', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  it('withdraws a draft and a sent offer', async () => {
    for (const steps of [[], ['send']] as const) {
      const before = await makeOffer(tenant.rest, {}, steps);
      const after = dataOf<OfferBody>(await ask(tenant.rest, before.id, 'cancel'), 200);
      const { cancelled_at, updated_at } = after;
      expect(cancelled_at).to.match(/Z$/);
      expect(updated_at > before.updated_at).to.equal(true);
      expect(after).to.deep.equal({ ...before, status: 'cancelled', cancelled_at, updated_at });
    }
  });

  it('keeps it from being paid, in a checkout that was open before, too', async () => {
    const offer = await makeOffer(tenant.rest);
    const id = await openOfferCheckout(offer);
    const checkout = `${service.url}/checkout/${id}`;

    dataOf(await ask(tenant.rest, offer.id, 'cancel'), 200);

    const found = dataOf(await tenant.rest.get(`/v1/commerce/checkouts/${id}`), 200);
    expect(found).to.include({ status: 'expired', order: null });
    expect(found).not.to.have.any.keys('checkout_url', 'embed_url');

    for (const page of [await openPage(checkout), await payPage(checkout)]) {
      expect(page.status).to.equal(410);
      expect(page.text).to.include('This checkout is closed').and.include(offer.offer_url);
    }

    for (const form of [undefined, {}]) {
      const { status, text } = await openPage(offer.offer_url, form ? { form } : {});
      expect(status).to.equal(410);
      expect(text).to.include('This offer was withdrawn');
    }

    const orders = await tenant.rest.get('/v1/commerce/orders');
    expect(dataOf(orders, 200)).to.deep.equal([]);
  });

  it('refuses what was cancelled or has expired', async () => {
    const expired = await makeOffer(tenant.rest);
    await expireOfferIn(service, expired.id, 0);
    const { id: cancelled } = await makeOffer(tenant.rest, {}, ['cancel']);
    for (const id of [cancelled, expired.id]) {
      const reply = await ask(tenant.rest, id, 'cancel');
      expect(codeOf(reply, 409)).to.equal('offer_state_conflict');
    }
  });

  it('H57, H46: requires an idempotency key, and answers the same under it', async () => {
    const { id } = await makeOffer(tenant.rest, {}, []);
    expect(codeOf(await ask(tenant.rest, id, 'cancel', { key: null }), 400)).to.equal(
      'idempotency_key_required',
    );
    const key = `cancel-${id}`;
    const first = await ask(tenant.rest, id, 'cancel', { key });
    const again = await ask(tenant.rest, id, 'cancel', { key });
    expect(again.headers['idempotent-replayed']).to.equal('true');
    expect(again.text).to.equal(first.text);
  });
});
