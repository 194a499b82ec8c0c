import { expect } from 'chai';
import { buildSchema, parse, validate } from 'graphql';
import {
  checkLiterals,
  rejectUnstorableBody,
  variablesOfEvents,
} from '../../../src/graphql/validation.js';

describe('variablesOfEvents', () => {
  const named = (text: string) => [...variablesOfEvents(text)];

  it('names variables that are events, whole or in parts', () => {
    expect(named('mutation ($i: [E!]!) { publishEvents(input: $i) { id } }')).to.deep.equal(['i']);
    const parts = 'mutation ($a: E!, $d: J!) { publishEvents(input: [$a, { data: $d }]) { id } }';
    expect(named(parts)).to.deep.equal(['a', 'd']);
    const fragment = 'mutation ($i: I) { ...f } fragment f on M { x: publishEvents(input: $i) }';
    expect(named(fragment)).to.deep.equal(['i']);
  });

  it('names no variable that something else uses, too', () => {
    for (const text of [
      'mutation ($i: I) { publishEvents(input: $i, atomic: $i) { id } }',
      'mutation ($i: I) { publishEvents(input: $i) { id } publishEvent(input: $i) { id } }',
      'mutation ($i: I) { publishEvents(input: $i) @include(if: $i) { id } }',
      'mutation ($i: I) { a(input: $i) publishEvents(input: []) { id } }',
      'mutation ($i: I) { publishEvents { a(input: $i) } }',
    ]) {
      expect(named(text), text).to.deep.equal([]);
    }
  });

  it('names no variable of a text that the server refuses', () => {
    const text = 'mutation ($i: I) { publishEvents(input: $i) { id }';
    expect(named(text)).to.deep.equal([]);
    expect(named(`${text} ${'a '.repeat(1_000)} }`)).to.deep.equal([]);
  });
});

describe('rejectUnstorableBody', () => {
  const rejected = (body: object) => {
    const text = JSON.stringify(body);
    const parsed = JSON.parse(text) as { query?: unknown; variables?: unknown };
    return () => rejectUnstorableBody(parsed.query, parsed.variables, Buffer.from(text));
  };

  const query = 'mutation ($i: [E!]!, $a: B) { publishEvents(input: $i, atomic: $a) { id } }';

  it('leaves unstorable events to publishEvents, and refuses all other unstorable text', () => {
    const variables = { i: [{ subject: '\0' }, { data: { a: '\ud800' } }] };
    expect(rejected({ query, variables })).not.to.throw();
    expect(rejected({ query, variables: { ...variables, a: '\0' } })).to.throw();
    expect(rejected({ query, variables: { ...variables, other: '\0' } })).to.throw();
    expect(rejected({ query: `${query} # \0`, variables })).to.throw();
    expect(rejected({ query: query.replace('Events', 'Event'), variables })).to.throw();
    expect(rejected({ variables })).to.throw();
  });
});

describe('checkLiterals', () => {
  const schema = buildSchema(
    'scalar JSON type Thing { name(of: JSON): String } type Query { thing: Thing }',
  );

  const literals = (text: string) =>
    validate(schema, parse(text), [checkLiterals]).map(({ message }) => message);

  it('H92: refuses NUL in a literal', () => {
    expect(literals('{ thing { name(of: "a\\u0000b") } }')).to.deep.equal([
      'Must not contain a NUL character.',
    ]);
  });

  it('H92: refuses the key __proto__ in a literal', () => {
    expect(literals('{ thing { name(of: { __proto__: 1 }) } }')).to.deep.equal([
      'Must not contain the key __proto__.',
    ]);
  });

  it('accepts all other text in a literal', () => {
    expect(literals('{ thing { name(of: { proto: "é🎉\\n" }) } }')).to.deep.equal([]);
  });
});
