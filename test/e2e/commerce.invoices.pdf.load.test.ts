import { expect } from 'chai';
import { makeOrder, type InvoiceBody } from '../support/sales.js';
import { dataOf } from '../support/endpoints.js';
import { openPdf as open } from '../support/pdf.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

describe('the PDF of an invoice that many ask for', () => {
  let service: Service;
  let tenant: Tenant;
  let url: string;

  const makeInvoice = async (of: Tenant, changes: object = {}) => {
    const { invoice } = await makeOrder(of, changes);
    const reply = await of.rest.get(`/v1/commerce/invoices/${invoice.id}`);
    return dataOf<InvoiceBody>(reply, 200).pdf_url;
  };

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
    url = await makeInvoice(tenant);
  });

  it('H113: answers 304 to a client that has the PDF, by its entity tag', async () => {
    const { headers } = await open(url);
    const etag = String(headers['etag']);
    expect(etag).to.match(/^W\/"[\w-]{43}"$/);
    expect((await open(url, 'HEAD')).headers['etag']).to.equal(etag);

    for (const named of [etag, etag.slice(2), `"other", ${etag}`, '*', ' * ']) {
      const again = await open(url, 'GET', { 'if-none-match': named });
      expect(again.status, named).to.equal(304);
      expect(again.headers['etag']).to.equal(etag);
      expect(again.bytes).to.have.lengthOf(0);
    }

    for (const other of ['W/"other"', '"*"', '']) {
      const changed = await open(url, 'GET', { 'if-none-match': other });
      expect(changed.status, other).to.equal(200);
    }

    const unknown = await open(url.replace(/.\.pdf$/, '.pdf'), 'GET', { 'if-none-match': '*' });
    expect(unknown.status).to.equal(404);
  });

  it('H113: renders the PDF while another account asks for many documents at once', async () => {
    const name = 'A very long name '.repeat(14);
    const lineItems = Array.from({ length: 100 }, (_, index) => {
      return { name: `${index + 1} ${name}`, quantity: 1, unitAmountMinorUnits: 1_900 };
    });
    const clients = await createTenant(service);
    const urls: string[] = [];
    for (let index = 0; index < 24; index += 1)
      urls.push(await makeInvoice(clients, { lineItems }));

    for (let round = 0; round < 6; round += 1) {
      // A new name changes the documents, so that they have to be rendered again.
      await service.database.query('update account set name = $1 where id = any($2)', [
        `Shop ${round}`,
        [clients.account, tenant.account],
      ]);

      const many = urls.map((address) => open(address));
      await Promise.race(many);

      const response = await open(url);
      expect(response.status, `round ${round}`).to.equal(200);

      for (const { status, headers } of await Promise.all(many)) {
        expect(status).to.be.oneOf([200, 503]);
        if (status === 503) expect(headers['retry-after']).to.match(/^\d+$/);
      }
    }
  });
});
