import { expect } from 'chai';
import { compileNullStripper } from '../../../../src/http/rest/null-stripper.js';

const written = (omit: ((value: unknown) => void) | undefined, value: unknown) => {
  omit?.(value);
  return JSON.parse(JSON.stringify(value)) as unknown;
};

describe('compileNullStripper (H33, H58)', () => {
  const page = {
    type: 'object',
    required: ['has_more'],
    properties: { has_more: { type: 'boolean' }, next_cursor: { type: 'string' } },
  };

  it('removes a null where the contract says optional and not null', () => {
    expect(
      written(compileNullStripper(page), { has_more: false, next_cursor: null }),
    ).to.deep.equal({
      has_more: false,
    });
    expect(written(compileNullStripper(page), { has_more: true, next_cursor: 'a' })).to.deep.equal({
      has_more: true,
      next_cursor: 'a',
    });
  });

  it('keeps a null that is a value, and one that is required', () => {
    const schema = {
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'string' },
        b: { type: ['string', 'null'] },
        c: { oneOf: [{ type: 'object' }, { type: 'null' }] },
      },
    };

    expect(written(compileNullStripper(schema), { a: null, b: null, c: null })).to.deep.equal({
      a: null,
      b: null,
      c: null,
    });
  });

  it('reaches into lists, objects and alternatives', () => {
    const schema = {
      type: 'object',
      required: ['data', 'one'],
      properties: {
        data: { type: 'array', items: page },
        one: { oneOf: [page, { type: 'null' }] },
      },
    };

    const value = { data: [{ has_more: true, next_cursor: null }], one: { next_cursor: null } };
    expect(written(compileNullStripper(schema), value)).to.deep.equal({
      data: [{ has_more: true }],
      one: {},
    });

    expect(written(compileNullStripper(schema), { data: [], one: null })).to.deep.equal({
      data: [],
      one: null,
    });
  });

  it('compiles no stripper where no member is optional', () => {
    expect(
      compileNullStripper({ type: 'object', required: ['a'], properties: { a: {} } }),
    ).to.equal(undefined);
  });
});
