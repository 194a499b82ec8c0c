// What an operation must fulfil beyond graphql-js, before it runs: its text and variables can be stored, the document
// keeps the rules below, and large variables have the types that it declares.
//
// The text is parsed with a limit on tokens, and bodies are limited in bytes, so each check ends soon.
import {
  type ASTVisitor,
  type DocumentNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type OperationDefinitionNode,
  parse,
  typeFromAST,
  type ValidationContext,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import { validationFailed } from '../domain/errors.js';
import { jsonObjectIssues, storageProblem } from '../domain/values/text.js';
import { limitOperations, operationLimits } from './limits.js';
import { Json } from './scalars.js';

/** How the text of a document is parsed. */
export const parseOptions = { maxLexicalTokens: 1_000 };

/** The rules for documents in addition to those of graphql-js. */
export const validationRules = [
  checkOperationTypes,
  limitOperations(operationLimits),
  checkLiterals,
];

/** Refuses operation types that the schema lacks, such as subscriptions. */
function checkOperationTypes(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(node) {
      if (context.getSchema().getRootType(node.operation)) return;
      const message = `This schema has no ${node.operation} operations.`;
      context.reportError(new GraphQLError(message, { nodes: node }));
    },
  };
}

/**
 * Refuses literals in a document that PostgreSQL or UTF-8 cannot store. {@link rejectUnstorableBody} checks the
 * variables.
 */
export function checkLiterals(context: ValidationContext): ASTVisitor {
  const reject = (detail: string) => {
    const originalError = validationFailed([{ code: 'invalid_value', detail }]);
    context.reportError(new GraphQLError(detail, { originalError }));
  };

  return {
    StringValue({ value }) {
      const reason = storageProblem(value);
      if (reason !== undefined) reject(reason);
    },
    ObjectField({ name }) {
      if (name.value === '__proto__') reject('Must not contain the key __proto__.');
    },
  };
}

/** How JSON.stringify writes characters that cannot be stored, and the forbidden member name. */
const unstorablePattern = /\\u0000|\\ud[89a-f]|"__proto__":/;

/**
 * Refuses text that cannot be stored, anywhere in an operation, before GraphQL reads it. Leaves the
 * events of `publishEvents` to that mutation, which refuses each one separately.
 * @param query the text of the document
 * @param bytes the body as JSON in UTF-8
 * @throws DomainError validation_failed
 */
export function rejectUnstorableBody(query: unknown, variables: unknown, bytes: Buffer): void {
  const isMap = variables == null || (typeof variables === 'object' && !Array.isArray(variables));
  // JSON in UTF-8 writes what cannot be stored as an escape. Searching bytes takes a hundredth of
  // the time of stringifying, and stringifying a tenth of that of checking each value.
  const mayHoldUnstorable = bytes.includes('\\u') || bytes.includes('__proto__');
  const isStorable =
    !mayHoldUnstorable || !unstorablePattern.test(JSON.stringify([query, variables]));
  if (isMap && isStorable) return;

  const reason = typeof query === 'string' ? storageProblem(query) : undefined;
  const checked = isMap && typeof query === 'string' ? withoutEvents(query, variables) : variables;
  const issues = checked == null ? [] : jsonObjectIssues('variables', checked);

  if (reason !== undefined)
    issues.unshift({ code: 'invalid_value', detail: reason, param: 'query' });
  if (issues.length > 0) throw validationFailed(issues);
}

function withoutEvents(query: string, variables: object | null | undefined): unknown {
  const names = variablesOfEvents(query);
  if (names.size === 0) return variables;
  return Object.fromEntries(Object.entries(variables ?? {}).filter(([name]) => !names.has(name)));
}

const publishEvents = 'publishEvents';
const publishEventsInput = 'input';

/**
 * Names the variables that a document uses only as events of `publishEvents`, which checks each
 * event by itself.
 */
