import { type GraphQLSchema, parse, specifiedRules, validate } from 'graphql';
import { whyInterpreted } from '../../scripts/generate/why-interpreted.js';
import { KnownDocuments } from '../../src/graphql/known-documents.js';
import { parseOptions, validationRules } from '../../src/graphql/server.js';

/**
 * The documents of a release that knows `query` by the id `known`, as `npm run generate` lists it.
 * @returns undefined for a text that `npm run generate` refuses
 */
export function releaseWith(schema: GraphQLSchema, query: string): KnownDocuments | undefined {
  try {
    const document = parse(query, parseOptions);
    const rules = [...specifiedRules, ...validationRules];
    if (validate(schema, document, rules).length > 0) return undefined;
    const why = whyInterpreted(schema, document);
    const reasons = new Map(why === undefined ? [] : [['known', why]]);
    return new KnownDocuments(schema, new Map([['known', query]]), reasons);
  } catch {
    return undefined;
  }
}
