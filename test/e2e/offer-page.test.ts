import { expect } from 'chai';
import {
  codeOf,
  expireIn,
  ask,
  expireOfferIn,
  makeOffer,
  offerInput,
  offersPath,
  openOfferCheckout,
  payPage,
} from '../support/sales.js';
import { createEndpoint, dataOf, refusalsOf } from '../support/endpoints.js';
import { checkEvent } from '../support/contract.js';
import { openPage } from '../support/dashboard.js';
import { startReceiver, verify } from '../support/receiver.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

interface OfferEvent {
  readonly subject: string;
  readonly data: {
    readonly offer: { readonly id: string; readonly status: string };
    readonly order: { readonly id: string };
    readonly checkout: { readonly id: string };
    readonly metadata: unknown;
  };
}

describe('the page behind offer_url', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  const checkouts = (offer: string) =>
    service.database.query('select id from checkout where offer_id = $1', [offer]);
  const readOffer = async (id: string) =>
    (
      await tenant.graphql<{ offer: Record<string, unknown> }>(
        'query ($id: ID!, $account: ID!) { offer(id: $id, account: $account) { status order acceptedAt sentAt } }',
        { id, account: tenant.account },
      )
    ).offer;

  it('shows what is offered, escaped, and opens no checkout at a GET', async () => {
    const nasty = `"'><i x=y>&amp;`;
    const offer = await makeOffer(tenant.rest, {
      title: nasty,
      message: `Line 1\n${nasty}`,
      shipping_minor_units: 490,
    });

    for (const method of ['GET', 'GET', 'HEAD']) {
      const { status, text, headers } = await openPage(offer.offer_url, { method });
      expect(status).to.equal(200);
      expect(headers['x-frame-options']).to.equal('DENY');
      expect(text).not.to.include('<i x');
      if (method === 'HEAD') continue;

      for (const shown of [
        'Test shop',
        '€19.00',
        '€4.90',
        'Continue to pay <span class="price">€23.90</span></button>',
      ]) {
        expect(text).to.include(shown);
      }

      expect(text).to.include('Line 1\n');
    }

    expect(await checkouts(offer.id)).to.deep.equal([]);
  });

  it('does not exist before the offer is sent, nor under another id', async () => {
    const draft = await makeOffer(tenant.rest, {}, []);
    const unsent = await makeOffer(tenant.rest, {}, ['cancel']);
    const expired = await makeOffer(tenant.rest, {}, []);
    await expireOfferIn(service, expired.id, 0);
    for (const id of [draft.id, unsent.id, expired.id, 'off_1', 'chk_1', 'off_1/embed', '']) {
      for (const form of [undefined, {}]) {
        const { status } = await openPage(`${service.url}/offer/${id}`, form ? { form } : {});
        expect(status, id).to.equal(404);
      }
    }
    expect(await checkouts(draft.id)).to.deep.equal([]);
  });

  it('leads to one checkout, however often and at once it is asked, and to another when that soon expires', async () => {
    const offer = await makeOffer(tenant.rest, { metadata: { deal: '7' } });
    const ids = await Promise.all(Array.from({ length: 6 }, () => openOfferCheckout(offer)));
    expect(new Set(ids).size).to.equal(1);

    const [id = ''] = ids;
    const found = await tenant.rest.get(`/v1/commerce/checkouts/${id}`);
    expect(dataOf(found, 200)).to.deep.include({
      status: 'open',
      buyer_email_locked: true,
      success_url: offer.offer_url,
      cancel_url: offer.offer_url,
      metadata: { deal: '7' },
    });

    await expireIn(service.database, id, 11 * 60_000);
    expect(await openOfferCheckout(offer)).to.equal(id);
    await expireIn(service.database, id, 9 * 60_000);

    const next = await openOfferCheckout(offer);
    expect(next).not.to.equal(id);
    expect(await openOfferCheckout(offer)).to.equal(next);
    expect(await checkouts(offer.id)).to.have.length(2);
  });

  it('H268: a draft has a currency that is in use; a sent offer stays payable after its withdrawal', async () => {
    for (const currency of ['ANG', 'BGN', 'CUC']) {
      const refused = await tenant.rest.post(offersPath, offerInput({ currency }));
      expect(refusalsOf(refused), currency).to.deep.equal(['currency: invalid_value']);
    }
    await makeOffer(tenant.rest, { currency: 'XCG' });

    const offer = await makeOffer(tenant.rest);
    await service.database.query("update offer set currency = 'BGN' where id = $1", [offer.id]);
    const checkout = await openOfferCheckout(offer);
    await payPage(`${service.url}/checkout/${checkout}`);
    expect(await readOffer(offer.id)).to.include({ status: 'accepted' });
  });

  it('H83: paying there accepts the offer, publishes an event, and ends all steps', async () => {
    const receiver = await startReceiver();
    const { signing_secret: secret } = await createEndpoint(tenant.rest, {
      url: receiver.url(),
      event_types: ['offer.accepted'],
    });

    const offer = await makeOffer(tenant.rest, { metadata: { deal: '7' } });
    dataOf(await ask(tenant.rest, offer.id, 'resend'), 200);

    const checkout = await openOfferCheckout(offer);
    const paid = await payPage(`${service.url}/checkout/${checkout}`);
    expect(paid.status).to.equal(303);

    const back = new URL(String(paid.headers['location']));
    expect(back.href).to.match(new RegExp(`^${offer.offer_url}\\?order=ord_[A-Za-z0-9]+&`));
    expect(back.searchParams.get('metadata[deal]')).to.equal('7');
    expect((await payPage(`${service.url}/checkout/${checkout}`)).headers['location']).to.equal(
      back.href,
    );

    const { status, text } = await openPage(back.href);
    expect(status).to.equal(200);
    expect(text).to.include('Accepted and paid').and.not.include('<form');

    const request = await receiver.next();
    await receiver.close();
    expect(verify(request, secret)).to.deep.equal({ service: true, standard: true });
    checkEvent(request.body);

    const { subject, data } = JSON.parse(request.body.toString()) as OfferEvent;
    const order = back.searchParams.get('order');

    expect(subject).to.equal(`offer:${offer.id}`);
    expect(data.offer).to.include({ id: offer.id, status: 'accepted', send_count: 2 });
    expect([data.order.id, data.checkout.id]).to.deep.equal([order, checkout]);
    expect(data.metadata).to.deep.equal({ deal: '7' });
    expect(await readOffer(offer.id)).to.include({ status: 'accepted', order });

    for (const step of ['send', 'resend', 'cancel'] as const) {
      const refused = await ask(tenant.rest, offer.id, step);
      expect(codeOf(refused, 409)).to.equal('offer_state_conflict');
    }

    await expireOfferIn(service, offer.id, -1);
    expect(await readOffer(offer.id)).to.include({ status: 'accepted' });
  });

  it('says that an offer has expired; it can no longer be paid, not even in an open checkout', async () => {
    const offer = await makeOffer(tenant.rest);
    const id = await openOfferCheckout(offer);
    const checkout = `${service.url}/checkout/${id}`;
    const end = await expireOfferIn(service, offer.id, 90_000);
    expect((await openPage(checkout)).text).to.include(`<time datetime="${end.toISOString()}">`);
    await expireOfferIn(service, offer.id, 0);

    for (const form of [undefined, {}]) {
      const { status, text } = await openPage(offer.offer_url, form ? { form } : {});
      expect(status).to.equal(410);
      expect(text).to.include('This offer has expired');
    }

    for (const page of [await openPage(checkout), await payPage(checkout)]) {
      expect(page.status).to.equal(410);
      expect(page.text).to.include('This checkout has expired').and.include(offer.offer_url);
    }

    expect(await readOffer(offer.id)).to.include({ status: 'expired', order: null });

    const found = await tenant.rest.get(`/v1/commerce/checkouts/${id}`);
    expect(dataOf(found, 200)).to.include({ status: 'expired', order: null });
    expect(dataOf(found, 200)).not.to.have.any.keys('checkout_url', 'embed_url');
  });

  it('leaves a checkout that is open beside the one that was paid closed, for its merchant too', async () => {
    const offer = await makeOffer(tenant.rest);
    const ids = [await openOfferCheckout(offer)];
    await expireIn(service.database, ids[0] ?? '', 5 * 60_000);
    ids.push(await openOfferCheckout(offer));
    expect((await payPage(`${service.url}/checkout/${ids[1] ?? ''}`)).status).to.equal(303);

    const states = await Promise.all(
      ids.map(async (id) => {
        const found = await tenant.rest.get(`/v1/commerce/checkouts/${id}`);
        return dataOf<{ status: string }>(found, 200).status;
      }),
    );

    expect(states).to.deep.equal(['expired', 'completed']);
    expect((await openPage(`${service.url}/checkout/${ids[0] ?? ''}`)).status).to.equal(410);
  });

  it('takes no form of another site, and no other method', async () => {
    const offer = await makeOffer(tenant.rest);
    const headers = { origin: 'https://elsewhere.example' };
    expect((await openPage(offer.offer_url, { form: {}, headers })).status).to.equal(403);
    const refused = await openPage(offer.offer_url, { method: 'DELETE' });
    expect(refused.status).to.equal(405);
    expect(refused.headers['allow']).to.equal('GET, HEAD, OPTIONS, POST');
    expect((await openPage(offer.offer_url, { method: 'OPTIONS' })).status).to.equal(204);
    expect(await checkouts(offer.id)).to.deep.equal([]);
  });
});
