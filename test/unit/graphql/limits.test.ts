import { expect } from 'chai';
import { buildSchema, parse, validate } from 'graphql';
import { limitOperations } from '../../../src/graphql/limits.js';

const schema = buildSchema(`
  scalar JSON
  type Thing { id: ID! name(of: JSON): String next: Thing parts(limit: Int = 20): [Thing!]! }
  type Query { things(limit: Int = 20): [Thing!]! thing: Thing }
`);
const rule = limitOperations({ depth: 4, aliases: 2, directives: 1, cost: 100 });

const refusals = (text: string) =>
  validate(schema, parse(text), [rule]).map(({ message }) => message);

describe('limitOperations', () => {
  it('accepts an operation that reaches every limit', () => {
    expect(refusals('{ a: thing { next { b: next { id @skip(if: false) } } } }')).to.deep.equal([]);
  });

  it('refuses an operation that is too deep', () => {
    expect(refusals('{ thing { next { next { next { id } } } } }')).to.deep.equal([
      "The operation's depth must be at most 4.",
    ]);
  });

  it('counts aliases through fragments, as often as they are spread', () => {
    const query = (times: number) =>
      `{ thing { ${'...f '.repeat(times)} } } fragment f on Thing { a: id }`;
    expect(refusals(query(2))).to.deep.equal([]);
    expect(refusals(query(3))).to.deep.equal(["The operation's aliases must be at most 2."]);
  });

  it('refuses an operation with too many directives', () => {
    expect(refusals('{ thing { id @skip(if: false) name @skip(if: false) } }')).to.deep.equal([
      "The operation's directives must be at most 1.",
    ]);
  });

  it('counts a field once for each item of its list', () => {
    expect(refusals('{ things { id name next { id } } }')).to.deep.equal([]);
    expect(refusals('{ things(limit: 49) { id name } }')).to.deep.equal([]);
    const refused = ["The operation's cost must be at most 100."];
    expect(refusals('{ things(limit: 50) { id name } }')).to.deep.equal(refused);
    expect(refusals('query q($n: Int) { things(limit: $n) { id } }')).to.deep.equal(refused);
    expect(refusals('{ things { id name next { id next { id } } } }')).to.deep.equal(refused);
  });

  it('multiplies a list within a list, through fragments too', () => {
    const refused = ["The operation's cost must be at most 100."];
    expect(refusals('{ thing { parts(limit: 49) { id name } } }')).to.deep.equal([]);
    expect(refusals('{ thing { parts(limit: 50) { id name } } }')).to.deep.equal(refused);
    expect(refusals('{ things(limit: 9) { parts(limit: 10) { id } } }')).to.deep.equal([]);
    expect(refusals('{ things(limit: 10) { parts(limit: 10) { id } } }')).to.deep.equal(refused);
    const spread = '{ thing { ...f } } fragment f on Thing { parts(limit: 50) { id name } }';
    expect(refusals(spread)).to.deep.equal(refused);
  });

  it('ends on fragments that spread themselves or are unknown', () => {
    const query = '{ thing { ...f ...g } } fragment f on Thing { id ...f }';
    expect(refusals(query)).to.deep.equal([]);
  });

  it('stays fast when fragments double their size at every step', () => {
    const fragments = Array.from(
      { length: 60 },
      (_, index) => `fragment f${index} on Thing { ...f${index + 1} ...f${index + 1} }`,
    );
    const query = `{ thing { ...f0 } } ${fragments.join(' ')} fragment f60 on Thing { id }`;
    expect(refusals(query)).to.deep.equal(["The operation's cost must be at most 100."]);
  });

  it('does not measure introspection', () => {
    const query = '{ __schema { types { fields { type { ofType { ofType { name } } } } } } }';
    expect(refusals(query)).to.deep.equal([]);
  });
});
