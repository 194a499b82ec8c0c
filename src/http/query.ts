import { type IssueCode, type Issue, validationFailed } from '../domain/errors.js';
import { storageProblem } from '../domain/values/text.js';

/** A query parameter of the contract. */
export interface Parameter {
  readonly name: string;
  readonly schema: {
    readonly type: string;
    readonly enum?: readonly string[];
    readonly minimum?: number;
    readonly maximum?: number;
    readonly default?: unknown;
  };
}

/** The parameters of a request, typed and with defaults filled in. */
export type Query = Readonly<Record<string, unknown>>;

/**
 * Compiles the parameters of an operation into a reader. It refuses unknown, repeated and empty
 * parameters and clamps nothing.
 * @returns a reader that throws DomainError validation_failed with all errors at once
 */
export function compileQuery(parameters: readonly Parameter[]): (search: string) => Query {
  const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  const defaults = Object.fromEntries(
    parameters.flatMap(({ name, schema }) =>
      schema.default === undefined ? [] : [[name, schema.default] as const],
    ),
  );

  return (search) => {
    if (search === '') return defaults;

    const query: Record<string, unknown> = { ...defaults };
    const sent = new URLSearchParams(search);
    const errors = [...new Set(sent.keys())].flatMap((name): Issue[] => {
      const parameter = byName.get(name);
      if (!parameter) return [unknown(name)];
      const [value = '', ...more] = sent.getAll(name);
      if (more.length > 0) return [issue('invalid_value', 'Must be sent exactly once.', name)];
      if (value === '') return [issue('invalid_value', 'Must not be empty.', name)];
      const read = readValue(parameter, value);
      if ('code' in read) return [read];
      query[name] = read.value;
      return [];
    });
    if (errors.length > 0) throw validationFailed(errors);

    return query;
  };
}

/** A name that cannot be stored is not repeated: whoever keeps the answer could not store it either. */
function unknown(name: string): Issue {
  const code = 'unknown_parameter';
  if (storageProblem(name) === undefined) return issue(code, 'Is an unknown parameter.', name);
  return { code, detail: 'A parameter with a NUL character in its name is unknown.' };
}

/** Largest GraphQL Int. Where the contract sets no maximum, a larger number has the same effect. */
const largestInt = 2_147_483_647;

function readValue({ name, schema }: Parameter, text: string): { value: unknown } | Issue {
  if (schema.type === 'integer') {
    if (!/^-?\d+$/.test(text)) return issue('invalid_type', 'Must be an integer.', name);

    const value = Number(text);
    const { minimum = -Infinity, maximum = Infinity } = schema;
    if (value < minimum || value > maximum) {
      const range = maximum === Infinity ? `${minimum}` : `${minimum} to ${maximum}`;
      return issue('out_of_range', `Must be from ${range}.`, name);
    }

    return { value: Math.min(value, largestInt) };
  }

  if (schema.enum && !schema.enum.includes(text)) {
    return issue('invalid_value', `Must be one of: ${schema.enum.join(', ')}.`, name);
  }

  return { value: text };
}

function issue(code: IssueCode, detail: string, param: string): Issue {
  return { code, detail, param };
}
