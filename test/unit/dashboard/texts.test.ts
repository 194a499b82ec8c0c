import { expect } from 'chai';
import { options as deOptions } from '../../../dashboard/src/texts/options-de.js';
import { options as enOptions } from '../../../dashboard/src/texts/options-en.js';
import { operators as deOperators } from '../../../dashboard/src/texts/operators-de.js';
import { de as deMembers } from '../../../dashboard/src/texts/de.js';
import { operators as enOperators } from '../../../dashboard/src/texts/operators-en.js';
import { en as enMembers } from '../../../dashboard/src/texts/en.js';
import type { RefusedReason, UnreachableReason } from '../../../src/domain/delivery/outcome.js';
import { chooseLanguage } from '../../../dashboard/src/texts/language.js';
import { fill } from '../../../dashboard/src/texts/text.js';

/** The texts of the dashboard and of the pages of operators. */
const en = { ...enMembers, operators: enOperators, options: enOptions };
const de = { ...deMembers, operators: deOperators, options: deOptions };

describe('texts of the dashboard', () => {
  it('fills names, chooses a form by count, and writes numbers with separators', () => {
    expect(fill('To {host}, {host}!', { host: 'a' })).to.equal('To a, a!');
    const plural = { one: '{count} type', other: '{count} types' };
    expect(fill(plural, { count: 1 })).to.equal('1 type');
    expect(fill(plural, { count: 12_345 })).to.equal('12,345 types');
  });

  it('does not replace names within a value', () => {
    expect(fill('Id {id}', { id: '{id} $&' })).to.equal('Id {id} $&');
  });

  it('German has the same keys, plural forms, and names in braces', () => {
    const english = textsOf(en);
    const german = textsOf(de);
    expect([...german.keys()]).to.have.members([...english.keys()]);
    for (const [key, words] of english) {
      expect(namesOf(german.get(key) ?? ''), key).to.deep.equal(namesOf(words));
    }
  });

  it('every reason why an attempt failed has a text', () => {
    const reasons: Readonly<Record<UnreachableReason | RefusedReason, string>> =
      en.deliveries.failures;
    expect(Object.keys(reasons)).to.have.lengthOf(17);
  });

  it('German texts address the reader as "Sie", with German quotes and no English word', () => {
    for (const [key, words] of textsOf(de)) {
      expect(words, key).not.to.match(/"|\b(?:du|dein\w*|dich|dir|the|of|and|is|your)\b/i);
    }
  });

  it('uses the language that the reader chose, else the first one that the browser prefers', () => {
    expect(chooseLanguage(null, ['fr-FR', 'de-AT', 'en'])).to.deep.equal({
      language: 'de',
      locale: 'de-AT',
    });
    expect(chooseLanguage('en', ['de'])).to.deep.equal({ language: 'en', locale: 'en' });
    expect(chooseLanguage('en', ['de', 'en-GB']).locale).to.equal('en-GB');
    for (const unknown of [[], ['fr'], ['']]) {
      expect(chooseLanguage('tlh', unknown)).to.deep.equal({ language: 'en', locale: 'en' });
    }
  });
});

/** Every text by its path; the forms of a plural are one each. */
function textsOf(texts: object): ReadonlyMap<string, string> {
  const byPath = new Map<string, string>();
  const walk = (part: object, path: string) => {
    for (const [name, value] of Object.entries(part) as [string, object | string][]) {
      if (typeof value === 'string') byPath.set(`${path}${name}`, value);
      else walk(value, `${path}${name}.`);
    }
  };
  walk(texts, '');
  return byPath;
}

function namesOf(words: string): readonly string[] {
  return [...words.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
}
