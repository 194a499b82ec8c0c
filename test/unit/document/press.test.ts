import { expect } from 'chai';
import { Press } from '../../../src/document/press.js';
import type { InvoiceDocument } from '../../../src/domain/commerce/invoice-document.js';
import { Totals } from '../../../src/domain/commerce/totals.entity.js';
import { Refused } from '../../../src/rest/problem.js';

const totals = Object.assign(new Totals(), {
  currency: 'EUR',
  subtotalMinorUnits: 300,
  discountMinorUnits: 0,
  shippingMinorUnits: 0,
  taxMinorUnits: 0,
  totalMinorUnits: 300,
});
const invoice: InvoiceDocument = {
  type: 'invoice',
  number: 'INV-000001',
  corrects: null,
  issuedAt: new Date('2026-11-21T12:00:00.000Z'),
  seller: 'Tea Ltd',
  buyer: { email: 'buyer@example.com', name: null, country: null },
  orderId: 'ord_1',
  paymentId: 'pay_1',
  refundId: null,
  lineItems: [],
  totals,
};

describe('the press', () => {
  let press: Press;
  beforeEach(() => {
    press = new Press();
  });
  afterEach(() => press.close());

  const numbered = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...invoice, number: `INV-${index}` }));

  it('sets a document once, for however many ask for it at once or later', async function () {
    this.timeout(20_000);
    const first = await press.print(invoice);
    expect(first.subarray(0, 5).toString()).to.equal('%PDF-');
    const others = await Promise.all(numbered(60).map(() => press.print({ ...invoice })));
    expect(new Set([first, ...others]).size).to.equal(1);
    const fresh = await Promise.all(
      numbered(60).map(() => press.print({ ...invoice, seller: 'Coffee Ltd' })),
    );
    expect(new Set(fresh).size).to.equal(1);
    expect(fresh[0]?.equals(first), 'what it says has changed').to.equal(false);
  });

  it('refuses what more than can wait ask for, and sets it later', async function () {
    this.timeout(20_000);
    const all = numbered(30);
    const ends = await Promise.allSettled(all.map((each) => press.print(each)));
    const refused = ends.filter((end) => end.status === 'rejected');
    expect(refused).to.have.length(10);
    for (const { reason } of refused) {
      expect(reason).to.be.instanceOf(Refused).and.include({ code: 'service_unavailable' });
    }
    expect((await press.print(all[29] ?? invoice)).subarray(0, 5).toString()).to.equal('%PDF-');
  });

  it('remembers the documents that were asked for last, and no more than 20', async function () {
    this.timeout(20_000);
    const first = await press.print(invoice);
    const others: Buffer[] = [];
    for (const each of numbered(19)) others.push(await press.print(each));
    expect(await press.print(invoice)).to.equal(first);
    await press.print({ ...invoice, number: 'INV-20' });
    expect(await press.print(invoice)).to.equal(first);
    const [forgotten = invoice, kept = invoice] = numbered(2);
    expect(await press.print(kept)).to.equal(others[1]);
    const again = await press.print(forgotten);
    expect(again === others[0], 'it is set anew').to.equal(false);
    expect(again.equals(others[0] ?? first), 'the same bytes').to.equal(true);
  });
});
