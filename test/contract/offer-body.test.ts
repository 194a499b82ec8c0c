import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { contract } from '../../src/http/rest/contract.js';

describe('the body of an offer in schema/openapi.yaml', () => {
  it('says what the service refuses', () => {
    const ajv = new Ajv2020({ strict: false });
    ajv.addFormat('mailbox', true);

    const validate = ajv.compile(contract['commerce.offers.create'].body!.schema);
    const item = { name: 'Poster', quantity: 1, unit_amount_minor_units: 1_900 };
    const offer = {
      recipient_email: 'a@b.example',
      title: 'T',
      currency: 'EUR',
      line_items: [item],
    };

    expect(validate(offer)).to.equal(true);

    const whole = {
      ...item,
      product_id: 'prod_Abc1',
      tax_percentage: '19.00',
      name: 'x'.repeat(250),
    };

    expect(validate({ ...offer, line_items: Array(100).fill(whole) })).to.equal(true);
    expect(validate({ ...offer, title: '' })).to.equal(false);
    expect(validate({ ...offer, line_items: Array(101).fill(item) })).to.equal(false);

    for (const changes of [
      { name: '' },
      { name: 'x'.repeat(251) },
      { product_id: '7' },
      { product_id: `prod_${'a'.repeat(65)}` },
      { tax_percentage: '19%' },
    ]) {
      const body = { ...offer, line_items: [{ ...item, ...changes }] };
      expect(validate(body), JSON.stringify(changes).slice(0, 50)).to.equal(false);
    }
  });
});
