import { expect } from 'chai';
import fc from 'fast-check';
import { maxSuccessUrlLength, thankYouUrl } from '../../../src/domain/checkout/thank-you-url.js';

const shop = 'https://shop.example.com/thanks';

describe('thankYouUrl', () => {
  it('keeps the merchant’s query byte for byte and encodes every JSON type (8.3 vector 1)', () => {
    const metadata = { customer_id: '42', 'k y': 'v é&=', n: 7, obj: { a: 1 }, nil: null };
    const url = thankYouUrl(`${shop}?a=1%202&order=spoof&b=x+y#top`, {
      order: 'ord_8sKq2Vn4Lx',
      metadata,
      affiliate: 'partner-9',
    });
    expect(url).to.equal(
      `${shop}?a=1%202&b=x+y&order=ord_8sKq2Vn4Lx&metadata%5Bcustomer_id%5D=42&metadata%5Bk%20y%5D=v%20%C3%A9%26%3D&metadata%5Bn%5D=7&metadata%5Bobj%5D=%7B%22a%22%3A1%7D&metadata%5Bnil%5D=&affiliate=partner-9#top`,
    );
    expect(url).to.have.length(229);
  });

  it('A38: leaves out a key that does not fit, keeps the ones behind it (8.3 vector 2)', () => {
    const metadata = { blob: 'x'.repeat(1_990), customer_id: '42' };
    const url = thankYouUrl(shop, { order: 'ord_8sKq2Vn4Lx', metadata });
    expect(url).to.equal(
      `${shop}?order=ord_8sKq2Vn4Lx&metadata%5Bcustomer_id%5D=42&metadata_truncated=true`,
    );
    expect(url).to.have.length(105);
  });

  it('A37: allows exactly 2,000 characters, and one more sets the flag (8.3 vector 3)', () => {
    const full = thankYouUrl('https://s.example/t', {
      order: 'ord_1',
      metadata: { m: 'x'.repeat(1_952) },
    });
    expect(full).to.have.length(2_000);
    expect(full).not.to.contain('metadata_truncated');
    const cut = thankYouUrl('https://s.example/t', {
      order: 'ord_1',
      metadata: { m: 'x'.repeat(1_953) },
    });
    expect(cut).to.equal('https://s.example/t?order=ord_1&metadata_truncated=true');
    expect(cut).to.have.length(55);
  });

  it('A39, A40: drops parameters of its own names, keeps order_id and order_uuid', () => {
    const own =
      'order=1&%6Frder=2&affiliate=a&metadata_truncated=1&metadata[x]=1&metadata%5By%5D=2';
    const url = thankYouUrl(`${shop}?order_id=7&${own}&order_uuid=8&flag&&%zz=1`, {
      order: 'ord_1',
      metadata: {},
    });
    expect(url).to.equal(`${shop}?order_id=7&affiliate=a&order_uuid=8&flag&&%zz=1&order=ord_1`);
  });

  it('A40: replaces the merchant’s affiliate by that of the buyer, and keeps it when there is none', () => {
    const own = `${shop}?affiliate=own&%61ffiliate=2&b=1`;
    const thankYou = { order: 'ord_1', metadata: {} };
    expect(thankYouUrl(own, thankYou)).to.equal(`${own}&order=ord_1`);
    for (const affiliate of [null, undefined]) {
      expect(thankYouUrl(own, { ...thankYou, affiliate })).to.equal(`${own}&order=ord_1`);
    }
    expect(thankYouUrl(own, { ...thankYou, affiliate: 'p-9' })).to.equal(
      `${shop}?b=1&order=ord_1&affiliate=p-9`,
    );
  });

  it('drops the affiliate, then everything, when a success URL leaves no room', () => {
    const tight = `https://s.example/${'p'.repeat(1_960)}`;
    const thankYou = { order: 'ord_1', metadata: {}, affiliate: 'partner-with-a-long-name' };
    expect(thankYouUrl(tight, thankYou)).to.equal(`${tight}?order=ord_1`);
    const full = `https://s.example/${'p'.repeat(1_982)}`;
    expect(thankYouUrl(full, thankYou)).to.equal(full);
  });

  it('stays within 2,000 characters and reads back as what went in, with any metadata', () => {
    const json = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.dictionary(fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }), { maxKeys: 3 }),
    );
    const maps = fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), json, {
      maxKeys: 20,
    });
    const urls = fc
      .webUrl({ withQueryParameters: true, withFragments: true })
      .filter((url) => url.length <= maxSuccessUrlLength);
    fc.assert(
      fc.property(urls, maps, fc.option(fc.constant('p-9')), (url, metadata, affiliate) => {
        const made = thankYouUrl(url, {
          order: 'ord_1',
          metadata,
          affiliate: affiliate ?? undefined,
        });
        expect(made.length).to.be.at.most(2_000);
        const read = new URL(made).searchParams;
        expect(read.getAll('order')).to.deep.equal(['ord_1']);
        expect(read.get('affiliate')).to.equal(affiliate);
        let left = 0;
        for (const [key, value] of Object.entries(metadata)) {
          const got = read.get(`metadata[${key}]`);
          const whole =
            typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
          if (got === null) left += 1;
          else expect(got).to.equal(whole);
        }
        expect(read.has('metadata_truncated')).to.equal(left > 0);
        expect(new URL(made).hash).to.equal(new URL(url).hash);
      }),
    );
  });
});
