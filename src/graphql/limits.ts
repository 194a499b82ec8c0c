import {
  type ASTVisitor,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  GraphQLError,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';

/** Maximum size of an operation on /graphql, with fragments expanded. */
export interface OperationLimits {
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  /** A cost of one per field, multiplied by the items of its list. */
  readonly cost: number;
}

/** Enough for our own tools; bounds the statements of one request. */
export const operationLimits: OperationLimits = {
  depth: 8,
  aliases: 30,
  directives: 10,
  cost: 5_000,
};

/** The largest page. The cost assumes it if a variable sets the page size. */
const largestPage = 100;

/** The arguments that set the page size. */
const pageSizeArguments: ReadonlySet<string> = new Set(['limit', 'perPage']);

const zeroSize: OperationLimits = { depth: 0, aliases: 0, directives: 0, cost: 0 };

/**
 * Refuses operations larger than `limits`. Does not measure introspection: graphql-js limits it,
 * and it requires an internal credential.
 */
export function limitOperations(limits: OperationLimits): ValidationRule {
  return (context: ValidationContext): ASTVisitor => ({
    OperationDefinition(operation: OperationDefinitionNode) {
      const size = new Measure(context.getDocument(), context.getSchema()).of(operation);
      for (const measure of ['depth', 'aliases', 'directives', 'cost'] as const) {
        if (size[measure] <= limits[measure]) continue;
        const message = `The operation's ${measure} must be at most ${limits[measure]}.`;
        context.reportError(new GraphQLError(message, { nodes: operation }));
      }
    },
  });
}

/** The type that a selection selects from; undefined if the document is not valid. */
type Parent = GraphQLNamedType | undefined;

class Measure {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Each fragment is measured once, however often it is used. One that includes itself counts once. */
  readonly #measured = new Map<string, OperationLimits>();
  readonly #schema: GraphQLSchema;

  constructor({ definitions }: DocumentNode, schema: GraphQLSchema) {
    this.#schema = schema;
    const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
    this.#fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  }

  of({ operation, selectionSet, directives }: OperationDefinitionNode): OperationLimits {
    const root = this.#schema.getRootType(operation) ?? undefined;
    return add(this.#selections(selectionSet, root), zeroSize, directives?.length);
  }

  #selections({ selections }: SelectionSetNode, parent: Parent): OperationLimits {
    let sum = zeroSize;
    for (const node of selections) {
      const inner =
        node.kind === Kind.FIELD
          ? this.#field(node, parent)
          : node.kind === Kind.INLINE_FRAGMENT
            ? this.#selections(node.selectionSet, parent)
            : this.#fragment(node.name.value);
      sum = add(sum, inner, node.directives?.length);
    }
    return sum;
  }

  #field(node: FieldNode, parent: Parent): OperationLimits {
    const aliases = node.alias ? 1 : 0;
    if (node.name.value.startsWith('__')) return { ...zeroSize, aliases, cost: 1 };
    const field = isObjectType(parent) ? parent.getFields()[node.name.value] : undefined;
    const type = field && getNamedType(field.type);
    const inner = node.selectionSet ? this.#selections(node.selectionSet, type) : zeroSize;
    return {
      ...inner,
      depth: inner.depth + 1,
      aliases: inner.aliases + aliases,
      cost: 1 + itemsOf(node, field) * inner.cost,
    };
  }

  #fragment(name: string): OperationLimits {
    const measured = this.#measured.get(name);
    if (measured) return measured;

    this.#measured.set(name, zeroSize);
    const fragment = this.#fragments.get(name);
    const type = fragment && this.#schema.getType(fragment.typeCondition.name.value);
    const size = fragment ? this.#selections(fragment.selectionSet, type) : zeroSize;
    this.#measured.set(name, size);
    return size;
  }
}

/** The number of items of a list that has a page size, at any depth; 1 for any other field. */
function itemsOf(
  { arguments: given }: FieldNode,
  field: GraphQLField<unknown, unknown> | undefined,
): number {
  const size = field?.args.find((argument) => pageSizeArguments.has(argument.name));
  if (!size) return 1;
  const value = given?.find((argument) => argument.name.value === size.name)?.value;
  if (!value) return Number(size.defaultValue);
  return value.kind === Kind.INT ? Math.max(1, Number(value.value)) : largestPage;
}

function add(one: OperationLimits, other: OperationLimits, directives = 0): OperationLimits {
  return {
    depth: Math.max(one.depth, other.depth),
    aliases: one.aliases + other.aliases,
    directives: one.directives + other.directives + directives,
    cost: one.cost + other.cost,
  };
}
