import { expect } from 'chai';
import { getNamedType, type GraphQLInputObjectType, isInputObjectType, parse } from 'graphql';
import { whyInterpreted } from '../../../scripts/generate/known-documents.js';
import { buildSchema } from '../../../src/graphql/schema.js';

const schema = buildSchema();
const why = (text: string) => whyInterpreted(schema, parse(text));

describe('whyInterpreted', () => {
  it('allows compiling operations that send their values as variables', () => {
    const publish =
      'mutation p($input: PublishEventInput!) { publishEvent(input: $input) { id created } }';
    const publishAll =
      'mutation p($input: [PublishEventInput!]!) { publishEvents(input: $input, atomic: true) { id created error { code detail param } } }';
    const list =
      'query l($of: ID) { webhookDeliveries(account: $of, status: failed, limit: 50) { data { id endpoint { url } } } }';
    expect([publish, publishAll, list].map(why)).to.deep.equal([undefined, undefined, undefined]);
  });

  it('says why a document must not be compiled', () => {
    expect({
      text: why('{ order(id: "ord_1") { id } }'),
      default: why('query ($id: ID = "ord_1") { order(id: $id) { id } }'),
      alias: why('{ valueOf: accounts { id } }'),
      variable: why('query ($constructor: ID!) { order(id: $constructor) { id } }'),
      introspection: why('{ __schema { queryType { name } } }'),
      fields: why('{ accounts { id } deadLetters { id } }'),
      fragment: why('{ ...f } fragment f on Query { accounts { id } }'),
      size: why(`{ accounts { ${'id '.repeat(200)} } }`),
    }).to.deep.equal({
      text: 'a string literal',
      default: 'a string literal',
      alias: 'a name of JavaScript objects',
      variable: 'a name of JavaScript objects',
      introspection: 'introspection',
      fields: 'several root fields',
      fragment: 'several root fields',
      size: 'too many selections',
    });
  });

  it('stays fast when fragments double their size at every step', () => {
    const fragments = Array.from(
      { length: 60 },
      (_, index) => `fragment f${index} on Account { ...f${index + 1} ...f${index + 1} }`,
    );
    const text = `{ accounts { ...f0 } } ${fragments.join(' ')} fragment f60 on Account { id }`;
    expect(why(text)).to.equal('too many selections');
  });
});

describe('the schema', () => {
  it('the schema has no input type that contains itself: graphql-jit would never finish compiling one', () => {
    const check = (type: GraphQLInputObjectType, inside: readonly string[]) => {
      expect(inside).not.to.include(type.name);
      for (const field of Object.values(type.getFields())) {
        const inner = getNamedType(field.type);
        if (isInputObjectType(inner)) check(inner, [...inside, type.name]);
      }
    };
    for (const type of Object.values(schema.getTypeMap())) {
      if (isInputObjectType(type)) check(type, []);
    }
  });
});
