import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { ErrorEntry } from '../domain/errors.js';
import { unstorable } from '../domain/text.js';
import { entriesOf, formats } from './body-entries.js';
import { boundKeywords } from './bounded-keywords.js';

/** What a body was refused for. */
export interface BodyFaults {
  readonly errors: readonly ErrorEntry[];
  /** True: the domain can still be asked, and names these faults and its own together. */
  readonly wellFormed: boolean;
  /** The properties of which nothing was said: the domain may have something to say. */
  readonly sound: Readonly<Record<string, unknown>>;
}

/** Judges a parsed body; undefined when nothing is wrong. */
export type ValidateBody = (body: unknown) => BodyFaults | undefined;

/** More than any field list has: a body of nothing but faults is not answered with a larger one. */
const maxEntries = 100;

const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  verbose: true,
  // The schemas are those of the contract, whose own form a test judges: here it would cost as much
  // as compiling them.
  meta: false,
  validateSchema: false,
});
boundKeywords(ajv, maxEntries);
for (const [name, faultsOf] of Object.entries(formats)) {
  ajv.addFormat(name, (value: string) => faultsOf('', value).length === 0);
}

/** Of all names that hold what no text may, once. */
const unspeakable: ErrorEntry = {
  code: 'invalid_value',
  detail: 'The name of a property must not contain a NUL character or a lone surrogate.',
};

/** Codes of faults that leave nothing a GraphQL variable could hold. */
const malformed: ReadonlySet<string> = new Set(['required', 'invalid_type', 'unknown_property']);

/** Compiles the schema of a request body; all faults are found at once (contract part 3). */
export function compileBody(schema: object): ValidateBody {
  const validate = ajv.compile(schema);
  const { properties = {} } = schema as { readonly properties?: object };
  const fields = Object.keys(properties);
  return (body) => {
    if (body === undefined) return refuseWhole('required', 'A JSON body is required.');
    if (!isObject(body)) return refuseWhole('invalid_type', 'The body must be a JSON object.');
    const textErrors = textErrorsOf(body, fields);
    if (validate(body) && textErrors.length === 0) return undefined;
    const found = validate.errors ?? [];
    const errors = entriesFor(textErrors, found);
    const wellFormed =
      // Where so many were found, some were not looked for.
      found.length < maxEntries &&
      !found.some(isUnheld) &&
      errors.every(({ code }) => !malformed.has(code));
    return { errors, wellFormed, sound: soundOf(body, fields, errors) };
  };
}

function refuseWhole(code: ErrorEntry['code'], detail: string): BodyFaults {
  return { errors: [{ code, detail }], wellFormed: false, sound: {} };
}

function isObject(body: unknown): body is Readonly<Record<string, unknown>> {
  return body !== null && typeof body === 'object' && !Array.isArray(body);
}

/** A GraphQL variable holds no other member; of an enum no other value; and of numbers an Int only small ones. */
function isUnheld({ keyword, data }: ErrorObject): boolean {
  if (keyword === 'enum' || keyword === 'additionalProperties') return true;
  return (keyword === 'minimum' || keyword === 'maximum') && data !== (Number(data) | 0);
}

/** Every field that has a fault is named, however many there are. */
function soundOf(
  body: Readonly<Record<string, unknown>>,
  fields: readonly string[],
  errors: readonly ErrorEntry[],
): Record<string, unknown> {
  const named = new Set(errors.map(({ param }) => param));
  const sound = fields.filter((name) => Object.hasOwn(body, name) && !named.has(name));
  return Object.fromEntries(sound.map((name) => [name, body[name]]));
}

function entriesFor(textErrors: ErrorEntry[], errors: readonly ErrorObject[]): ErrorEntry[] {
  const unreadable = new Set(textErrors.map(({ param }) => param));
  const found = withoutEchoes(errors).flatMap(entriesOf);
  return unique([
    ...textErrors,
    // Of a text that cannot be stored it does not matter what else it is.
    ...found.filter(
      ({ param = '', code, detail }) =>
        unstorable(param + detail) === undefined && (malformed.has(code) || !unreadable.has(param)),
    ),
  ]);
}

/** Of the fields of the body, and of as many other names as are refused at most. */
function textErrorsOf(
  body: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): ErrorEntry[] {
  const others = Object.keys(body).filter((name) => !fields.includes(name));
  const known = fields.filter((name) => Object.hasOwn(body, name));
  return [...known, ...others.slice(0, maxEntries)].flatMap((name) => textError(name, body[name]));
}

function textError(param: string, value: unknown): ErrorEntry[] {
  // Such a name has no form in JSON that every client reads: it is not sent back.
  if (unstorable(param) !== undefined) return [unspeakable];
  const reason = unstorableInside(value);
  return reason === undefined ? [] : [{ code: 'invalid_value', detail: reason, param }];
}

function unstorableInside(value: unknown): string | undefined {
  if (typeof value === 'string') return unstorable(value);
  if (value === null || typeof value !== 'object') return undefined;
  if (Array.isArray(value)) return firstOf(value, unstorableInside);
  for (const [name, inner] of Object.entries(value)) {
    const reason = unstorable(name) ?? unstorableInside(inner);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function firstOf(list: readonly unknown[], judge: typeof unstorableInside): string | undefined {
  for (const item of list) {
    const reason = judge(item);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** A format says all that is wrong with a text; pattern and length beside it would say it again. */
function withoutEchoes(errors: readonly ErrorObject[]): ErrorObject[] {
  const judged = new Set(
    errors.filter(({ keyword }) => keyword === 'format').map(({ instancePath }) => instancePath),
  );
  return errors.filter(
    ({ keyword, instancePath }) =>
      !judged.has(instancePath) || (keyword !== 'pattern' && keyword !== 'maxLength'),
  );
}

/** One entry for each field and code: a format and a pattern may say the same twice. */
function unique(errors: readonly ErrorEntry[]): ErrorEntry[] {
  const seen = new Map<string, ErrorEntry>();
  for (const error of errors) {
    const key = `${error.code} ${error.param ?? ''}`;
    if (!seen.has(key)) seen.set(key, error);
  }
  return [...seen.values()];
}
