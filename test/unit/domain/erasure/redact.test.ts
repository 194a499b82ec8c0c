import { expect } from 'chai';
import {
  mentionsOf,
  redactEvent,
  redactMentions,
  redactSale,
  redactText,
  redactTexts,
} from '../../../../src/domain/erasure/redact.js';

const mentions = mentionsOf('ann@shop.example');

describe('mentions of an address', () => {
  for (const text of [
    'ann@shop.example',
    'ANN@Shop.Example',
    'Ann <ann@shop.example>',
    'mailto:ann@shop.example.',
    'https://x.example/?mail=ann%40shop.example&a=1',
    'ann@shop.example, bob@shop.example',
  ]) {
    it(`finds the address in ${text}`, () => expect(mentions.find(text)).to.not.equal(undefined));
  }

  for (const text of [
    'joann@shop.example',
    'mary.ann@shop.example',
    'ann@shop.example.com',
    'ann@shop.examples',
    'ann@shopXexample',
    'ann@other.example',
    'ann',
  ]) {
    it(`does not find the address in ${text}`, () =>
      expect(mentions.find(text)).to.equal(undefined));
  }

  const spelled = mentionsOf('zoe@m\u00fcnchen.example');

  for (const text of [
    'zoe@m\u00fcnchen.example',
    'Zoe <ZOE@xn--mnchen-3ya.example>',
    'mail zoe@MU\u0308NCHEN.example.',
    'https://x.example/?mail=zoe%40m%C3%BCnchen.example&a=1',
    'zoe@mu%cc%88nchen.example',
    'to:zoe@m\u00fcnchen.example_2026',
    'other zoe@shop.example and zoe@xn--mnchen-3ya.example',
    'zoe@xn--mnchen-3ya.example\u3078',
    // A text that puts no space between an address and its next word.
    'zoe@m\u00fcnchen.example\u3078\u9001\u308b',
    'zoe@mu\u0308nchen.example\u3078\u9001\u308b',
    'zoe@mu\u0308nchen.example_2026',
    'zoe%40mu%cc%88nchen.example%E3%81%B8',
  ]) {
    it(`H274: finds the address in ${text}`, () =>
      expect(spelled.find(text)).to.not.equal(undefined));
  }

  for (const text of [
    'zoe@munchen.example',
    'joe.zoe@m\u00fcnchen.example',
    'zoe@xn--mnchen-3ya.example.com',
    'zoe@mu\u0308nchen.examples',
    'zoe@m\u00fcnchen.example\u0301',
    'zoe@mu\u0308nchen.example\u0301',
    'zoe@%ff.example',
    'zoe@',
  ]) {
    it(`H274: does not find the address in ${text}`, () =>
      expect(spelled.find(text)).to.equal(undefined));
  }

  const punycode = mentionsOf('zoe@xn--mnchen-3ya.example');
  it('H274: a mention ends before a letter that no domain can continue with, in any spelling', () => {
    const found = punycode.find('Mail an zoe@m\u00fcnchen.example\u3078\u9001\u308b');
    expect(found).to.equal('zoe@m\u00fcnchen.example');
  });

  it('finds the address in JSON after an escaped character, which belongs to no address', () => {
    for (const text of ['See\n', 'See\t', 'See "', 'See \\', '\u0001']) {
      expect(mentions.isIn(JSON.stringify(`${text}ann@shop.example`)), text).to.equal(true);
    }
    expect(mentions.isIn(JSON.stringify('See\\nann@shop.example'))).to.equal(false);
  });

  it('H274: replaces a text that is only the address, however its domain is spelled', () => {
    for (const text of ['ZOE@xn--mnchen-3ya.example', 'zoe@mu\u0308nchen.example']) {
      expect(redactText(text, spelled)).to.equal('erased@erased.invalid');
    }
  });

  it('replaces a mention by something of the same kind', () => {
    expect(redactText('ANN@shop.example', mentions)).to.equal('erased@erased.invalid');
    expect(redactText('https://x.example/ann%40shop.example', mentions)).to.equal(
      'https://erased.invalid/',
    );
    expect(redactText('for ann@shop.example', mentions)).to.equal('erased');
    expect(redactText('for bob@shop.example', mentions)).to.equal('for bob@shop.example');
  });

  it('replaces mentions in names and values of any depth, and nothing else', () => {
    const value = { a: [1, null, { 'ann@shop.example': true, b: 'x ann@shop.example' }], c: 'd' };
    expect(redactMentions(value, mentions)).to.deep.equal({
      a: [1, null, { 'erased@erased.invalid': true, b: 'erased' }],
      c: 'd',
    });
  });
});

describe('the data of a sale', () => {
  it('erases what people entered, and keeps ids, amounts and the country', () => {
    const data = {
      order: { id: 'ord_1', object: 'order', title: 'kept' },
      buyer: { email: 'ann@shop.example', name: 'Ann', country: 'DE' },
      offer: { object: 'offer', title: 'For Ann', message: 'Dear Ann', recipient_email: 'a@b.c' },
      metadata: { to: 'Ann' },
      amount: 12,
      note: 'Ann asked',
      buyer_email: null,
    };

    expect(redactSale(data, mentions)).to.deep.equal({
      order: { id: 'ord_1', object: 'order', title: 'kept' },
      buyer: { email: 'erased@erased.invalid', name: null, country: 'DE' },
      offer: {
        object: 'offer',
        title: 'erased',
        message: null,
        recipient_email: 'erased@erased.invalid',
      },
      metadata: {},
      amount: 12,
      note: null,
      buyer_email: null,
    });
  });
});

describe('data of an operator’s own event type', () => {
  const id = `ord_${'a'.repeat(24)}`;

  it('erases every text but ids, timestamps and those that the schema lists', () => {
    const schema = { properties: { state: { enum: ['sent'] }, list: { items: { const: 'x' } } } };
    const data = {
      state: 'sent',
      list: ['x'],
      id,
      at: '2026-01-01T00:00:00.000Z',
      n: 1,
      city: 'Ulm',
    };
    expect(redactTexts(data, schema)).to.deep.equal({ ...data, city: 'erased' });
  });

  it('takes texts of the example where it has some', () => {
    const data = { to: 'ann@shop.example', items: [{ sku: 'a' }, { sku: 'b' }] };
    expect(redactTexts(data, {}, { items: [{ sku: 'sku-1' }] })).to.deep.equal({
      to: 'erased@erased.invalid',
      items: [{ sku: 'sku-1' }, { sku: 'sku-1' }],
    });
  });

  it('erases names of members that mention the address, too', async () => {
    const data = { 'ann@shop.example': 1, n: 2 };
    const envelope = { type: 'shop.note', subject: 's', eventversion: 'v1', data };
    const redacted = await redactEvent(Buffer.from(JSON.stringify(envelope)), {
      mentions,
      isSale: false,
      erasedAt: new Date(0),
      schemas: new Map(),
    });
    expect(redacted?.body.toString()).to.include('"data":{"erased@erased.invalid":1,"n":2}');
  });
});
