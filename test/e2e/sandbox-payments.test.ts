import { expect } from 'chai';
import {
  createCheckout,
  expireIn,
  payCheckout,
  makeOffer,
  openOfferCheckout,
} from '../support/sales.js';
import { dataOf } from '../support/endpoints.js';
import { openPage, type PageRequest } from '../support/dashboard.js';
import { type Service, startService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const form = { buyer_email: 'buyer@example.com', method: 'sandbox' };

describe('checkouts without sandbox payments', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await startService({ workers: 0, environment: { SANDBOX_PAYMENTS: '' } });
    tenant = await createTenant(service);
  });

  after(() => service.stop());

  const open = (id: string, ask: PageRequest = {}) =>
    openPage(`${service.url}/checkout/${id}`, ask);
  const read = async (id: string) =>
    dataOf<{ status: string; order: object | null }>(
      await tenant.rest.get(`/v1/commerce/checkouts/${id}`),
      200,
    );

  it('show what is bought and say that the shop takes the payment', async () => {
    const cancelUrl = 'https://shop.example/cart';
    const { status, text, headers } = await open(await createCheckout(tenant, { cancelUrl }));
    expect(status).to.equal(200);
    expect(text).to.include('<title>Checkout – Test shop</title>').and.include('€19.00');
    expect(text).to.include('Payment is made in the shop').and.include(`href="${cancelUrl}"`);
    expect(text).not.to.match(/<form|<button|<input|andbox/);
    expect(headers['content-security-policy']).to.include("form-action 'none'");
  });

  it('are not paid by a form, at neither address and from no offer', async () => {
    const plain = await createCheckout(tenant);
    const offered = await openOfferCheckout(await makeOffer(tenant.rest));
    for (const address of [plain, `${plain}/embed`, offered]) {
      const refused = await open(address, { form });
      expect(refused.status, address).to.equal(404);
    }

    for (const id of [plain, offered]) {
      expect(await read(id)).to.include({ status: 'open', order: null });
    }

    const options = await open(plain, { method: 'OPTIONS' });
    expect(options.headers['allow']).to.equal('GET, HEAD, OPTIONS');

    const put = await open(plain, { method: 'PUT' });
    expect([put.status, put.headers['allow']]).to.deep.equal([405, 'GET, HEAD, OPTIONS']);
  });

  it('are paid by a payment that the shop records, and their page says so', async () => {
    const id = await createCheckout(tenant);
    await payCheckout(tenant, id);
    const paid = await open(id);
    expect(paid.status).to.equal(200);
    expect(paid.text).to.include('This checkout is paid');
    const expired = await createCheckout(tenant);
    await expireIn(service.database, expired, 0);
    expect((await open(expired)).status).to.equal(410);
  });
});
