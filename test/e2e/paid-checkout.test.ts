import { expect } from 'chai';
import { createCheckout, expireIn, payCheckout } from '../support/sales.js';
import { recordedAs } from '../support/delivery-records.js';
import { createEndpoint, dataOf } from '../support/endpoints.js';
import { type Receiver, startReceiver, verify } from '../support/receiver.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, GraphqlRefusal, type Tenant } from '../support/tenants.js';

interface OrderCompleted {
  readonly id: string;
  readonly subject: string;
  readonly data: {
    readonly order: { readonly id: string };
    readonly checkout: { readonly id: string };
    readonly metadata: unknown;
    readonly totals: { readonly total_minor_units: number };
    readonly affiliate: unknown;
  };
}

const shop = 'https://shop.example.com/thanks';

describe('a paid checkout', () => {
  let service: Service;
  let receiver: Receiver;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    receiver = await startReceiver();
    tenant = await createTenant(service);
  });

  after(() => receiver.close());

  /** Where the buyer goes, with the order's id put back to `ord_1`; its length counts the real one. */
  const thankYou = async (successUrl: string, changes: object = {}) => {
    const id = await createCheckout(tenant, { successUrl, ...changes });
    const { order, thankYouUrl } = await payCheckout(tenant, id);
    return { url: thankYouUrl.replace(order.id, 'ord_1'), length: thankYouUrl.length };
  };

  it('reaches a real receiver: signed, recorded, and with the metadata as the merchant gave it', async () => {
    const endpoint = await createEndpoint(tenant.rest, { url: receiver.url() });
    const metadata = {
      customer_id: '42',
      'k y': 'v é&=',
      n: 7.5,
      deep: { list: [null, true, 'x'] },
    };

    const id = await createCheckout(tenant, { metadata, affiliate: 'partner-9' });
    const { order, thankYouUrl } = await payCheckout(tenant, id);

    const request = await receiver.next();
    expect(verify(request, endpoint.signing_secret)).to.deep.equal({
      service: true,
      standard: true,
    });

    const event = JSON.parse(request.body.toString()) as OrderCompleted;
    expect(event.subject).to.equal(`order:${order.id}`);
    expect(event.data.order).to.include({ id: order.id });
    expect(event.data.checkout).to.include({ id });
    expect(event.data.metadata).to.deep.equal(metadata);
    expect(JSON.stringify(event.data.metadata)).to.equal(JSON.stringify(metadata));
    expect(event.data.totals.total_minor_units).to.equal(1_900);

    await recordedAs(tenant.rest, event.id, ['success']);

    const reply = await tenant.rest.get(`/v1/commerce/checkouts/${id}`);
    expect(dataOf(reply, 200)).to.deep.include({
      status: 'completed',
      order: { id: order.id, object: 'order' },
      metadata,
    });

    expect(new URL(thankYouUrl).searchParams.get('order')).to.equal(order.id);
  });

  it('A39, A40: sends the buyer back with order, metadata and affiliate; the rest stays byte for byte', async () => {
    const metadata = { customer_id: '42', 'k y': 'v é&=', n: 7, obj: { a: 1 }, nil: null };
    const { url } = await thankYou(
      `${shop}?a=1%202&order=spoof&order_id=7&b=x+y&order_uuid=8#top`,
      {
        metadata,
        affiliate: 'partner-9',
      },
    );

    expect(url).to.equal(
      `${shop}?a=1%202&order_id=7&b=x+y&order_uuid=8&order=ord_1` +
        '&metadata%5Bcustomer_id%5D=42&metadata%5Bk%20y%5D=v%20%C3%A9%26%3D&metadata%5Bn%5D=7' +
        '&metadata%5Bobj%5D=%7B%22a%22%3A1%7D&metadata%5Bnil%5D=&affiliate=partner-9#top',
    );
  });

  it('A40: leaves the affiliate of the merchant’s own where the buyer came through no affiliate link', async () => {
    const own = `${shop}?affiliate=own&b=1`;
    expect((await thankYou(own, {})).url).to.equal(`${own}&order=ord_1`);
    const { url } = await thankYou(own, { affiliate: 'partner-9' });
    expect(url).to.equal(`${shop}?b=1&order=ord_1&affiliate=partner-9`);
  });

  it('A37: sends the buyer to at most 2,000 characters, the flag included', async () => {
    const base = 'https://s.example/t?order='.length + 'ord_'.length + 24;
    const room = 2_000 - base - '&metadata%5Bm%5D='.length;
    const full = await thankYou('https://s.example/t', { metadata: { m: 'x'.repeat(room) } });
    expect(full.length).to.equal(2_000);
    expect(full.url).not.to.contain('metadata_truncated');
    const cut = await thankYou('https://s.example/t', { metadata: { m: 'x'.repeat(room + 1) } });
    expect(cut.url).to.equal('https://s.example/t?order=ord_1&metadata_truncated=true');
    const tight = `https://s.example/${'p'.repeat(1_782)}`;
    const metadata = { a: 'x'.repeat(200), b: 'y' };
    const { length } = await thankYou(tight, { metadata, affiliate: 'a'.repeat(60) });
    expect(length).to.be.at.most(2_000);
  });

  it('A38: leaves a key out whole when it does not fit, and takes a smaller one after it', async () => {
    const metadata = {
      blob: 'x'.repeat(1_990),
      customer_id: '42',
      more: 'y'.repeat(1_950),
      z: '1',
    };
    const { url } = await thankYou(shop, { metadata });
    expect(url).to.equal(
      `${shop}?order=ord_1&metadata%5Bcustomer_id%5D=42&metadata%5Bz%5D=1&metadata_truncated=true`,
    );
  });

  it('is paid once, and not after its time', async () => {
    const id = await createCheckout(tenant);
    const paid = await payCheckout(tenant, id, { key: 'payment-1' });
    expect(await payCheckout(tenant, id, { key: 'payment-1' })).to.deep.equal(paid);
    const refusal = async (checkout: string, changes: object = {}) => {
      const thrown = await payCheckout(tenant, checkout, changes).catch((error: unknown) => error);
      expect(thrown).to.be.instanceOf(GraphqlRefusal);
      return (thrown as GraphqlRefusal).code;
    };
    expect(await refusal(id)).to.equal('checkout_not_payable');
    const late = await createCheckout(tenant);
    await expireIn(service.database, late, -1_800_000);
    expect(await refusal(late)).to.equal('checkout_not_payable');
  });
});
