import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Issue } from '../domain/errors.js';
import { storageProblem } from '../domain/text-issues.js';
import { entriesOf, formats } from './body-entries.js';
import { limitErrors } from './limit-errors.js';

/** Why a body is refused. */
export interface BodyIssues {
  readonly errors: readonly Issue[];
  /** True if GraphQL variables can hold the body: the domain then adds its own errors. */
  readonly wellFormed: boolean;
  /** The fields without an error, for the domain to validate. */
  readonly validFields: Readonly<Record<string, unknown>>;
}

/** Validates a parsed body; undefined if it is valid. */
export type ValidateBody = (body: unknown) => BodyIssues | undefined;

/** More than any object has fields. Without it, a body full of errors would get a larger response. */
const maxEntries = 100;

const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  verbose: true,
  // A test validates these schemas. Doing so here would cost as much as compiling them.
  meta: false,
  validateSchema: false,
});
limitErrors(ajv, maxEntries);
for (const [name, issuesOf] of Object.entries(formats)) {
  ajv.addFormat(name, (value: string) => issuesOf('', value).length === 0);
}

/** One entry stands for all invalid names. */
const invalidPropertyName: Issue = {
  code: 'invalid_value',
  detail: 'The name of a property must not contain a NUL character or a lone surrogate.',
};

/** Errors of these codes leave nothing that a GraphQL variable could hold. */
const malformedCodes: ReadonlySet<string> = new Set([
  'required',
  'invalid_type',
  'unknown_property',
]);

/** Compiles the schema of a request body; finds all errors at once. */
export function compileBody(schema: object): ValidateBody {
  const validate = ajv.compile(schema);
  const { properties = {} } = schema as { readonly properties?: object };
  const fields = Object.keys(properties);
  return (body) => {
    if (body === undefined) return rejectBody('required', 'A JSON body is required.');
    if (!isObject(body)) return rejectBody('invalid_type', 'The body must be a JSON object.');
    const textErrors = textErrorsOf(body, fields);
    if (validate(body) && textErrors.length === 0) return undefined;
    const schemaErrors = validate.errors ?? [];
    const errors = entriesFor(textErrors, schemaErrors);
    const wellFormed =
      // At the limit, some errors were not looked for.
      schemaErrors.length < maxEntries &&
      !schemaErrors.some(isNotRepresentable) &&
      errors.every(({ code }) => !malformedCodes.has(code));
    return { errors, wellFormed, validFields: pickValidFields(body, fields, errors) };
  };
}

function rejectBody(code: Issue['code'], detail: string): BodyIssues {
  return { errors: [{ code, detail }], wellFormed: false, validFields: {} };
}

function isObject(body: unknown): body is Readonly<Record<string, unknown>> {
  return body !== null && typeof body === 'object' && !Array.isArray(body);
}

/** GraphQL variables cannot hold additional members, unknown enum values, or numbers outside Int. */
function isNotRepresentable({ keyword, data }: ErrorObject): boolean {
  if (keyword === 'enum' || keyword === 'additionalProperties') return true;
  return (keyword === 'minimum' || keyword === 'maximum') && data !== (Number(data) | 0);
}

/** The fields of the body that have no error. */
function pickValidFields(
  body: Readonly<Record<string, unknown>>,
  fields: readonly string[],
  errors: readonly Issue[],
): Record<string, unknown> {
  const named = new Set(errors.map(({ param }) => param));
  const validFields = fields.filter((name) => Object.hasOwn(body, name) && !named.has(name));
  return Object.fromEntries(validFields.map((name) => [name, body[name]]));
}

function entriesFor(textErrors: Issue[], errors: readonly ErrorObject[]): Issue[] {
  const unstorableFields = new Set(textErrors.map(({ param }) => param));
  const schemaErrors = withoutDuplicates(errors).flatMap(entriesOf);
  return unique([
    ...textErrors,
    // Other errors of a text that cannot be stored do not matter.
    ...schemaErrors.filter(
      ({ param = '', code, detail }) =>
        storageProblem(param + detail) === undefined &&
        (malformedCodes.has(code) || !unstorableFields.has(param)),
    ),
  ]);
}

/** Checks the fields of the body, and at most `maxEntries` other names. */
function textErrorsOf(body: Readonly<Record<string, unknown>>, fields: readonly string[]): Issue[] {
  const others = Object.keys(body).filter((name) => !fields.includes(name));
  const known = fields.filter((name) => Object.hasOwn(body, name));
  return [...known, ...others.slice(0, maxEntries)].flatMap((name) => textError(name, body[name]));
}

function textError(param: string, value: unknown): Issue[] {
  // No JSON form of such a name is readable by every client, so it is not sent back.
  if (storageProblem(param) !== undefined) return [invalidPropertyName];
  const reason = unstorableInside(value);
  return reason === undefined ? [] : [{ code: 'invalid_value', detail: reason, param }];
}

function unstorableInside(value: unknown): string | undefined {
  if (typeof value === 'string') return storageProblem(value);
  if (value === null || typeof value !== 'object') return undefined;
  // The names of the items of a list are their indexes, which can always be stored.
  for (const [name, inner] of Object.entries(value)) {
    const reason = storageProblem(name) ?? unstorableInside(inner);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** A format reports all errors of a text; pattern and length would repeat them. */
function withoutDuplicates(errors: readonly ErrorObject[]): ErrorObject[] {
  const withFormatError = new Set(
    errors.filter(({ keyword }) => keyword === 'format').map(({ instancePath }) => instancePath),
  );
  return errors.filter(
    ({ keyword, instancePath }) =>
      !withFormatError.has(instancePath) || (keyword !== 'pattern' && keyword !== 'maxLength'),
  );
}

/** One entry per field and code: a format and a pattern may report the same error. */
function unique(errors: readonly Issue[]): Issue[] {
  const seen = new Map<string, Issue>();
  for (const error of errors) {
    const key = `${error.code} ${error.param ?? ''}`;
    if (!seen.has(key)) seen.set(key, error);
  }
  return [...seen.values()];
}
