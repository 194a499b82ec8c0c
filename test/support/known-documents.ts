import { type GraphQLSchema, parse, specifiedRules, validate } from 'graphql';
import { whyInterpreted } from '../../scripts/generate/why-interpreted.js';
import { KnownDocuments } from '../../src/graphql/known-documents.js';
import { parseOptions, validationRules } from '../../src/graphql/validation.js';

/** The documents of a release that knows these texts, compiled where `npm run generate` would list them. */
export function releaseOf(
  schema: GraphQLSchema,
  texts: ReadonlyMap<string, string>,
): KnownDocuments {
  const compilable = [...texts].filter(
    ([, text]) => whyInterpreted(schema, parse(text)) === undefined,
  );
  return new KnownDocuments(schema, texts, new Set(compilable.map(([id]) => id)));
}

/**
 * The documents of a release that knows `query` by the id `known`.
 * @returns undefined for a text that `npm run generate` refuses
 */
export function releaseWith(schema: GraphQLSchema, query: string): KnownDocuments | undefined {
  try {
    const document = parse(query, parseOptions);
    const rules = [...specifiedRules, ...validationRules];
    if (validate(schema, document, rules).length > 0) return undefined;
    return releaseOf(schema, new Map([['known', query]]));
  } catch {
    return undefined;
  }
}
