import { expect } from 'chai';
import { en } from '../../../dashboard/src/texts/en.js';
import { fill, type Texts } from '../../../dashboard/src/texts/text.js';

describe('texts of the dashboard', () => {
  it('fill names, choose a form by count, and write numbers with separators', () => {
    expect(fill('To {host}, {host}!', { host: 'a' })).to.equal('To a, a!');
    const plural = { one: '{count} type', other: '{count} types' };
    expect(fill(plural, { count: 1 })).to.equal('1 type');
    expect(fill(plural, { count: 12_345 })).to.equal('12,345 types');
  });

  it('do not read a value as a text with names', () => {
    expect(fill('Id {id}', { id: '{id} $&' })).to.equal('Id {id} $&');
  });

  it('have sentences of at most 25 words', () => {
    const sentences = textsOf(en).flatMap((text) => text.split(/(?<=[.?!]) /));
    expect(sentences.filter((sentence) => sentence.split(' ').length > 25)).to.deep.equal([]);
  });
});

function textsOf(texts: Texts | string | object): string[] {
  return typeof texts === 'string'
    ? [texts]
    : Object.values(texts).flatMap((each: object | string) => textsOf(each));
}