export function variablesOfEvents(text: string): ReadonlySet<string> {
  const document = text.includes(publishEvents) ? tryParse(text) : undefined;
  const events = new Set<string>();
  const others = new Set<string>();
  let field = '';
  let isEvent = false;

  if (document) {
    visit(document, {
      VariableDefinition: () => false,
      Field({ name }) {
        field = name.value;
      },
      Argument: {
        enter({ name }) {
          isEvent = field === publishEvents && name.value === publishEventsInput;
        },
        leave() {
          isEvent = false;
        },
      },
      Variable({ name }) {
        (isEvent ? events : others).add(name.value);
      },
    });
  }

  for (const name of others) events.delete(name);

  return events;
}

/** Returns undefined for a text that does not parse; the server then reports why. */
function tryParse(text: string): DocumentNode | undefined {
  try {
    return parse(text, { ...parseOptions, noLocation: true });
  } catch {
    return undefined;
  }
}

/**
 * Checks variables above this weight before graphql-js does. The weight is the number of values
 * plus the characters of texts and names.
 */
const maxUncheckedWeight = 1_000;

/** Names that a client sent are cut to this length in messages. */
const maxNameLength = 100;

/**
 * Returns the first error of large variables of the wrong type. graphql-js writes the whole value
 * into each of its errors: one body of 1 MB blocked the process for 0.4 s. For small variables and
 * for scalars of the wrong type, graphql-js writes its own errors.
 */
export function findVariableMismatch(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): GraphQLError | undefined {
  if (weightOf(variables, maxUncheckedWeight) <= maxUncheckedWeight) return undefined;

  for (const definition of variableDefinitions) {
    const error = mismatchOf(schema, definition, variables);
    if (error) return error;
  }

  return undefined;
}

function mismatchOf(
  schema: GraphQLSchema,
  definition: VariableDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): GraphQLError | undefined {
  const name = definition.variable.name.value;
  const type = typeFromAST(schema, definition.type);
  if (!isInputType(type) || !Object.hasOwn(variables, name)) return undefined;

  const reason = typeMismatch(variables[name], type, name);
  if (reason === undefined) return undefined;

  return new GraphQLError(`Variable "$${name}" got an invalid value${reason}`, {
    nodes: definition,
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
  });
}

/** Ends a message with where and why `value` does not match `type`; undefined if it may match. */
function typeMismatch(value: unknown, type: GraphQLInputType, path: string): string | undefined {
  if (isNonNullType(type)) {
    return value == null ? at(path, 'must not be null') : typeMismatch(value, type.ofType, path);
  }

  if (value == null) return undefined;

  if (isListType(type)) {
    if (!Array.isArray(value)) return typeMismatch(value, type.ofType, path);
    for (const [index, item] of value.entries()) {
      const reason = typeMismatch(item, type.ofType, `${path}[${index}]`);
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  if (!isInputObjectType(type)) {
    return typeof value === 'object' && type.name !== Json.name
      ? at(path, `must be of type ${type.name}`)
      : undefined;
  }

  if (typeof value !== 'object' || Array.isArray(value)) return at(path, 'must be an object');

  const fields = type.getFields();

  for (const name in value) {
    if (!Object.hasOwn(fields, name)) {
      return at(path, `has "${name.slice(0, maxNameLength)}", which ${type.name} does not have`);
    }
  }

  const members = value as Readonly<Record<string, unknown>>;

  for (const field of Object.values(fields)) {
    const member = members[field.name];
    if (member === undefined) {
      if (isRequiredInputField(field)) return at(path, `lacks "${field.name}"`);
      continue;
    }
    const reason = typeMismatch(member, field.type, `${path}.${field.name}`);
    if (reason !== undefined) return reason;
  }

  return undefined;
}

function at(path: string, reason: string): string {
  return `: ${path} ${reason}.`;
}

/** Counts values and characters; stops soon after `maximum`. */
function weightOf(value: unknown, maximum: number): number {
  if (typeof value === 'string') return 1 + value.length;
  if (typeof value !== 'object' || value === null) return 1;

  let weight = 1;
  for (const name in value) {
    if (!Array.isArray(value)) weight += name.length;
    weight += weightOf((value as Readonly<Record<string, unknown>>)[name], maximum - weight);
    if (weight > maximum) break;
  }
  return weight;
}
