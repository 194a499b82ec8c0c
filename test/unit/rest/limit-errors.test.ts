import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { limitErrors } from '../../../src/rest/validation.js';

const validateWith = (schema: object, value: unknown) => {
  const ajv = new Ajv2020({ allErrors: true, strict: true });
  limitErrors(ajv, 10);
  const validate = ajv.compile(schema);
  const valid = validate(value);
  return { valid, errors: validate.errors ?? [] };
};
const list = { type: 'array', items: { type: 'string' } };
const closed = {
  type: 'object',
  properties: { a: { type: 'integer' }, list },
  additionalProperties: false,
};

describe('keywords with bounds', () => {
  it('validate as JSON Schema says', () => {
    expect(validateWith(list, ['a', 'b']).valid).to.equal(true);
    expect(validateWith(list, []).valid).to.equal(true);
    expect(
      validateWith(list, ['a', 1]).errors.map(({ instancePath }) => instancePath),
    ).to.deep.equal(['/1']);
    expect(validateWith(closed, { a: 1, list: ['a'] }).valid).to.equal(true);
    const [one] = validateWith(closed, { a: 1, b: 2 }).errors;
    expect(one?.params).to.deep.equal({ additionalProperty: 'b' });
    expect(validateWith({ type: 'object', additionalProperties: true }, { b: 2 }).valid).to.equal(
      true,
    );
  });

  it('stop looking for items and members that are wrong when there are many', () => {
    expect(validateWith(list, Array(100_000).fill(1)).errors).to.have.length(10);
    const members = Array.from({ length: 100_000 }, (_, index) => [`m${index}`, 1] as const);
    expect(validateWith(closed, Object.fromEntries(members)).errors).to.have.length(10);
  });

  it('still find what is wrong elsewhere', () => {
    const members = Array.from({ length: 100 }, (_, index) => [`m${index}`, 1] as const);
    const body = { ...Object.fromEntries(members), a: 'text', list: Array(100).fill(1) };
    const both = { type: 'object', properties: { first: closed, second: closed } };
    const paths = validateWith(both, { first: body, second: body }).errors.map(
      (e) => e.instancePath,
    );
    expect(paths).to.include.members(['/first/a', '/first/list/0', '/second/a', '/second/list/0']);
    expect(paths).to.include('/second').and.to.have.length.below(15);
  });
});
