import { parse, specifiedRules, validate } from 'graphql';
import { buildSchema } from '../../src/graphql/schema.js';
import { parseOptions, validationRules } from '../../src/graphql/server.js';
import { readDocuments, operationOf } from './operation-documents.js';
import { printPortalDocuments, printTrustedDocuments } from './print-client-documents.js';
import { whyInterpreted } from './why-interpreted.js';

/**
 * Generates the documents of the internal interface by name, and says of all known documents which graphql-js
 * interprets, and why. Checks each, also those of former releases, as `/graphql` checks a text.
 * @throws Error for a document that the service would refuse, or that is not named after its file
 */
export async function printKnownDocuments(root: string): Promise<string> {
  const named = readDocuments(root, 'schema/internal', {
    folder: 'schema/internal',
    members: new Map(),
  });

  for (const document of named) operationOf(document, document.id);

  const internal = Object.fromEntries(named.map(({ id, text }) => [id, text]));
  const manifests = [
    JSON.stringify(internal),
    await printTrustedDocuments(root, 'dashboard'),
    await printPortalDocuments(root),
    await printTrustedDocuments(root, 'dashboard/operators'),
    await printTrustedDocuments(root, 'cli'),
  ];

  const texts = Object.assign({}, ...manifests.map((json) => JSON.parse(json) as object)) as Record<
    string,
    string
  >;

  return `// Made by "npm run generate" from schema/internal and the documents of the clients; changes belong there.

/** The documents of \`/graphql\` that clients call by name. */
export const internalDocuments: ReadonlyMap<string, string> = ${print(internal)};

/** Known documents that graphql-jit would answer otherwise than graphql-js, and why, by id. */
export const interpreted: ReadonlyMap<string, string> = ${print(reasonsOf(texts))};
`;
}

function reasonsOf(texts: Readonly<Record<string, string>>): Record<string, string> {
  const schema = buildSchema();
  const reasons: Record<string, string> = {};
  for (const [id, text] of Object.entries(texts)) {
    const document = parse(text, parseOptions);
    const [error] = validate(schema, document, [...specifiedRules, ...validationRules]);
    if (error) throw new Error(`${id}: ${error.message}`);
    const why = whyInterpreted(schema, document);
    if (why !== undefined) reasons[id] = why;
  }
  return reasons;
}

function print(members: Readonly<Record<string, string>>): string {
  const lines = Object.entries(members).map((entry) => `  ${JSON.stringify(entry)},\n`);
  return `new Map([\n${lines.join('')}])`;
}
