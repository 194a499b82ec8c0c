import { expect } from 'chai';
import {
  makeOrder,
  createCheckout,
  payCheckout,
  codeOf,
  type InvoiceBody,
} from '../support/sales.js';
import { dataOf } from '../support/endpoints.js';
import { openPdf as open, pdfReaderMissing, textOfPdf, wordsOfPdf } from '../support/pdf.js';
import { RestClient } from '../support/rest-client.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

describe('the PDF of an invoice', () => {
  let service: Service;
  let tenant: Tenant;
  let invoice: InvoiceBody;
  let creditNote: InvoiceBody;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);

    const checkout = await createCheckout(tenant, {
      currency: 'KWD',
      shippingMinorUnits: 4_500,
      lineItems: [
        { name: 'Плакат', quantity: 1_000, unitAmountMinorUnits: 1_250, taxMinorUnits: 190 },
        { name: 'Ποτήρι 山', quantity: 1, unitAmountMinorUnits: 5, discountMinorUnits: 5 },
      ],
    });

    const buyer = { buyerName: 'Ελένη O’Brien 🙏', buyerCountry: 'GR' };
    const paid = await payCheckout(tenant, checkout, buyer);
    invoice = await invoiceOf(paid.invoice.id);

    const refunds = `/v1/commerce/payments/${paid.payment.id}/refunds`;
    dataOf(await tenant.rest.post(refunds, { amount_minor_units: 4_690 }), 201);

    const [latest] = dataOf<{ id: string }[]>(await tenant.rest.get('/v1/commerce/invoices'), 200);
    creditNote = await invoiceOf(latest?.id ?? '');
  });

  const invoiceOf = async (id: string) =>
    dataOf<InvoiceBody>(await tenant.rest.get(`/v1/commerce/invoices/${id}`), 200);
  const visitor = () => new RestClient(service.url);

  it('serves the same bytes each time at pdf_url, without a credential', async () => {
    const { status, headers, bytes } = await open(invoice.pdf_url);
    expect(status).to.equal(200);

    expect(headers).to.deep.include({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="${invoice.number}.pdf"`,
      'content-length': String(bytes.length),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });

    expect(bytes.subarray(0, 5).toString()).to.equal('%PDF-');
    expect(bytes.length).to.be.lessThan(100_000);

    const again = await open(invoice.pdf_url);
    expect(again.bytes.equals(bytes)).to.equal(true);
  });

  it('answers HEAD without rendering, with everything but the length', async () => {
    const { headers } = await open(invoice.pdf_url);
    const head = await open(invoice.pdf_url, 'HEAD');
    expect(head.status).to.equal(200);
    expect(head.bytes).to.have.lengthOf(0);
    for (const name of ['content-type', 'content-disposition', 'x-robots-tag']) {
      expect(head.headers[name]).to.equal(headers[name]);
    }
    // Only rendering would give the length (RFC 9110 section 9.3.2).
    expect(head.headers).not.to.have.any.keys('content-length', 'transfer-encoding');
    const unknown = await open(invoice.pdf_url.replace(/.\.pdf$/, '.pdf'), 'HEAD');
    expect(unknown.status).to.equal(404);
  });

  if (pdfReaderMissing !== undefined) it(pdfReaderMissing);
  else {
    it('H114, H279: says who, what, when and how much, in letters of many scripts', async () => {
      const text = await textOfPdf((await open(invoice.pdf_url)).bytes);

      for (const shownText of [
        'Test shop',
        'Invoice INV-000001',
        `Date: ${invoice.issued_at.slice(0, 10)} (UTC)`,
        'Ελένη O’Brien □',
        'buyer@example.com',
        'Плакат',
        'Ποτήρι □',
        'KWD 1.250',
        'KWD 1,250.190',
        '-KWD 0.005',
        'Shipping KWD 4.500',
        'Total paid KWD 1,254.690',
        '1 / 1',
      ]) {
        expect(text).to.include(shownText);
      }
    });

    it('H114: sets Hebrew words from right to left, and a percentage on one line', async () => {
      const name = 'Poster אבג דהו זחט end';
      const tax = { taxMinorUnits: 361, taxPercentage: '19.00' };
      const lineItems = [{ name, quantity: 1, unitAmountMinorUnits: 1_900, ...tax }];
      const { pdf_url: url } = await invoiceOf((await makeOrder(tenant, { lineItems })).invoice.id);
      const words = await wordsOfPdf((await open(url)).bytes);
      const named = words.filter(({ text }) => name.split(' ').includes(text));
      const shown = named.sort((one, other) => one.left - other.left).map(({ text }) => text);
      expect(shown).to.deep.equal(['Poster', 'זחט', 'דהו', 'אבג', 'end']);
      const at = words.findIndex(({ text }) => text === '(19.00');
      expect(words[at + 1]).to.include({ text: '%)', top: words[at]?.top });
    });

    it('says on a credit note which invoice it corrects, and how much was refunded', async () => {
      const text = await textOfPdf((await open(creditNote.pdf_url)).bytes);
      for (const shownText of [
        `Credit note ${creditNote.number}`,
        'Corrects invoice: INV-000001',
        `Refund: ${creditNote.refund ?? ''}`,
        'Total refunded KWD 4.690',
      ]) {
        expect(text).to.include(shownText);
      }
      expect(text).not.to.include('Плакат');
    });

    it('continues on as many sheets as its line items need, with headings on each', async () => {
      const name = 'A very long name '.repeat(14);
      const lineItems = Array.from({ length: 100 }, (_, index) => ({
        name: `${index + 1} ${name}`,
        quantity: 1_000_000,
        unitAmountMinorUnits: 90_000_000,
      }));

      const order = await makeOrder(tenant, { lineItems });
      const { pdf_url: url } = await invoiceOf(order.invoice.id);
      const text = await textOfPdf((await open(url)).bytes);
      const sheets = Number(/1 \/ (\d+)/.exec(text)?.[1]);
      expect(sheets).to.be.greaterThan(5);
      expect(text).to.include(`${sheets} / ${sheets}`);

      // The last sheet may hold only the totals.
      expect(text.match(/Unit price/g)?.length).to.be.within(sheets - 1, sheets);
      expect(text).to.include('100 A very long name');
      expect(text).to.include('Total paid €90,000,000,000,000.00');
    });
  }

  it('answers 404 to another secret, another id, or none', async () => {
    const path = new URL(invoice.pdf_url).pathname;
    const [, , id = '', file = ''] = path.split('/');
    const other = new URL(creditNote.pdf_url).pathname.split('/')[3] ?? '';
    for (const wrong of [
      `/documents/${id}/${other}`,
      `/documents/${id}/${file.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))}`,
      `/documents/${id}/${file.slice(1)}`,
      `/documents/${id}/${file.replace('.pdf', '')}`,
      `/documents/${id}`,
      `/documents/${id}/${file}/`,
      `/documents/inv_0000000000000000000000AB/${file}`,
      `/documents/inv_%00/${file}`,
    ]) {
      expect(codeOf(await visitor().get(wrong), 404), wrong).to.equal('not_found');
    }

    const posted = await visitor().post(path);
    expect(codeOf(posted, 405)).to.equal('method_not_allowed');
    expect(posted.headers['allow']).to.equal('GET, HEAD, OPTIONS');
  });

  it('writes the address of a PDF to no log', async () => {
    await open(invoice.pdf_url);
    const secret = /[0-9a-f]{32}/.exec(invoice.pdf_url)?.[0] ?? '';
    expect(secret).to.have.lengthOf(32);
    const lines = service.api.lines.filter((line) => line.includes('/documents/'));
    expect(lines).not.to.have.lengthOf(0);
    expect(lines.filter((line) => line.includes(secret))).to.deep.equal([]);
  });

  it('renders the PDF once for all who ask for it at once', async () => {
    const { pdf_url: url } = await invoiceOf((await makeOrder(tenant)).invoice.id);
    const replies = await Promise.all(Array.from({ length: 60 }, () => open(url)));
    expect(new Set(replies.map(({ status }) => status))).to.deep.equal(new Set([200]));
    const [first, ...others] = replies.map(({ bytes }) => bytes.toString('base64'));
    expect(new Set(others)).to.deep.equal(new Set([first]));
  });
});
