import { expect } from 'chai';
import { camelCased } from '../../../../src/http/rest/operations.js';

describe('camelCased', () => {
  it('keeps all values, and an absent member stays absent', () => {
    const body: { url: string; event_types: string[]; amount_minor_units?: number } = {
      url: 'u',
      event_types: ['a_b'],
    };
    const fields: { url: string; eventTypes: string[]; amountMinorUnits?: number } =
      camelCased(body);
    expect(fields).to.deep.equal({ url: 'u', eventTypes: ['a_b'] });
    expect(fields).not.to.have.property('amountMinorUnits');
    expect(camelCased({ amount_minor_units: 7 })).to.deep.equal({ amountMinorUnits: 7 });
  });
});
