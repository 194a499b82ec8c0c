import {
  type DocumentNode,
  getOperationAST,
  type GraphQLSchema,
  parse,
  specifiedRules,
  validate,
  BREAK,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { compile } from '../../src/graphql/execute.js';
import { buildSchema } from '../../src/graphql/schema.js';
import { parseOptions, validationRules } from '../../src/graphql/validation.js';
import {
  readDocuments,
  operationOf,
  printPortalDocuments,
  printDocumentManifest,
} from './documents.js';

/**
 * Generates the documents of the internal interface by name, and the ids of all known documents that may be compiled.
 * Checks each document, also those of former releases, as `/graphql` checks a text.
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
    await printDocumentManifest(root, 'dashboard'),
    await printPortalDocuments(root),
    await printDocumentManifest(root, 'dashboard/operators'),
    await printDocumentManifest(root, 'cli'),
  ];

  const texts = Object.assign({}, ...manifests.map((json) => JSON.parse(json) as object)) as Record<
    string,
    string
  >;

  const { compilable, interpreted } = sortByExecution(texts);

  return `// Made by "npm run generate" from schema/internal and the documents of the clients; changes belong there.

/** The documents of \`/graphql\` that clients call by name. */
export const internalDocuments: ReadonlyMap<string, string> = new Map([
${lines(Object.entries(internal).map((entry) => `  ${JSON.stringify(entry)},`))}]);

/** The ids of known documents that graphql-jit answers as graphql-js does. Only these are compiled. */
export const compilable: ReadonlySet<string> = new Set([
${lines(compilable)}]);

// Interpreted, and why:
${lines(interpreted)}`;
}

/** Divides known documents into those that may be compiled and those that are interpreted, one line for each. */
function sortByExecution(texts: Readonly<Record<string, string>>) {
  const schema = buildSchema();
  const compilable: string[] = [];
  const interpreted: string[] = [];

  for (const [id, text] of Object.entries(texts)) {
    const document = parse(text, parseOptions);
    const [error] = validate(schema, document, [...specifiedRules, ...validationRules]);
    if (error) throw new Error(`${id}: ${error.message}`);

    const name = getOperationAST(document)?.name?.value ?? '';
    const why = whyInterpreted(schema, document) ?? whyNotCompiled(schema, document);
    if (why === undefined) compilable.push(`  "${id}", // ${name}`);
    else interpreted.push(`// ${id} (${name}): ${why}`);
  }

  return { compilable, interpreted };
}

/** The reason that graphql-jit gives; undefined if it compiles the document. */
function whyNotCompiled(schema: GraphQLSchema, document: DocumentNode): string | undefined {
  const { run } = compile(schema, document);
  return typeof run === 'string' ? run : undefined;
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}

/** Each selection becomes about 2 kB of code. */
const maxSelections = 200;

/**
 * Says why graphql-jit must not compile a known document; undefined if it may. It answers a document as graphql-js
 * does if all of this holds:
 * - Only integers, booleans, enum values and null are literals. graphql-jit writes literals into
 *   code and turns some texts into expressions, so a text could run as code in this process.
 * - No name is a member of every JavaScript object, such as `constructor`.
 * - There is one root field, so an error of it is the only one, and no other change follows it.
 * - A mutation resolves only its root field, so graphql-js never has to run a query in its place.
 * - There are no directives, which change the order of members.
 * - It does not introspect the schema, which needs a permission.
 * - It has few selections, with fragments expanded.
 */
export function whyInterpreted(schema: GraphQLSchema, document: DocumentNode): string | undefined {
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const [operation] = operations;
  if (operations.length !== 1 || !operation) return 'several operations';
  const { selections } = operation.selectionSet;
  if (selections.length !== 1 || selections[0]?.kind !== Kind.FIELD) return 'several root fields';
  if (countSelections(document, operation) > maxSelections) return 'too many selections';
  return whyNodeInterpreted(schema, document, operation);
}

function whyNodeInterpreted(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): string | undefined {
  let why: string | undefined;
  const stop = (reason: string) => {
    why = reason;
    return BREAK;
  };

  const types = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(types, {
    Directive: () => stop('directives'),
    StringValue: () => stop('a string literal'),
    FloatValue: () => stop('a float literal'),
    ListValue: () => stop('a list literal'),
    ObjectValue: () => stop('an object literal'),
    // Also the names of all aliases, variables and fragments.
    Name: ({ value }) =>
      value in Object.prototype ? stop('a name of JavaScript objects') : undefined,
    Field: ({ name: { value } }) => {
      if (value === '__schema' || value === '__type') return stop('introspection');
      const isRoot = types.getParentType() === schema.getRootType(operation.operation);
      const resolves = !isRoot && types.getFieldDef()?.resolve !== undefined;
      if (resolves && operation.operation !== OperationTypeNode.QUERY && value !== '__typename') {
        return stop('resolvers below a mutation');
      }
      return undefined;
    },
  });

  visit(document, visitor);

  return why;
}

/** Counts selections with fragments expanded. Stops once there are more than {@link maxSelections}. */
function countSelections(
  { definitions }: DocumentNode,
  operation: OperationDefinitionNode,
): number {
  const fragments = new Map<string, FragmentDefinitionNode>();

  for (const node of definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  }

  let count = 0;
  const add = (set: SelectionSetNode | undefined) => {
    for (const node of set?.selections ?? []) {
      if ((count += 1) > maxSelections) return;
      add(
        node.kind === Kind.FRAGMENT_SPREAD
          ? fragments.get(node.name.value)?.selectionSet
          : node.selectionSet,
      );
    }
  };

  add(operation.selectionSet);

  return count;
}
