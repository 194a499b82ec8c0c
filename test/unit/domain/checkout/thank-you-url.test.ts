import { expect } from 'chai';
import fc from 'fast-check';
import { maxSuccessUrlLength, thankYouUrl } from '../../../../src/domain/checkout/thank-you-url.js';

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

  it('A38: leaves out a key that does not fit, and keeps the ones behind it (8.3 vector 2)', () => {
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

  it('A39, A40: drops parameters with its own names, and keeps order_id and order_uuid', () => {
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

  it('stays within 2,000 characters and reads back as it was written, with any metadata', () => {
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

/** A parameter of a success URL as it is written, and whether we replace it. */
interface Written {
  readonly text: string;
  readonly ours: 'always' | 'with an affiliate' | 'never';
}

const order = 'ord_0VbZhtKiBcfsY4EwJ2DNPZIF';
const runs = { numRuns: 300 };

/** What a URL may hold but for the marks of its parts, broken escapes included. */
const loose = (maxLength: number) =>
  fc
    .array(
      fc.constantFrom(
        ...Array.from("aZ09-._~!$'()*,;:@/?%+[]|^`{}"),
        '%20',
        '%F0%9F%98%80',
        '%E0%A4',
      ),
      {
        maxLength,
      },
    )
    .map((characters) => characters.join(''));

/** A text with each character as it is or percent-encoded. */
const spelled = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((encoded) =>
      Array.from(text, (character, index) =>
        encoded[index] ? `%${character.charCodeAt(0).toString(16)}` : character,
      ).join(''),
    );

const merchants = fc.tuple(loose(12), fc.option(loose(20))).map(([name, value]): Written => ({
  text: `q_${name}${value === null ? '' : `=${value}`}`,
  ours: 'never',
}));
const misnamed = fc
  .tuple(
    fc
      .constantFrom('order', 'affiliate', 'metadata_truncated', 'metadata[x]', 'metadata[]')
      .chain((name) => fc.tuple(fc.constant(name), spelled(name))),
    fc.option(loose(20)),
  )
  .map(([[name, text], value]): Written => ({
    text: `${text}${value === null ? '' : `=${value}`}`,
    ours: name === 'affiliate' ? 'with an affiliate' : 'always',
  }));
const kept = fc
  .constantFrom('order_id=7', 'order_uuid=8', 'orders=1', 'Order=1', 'metadata=1', '', 'affiliates')
  .map((text): Written => ({ text, ours: 'never' }));

const successUrls = fc
  .record({
    path: loose(30).map((text) => text.replaceAll('?', '')),
    parameters: fc.array(fc.oneof(merchants, misnamed, kept), { maxLength: 12 }),
    fragment: fc.option(
      loose(20).map((text) => `#${text}`),
      { nil: '' },
    ),
    /** Fills up to the longest that a checkout takes. */
    full: fc.boolean(),
  })
  .map(({ path, parameters, fragment, full }) => {
    const query = parameters.map(({ text }) => text).join('&');
    const tail = `${path}${query === '' ? '' : `?${query}`}${fragment}`;
    const base = 'https://shop.example/';
    const room = maxSuccessUrlLength - base.length - tail.length;
    const filling = full ? 'p'.repeat(Math.max(0, room)) : '';
    return {
      url: `${base}${filling}${tail}`,
      parameters: query === '' ? [] : parameters,
      fragment,
    };
  });

/** The merchant's parameters that stay. */
const merchantOf = (parameters: readonly Written[], affiliate: string | null) =>
  parameters
    .filter(({ ours }) => ours === 'never' || (ours !== 'always' && affiliate === null))
    .map(({ text }) => text);

/** Any text of JavaScript, halves of surrogate pairs too. */
const anyText = (maxLength: number) =>
  fc.oneof(
    fc.string({ unit: 'binary', maxLength }),
    fc.string({ unit: 'grapheme', maxLength }),
    fc
      .array(fc.integer({ min: 0xd7f0, max: 0xe010 }), { maxLength })
      .map((codes) => String.fromCharCode(...codes)),
  );
const values = fc.oneof(
  anyText(40),
  fc.integer({ min: 1, max: 2_100 }).map((length) => '🎉'.repeat(length / 2)),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.oneof(anyText(5), fc.integer()), { maxLength: 4 }),
  fc.dictionary(anyText(5), anyText(5), { maxKeys: 3 }),
);
const thankYou = fc.record({
  metadata: fc.dictionary(anyText(20), values, { maxKeys: 40 }),
  affiliate: fc.option(fc.stringMatching(/^[A-Za-z0-9._~-]{1,64}$/)),
});

const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd');
const writtenValue = (value: unknown) =>
  wellFormed(value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value));

/** The parts of a URL, found only by their delimiters. */
function partsOf(url: string): { parameters: string[]; fragment: string } {
  const [, query = '', fragment = ''] = /^[^?#]*(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
  return { parameters: query.split('&'), fragment };
}

describe('every thank-you URL', () => {
  const everyUrl = (
    check: (
      made: { url: string; parameters: string[]; fragment: string; ours: string[][] },
      given: { merchant: string[]; fragment: string } & {
        metadata: Record<string, unknown>;
        affiliate: string | null;
      },
    ) => void,
  ) =>
    fc.assert(
      fc.property(successUrls, thankYou, (success, given) => {
        fc.pre(success.url.length <= maxSuccessUrlLength);
        const made = thankYouUrl(success.url, { order, ...given });
        const { parameters, fragment } = partsOf(made);
        const merchant = merchantOf(success.parameters, given.affiliate);
        const ours = parameters
          .slice(merchant.length)
          .map((pair) => pair.split('=').map((part) => decodeURIComponent(part)));
        const { fragment: written } = success;
        check({ url: made, parameters, fragment, ours }, { merchant, fragment: written, ...given });
      }),
      runs,
    );

  it('A37: a thank-you URL has at most 2,000 characters, with any metadata', () => {
    everyUrl(({ url }) => expect(url.length).to.be.at.most(2_000));
  });

  it('keeps the merchant’s parameters and fragment byte for byte, in order, in front', () => {
    everyUrl(({ parameters, fragment }, given) => {
      expect(parameters.slice(0, given.merchant.length)).to.deep.equal(given.merchant);
      expect(fragment).to.equal(given.fragment);
    });
  });

  it('has the order once, then metadata in stored order, then affiliate and flag', () => {
    everyUrl(({ ours }, { metadata, affiliate }) => {
      const names = ours.map(([name]) => name);
      const stored = Object.keys(metadata).map((key) => wellFormed(`metadata[${key}]`));
      const carried = names.slice(1).filter((name) => name?.startsWith('metadata['));
      const left = carried.length < stored.length;

      expect(ours[0]).to.deep.equal(['order', order]);

      expect(names).to.deep.equal([
        'order',
        ...carried,
        ...(affiliate === null ? [] : ['affiliate']),
        ...(left ? ['metadata_truncated'] : []),
      ]);

      let from = -1;

      for (const name of carried) {
        from = stored.indexOf(name ?? '', from + 1);
        expect(from, name).to.be.at.least(0);
      }
    });
  });

  it('A38: cuts no value, no escape and no character', () => {
    everyUrl(({ url, parameters, ours }, { merchant, metadata, affiliate }) => {
      for (const parameter of parameters.slice(merchant.length)) {
        expect(parameter).to.match(/^(?:[A-Za-z0-9_.~=-]|%[0-9A-F]{2})+$/);
      }
      const whole = Object.entries(metadata).map(
        ([key, value]) => `${wellFormed(`metadata[${key}]`)}=${writtenValue(value)}`,
      );
      for (const [name = '', value] of ours) {
        if (name.startsWith('metadata[')) expect(whole).to.include(`${name}=${value ?? ''}`);
        if (name === 'affiliate') expect(value).to.equal(affiliate);
        if (name === 'metadata_truncated') expect(value).to.equal('true');
      }
      expect(() => new URL(url)).not.to.throw();
    });
  });

  it('A38: leaves out only what does not fit', () => {
    everyUrl(({ url, ours }, { metadata }) => {
      const carried = new Set(ours.map(([name]) => name));
      for (const [key, value] of Object.entries(metadata)) {
        const name = wellFormed(`metadata[${key}]`);
        if (carried.has(name)) continue;
        const needed = [name, writtenValue(value)].map(
          (text) => encodeURIComponent(text).replace(/[!'()*]/g, '%00').length,
        );
        // With the separator and the equals sign.
        expect(url.length + (needed[0] ?? 0) + (needed[1] ?? 0) + 2).to.be.above(2_000);
      }
    });
  });

  it('builds a URL from ten thousand metadata keys', () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`k${index}`, `v${index}`]),
    );
    const made = thankYouUrl('https://s.example/t', { order, metadata });
    expect(made.length).to.be.within(1_990, 2_000);
    expect(made).to.match(/&metadata_truncated=true$/);
  });
});
