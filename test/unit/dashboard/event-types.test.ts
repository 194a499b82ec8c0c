import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { schemaRows } from '../../../dashboard/src/pages/event-types/schema-rows.js';
import { repositoryRoot } from '../../support/repository.js';

const shown = (schema: object) =>
  schemaRows(schema).map(({ path, types, required }) => [path, types.join(' or '), required]);

describe('the members of a schema', () => {
  it('lists members with their types, each followed by its own members', () => {
    const schema = {
      required: ['id', 'lines'],
      properties: {
        id: { type: 'string', pattern: '^ord_', description: 'The order.' },
        lines: {
          type: 'array',
          minItems: 1,
          items: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } },
        },
        note: { type: ['string', 'null'] },
        any: true,
      },
    };

    expect(shown(schema)).to.deep.equal([
      ['id', 'string', true],
      ['lines', 'array of object', true],
      ['lines[].n', 'integer', true],
      ['note', 'string or null', false],
      ['any', '', false],
    ]);

    expect(schemaRows(schema)[0]).to.deep.include({
      description: 'The order.',
      rules: [{ kind: 'pattern', value: '^ord_' }],
    });

    expect(schemaRows(schema)[1]?.rules).to.deep.equal([{ kind: 'minItems', value: '1' }]);
  });

  it('follows references and joins alternatives', () => {
    const schema = {
      properties: {
        to: { $ref: '#/$defs/address' },
        back: { oneOf: [{ type: 'null' }, { $ref: '#/$defs/address' }] },
        both: { allOf: [{ required: ['a'] }, { properties: { a: { const: 1 } } }] },
      },
      $defs: { address: { type: 'object', required: ['zip'], properties: { zip: {} } } },
    };

    expect(shown(schema)).to.deep.equal([
      ['to', 'object', false],
      ['to.zip', '', true],
      ['back', 'null or object', false],
      ['back.zip', '', true],
      ['both', '', false],
      ['both.a', '', true],
    ]);
  });

  it('limits the members of a recursive or a large schema, and finds none in an invalid one', () => {
    const loop = { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: {} as object } };
    loop.$defs.a = { properties: { a: { $ref: '#/$defs/a' } }, allOf: [{ $ref: '#/$defs/a' }] };
    expect(schemaRows(loop).length).to.be.within(1, 1_000);
    const names = Array.from({ length: 2_000 }, (_, index) => [`m${index}`, {}] as const);
    expect(schemaRows({ properties: Object.fromEntries(names) })).to.have.length(1_000);
    for (const none of [null, true, 'x', [], { properties: [1] }]) {
      expect(schemaRows(none)).to.deep.equal([]);
    }
  });

  it('finds members in every built-in schema', () => {
    const folder = join(repositoryRoot, 'schema', 'events');
    for (const file of readdirSync(folder)) {
      const schema = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { required: string[] };
      const top = schemaRows(schema).filter(({ depth }) => depth === 0);
      expect(
        top.filter(({ required }) => required).map(({ name }) => name),
        file,
      ).to.have.members(schema.required);
    }
  });
});
