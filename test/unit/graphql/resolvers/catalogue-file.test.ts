import { expect } from 'chai';
import {
  parseCatalogue,
  parseEventType,
} from '../../../../src/graphql/resolvers/catalogue-file.js';
import { DomainError } from '../../../../src/domain/errors.js';

/** Why a file is refused. */
function refusalOf(text: string): string {
  for (const parse of [parseCatalogue, parseEventType]) {
    try {
      parse(text);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      expect(error.code).to.equal('validation_failed');
      if (parse === parseEventType) return error.errors[0]?.detail ?? '';
    }
  }
  throw new Error('the file was accepted');
}

describe('the file of a catalogue', () => {
  it('H141: refuses a file with an alias, also one in a key or of nothing', () => {
    for (const text of [
      'one: &x [1]\ntwo: *x',
      'two: *x',
      '- &x a\n- ? *x\n  : b',
      '{one: &x 1, two: {three: [*x]}}',
      '*x',
    ]) {
      expect(refusalOf(text), text).to.equal(
        'The file uses the alias *x. Write out the value instead.',
      );
    }
  });

  it('H141: refuses a file that is nested without end, and does not end the process', () => {
    for (const text of ['- ', '[', '{', '{a: ', '? ']) {
      expect(refusalOf(text.repeat(5_000)), text).to.match(/nested more than 100 levels deep/);
    }
  });

  it('accepts anchors that nothing uses, and texts that look like aliases', () => {
    const type = {
      id: 'shop.a',
      category: 'shop',
      summary: '*x',
      description: '- *x',
      offered: true,
      validation: 'warn',
    };
    const text = JSON.stringify({ event_types: [type] }).replace('"shop"', '&x "shop"');
    expect(parseCatalogue(text)).to.have.length(1);
  });
});
