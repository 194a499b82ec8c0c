import {
  BREAK,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

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
