import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { emailFaults } from '../domain/endpoint/email.js';
import { checkTarget } from '../domain/endpoint/target.js';
import type { ErrorEntry } from '../domain/errors.js';
import { unstorable } from '../domain/text.js';

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

/**
 * The formats of the contract. Private targets pass here: whether they are allowed is a setting,
 * which the domain knows.
 */
const formats: Readonly<Record<string, (param: string, value: string) => ErrorEntry[]>> = {
  'https-url': (_, value) => checkTarget(value, { kind: 'private' }),
  mailbox: (param, value) => emailFaults(param, value),
};

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, verbose: true });
for (const [name, faultsOf] of Object.entries(formats)) {
  ajv.addFormat(name, (value: string) => faultsOf('', value).length === 0);
}

/** Codes of faults that leave nothing a GraphQL variable could hold. */
const malformed: ReadonlySet<string> = new Set(['required', 'invalid_type', 'unknown_property']);

/** More than any field list has: a body of nothing but faults is not answered with a larger one. */
const maxEntries = 100;

/** Compiles the schema of a request body; all faults are found at once (contract part 3). */
export function compileBody(schema: object): ValidateBody {
  const validate = ajv.compile(schema);
  return (body) => {
    const errors = bodyErrors(validate, body);
    if (errors.length === 0) return undefined;
    const unheld = validate.errors?.some(isUnheld) ?? false;
    const wellFormed = !unheld && errors.every(({ code }) => !malformed.has(code));
    return { errors, wellFormed, sound: soundOf(body, errors) };
  };
}

/** Of an enum a GraphQL variable holds no other value, and of numbers an Int only small ones. */
function isUnheld({ keyword, data }: ErrorObject): boolean {
  if (keyword === 'enum') return true;
  return (keyword === 'minimum' || keyword === 'maximum') && data !== (Number(data) | 0);
}

function soundOf(body: unknown, errors: readonly ErrorEntry[]): Record<string, unknown> {
  const named = new Set(errors.map(({ param }) => param));
  // An entry without a field is about all of them; where entries were left out, so may any be.
  if (named.has(undefined) || errors.length === maxEntries) return {};
  return Object.fromEntries(Object.entries(body as object).filter(([name]) => !named.has(name)));
}

function bodyErrors(validate: ValidateFunction, body: unknown): ErrorEntry[] {
  if (body === undefined) return [{ code: 'required', detail: 'A JSON body is required.' }];
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    return [{ code: 'invalid_type', detail: 'The body must be a JSON object.' }];
  }
  const textErrors = Object.entries(body).flatMap(([name, value]) => textError(name, value));
  if (validate(body) && textErrors.length === 0) return [];
  if (textErrors.length + (validate.errors?.length ?? 0) > maxEntries) {
    const some = [
      ...textErrors,
      ...(validate.errors ?? []).slice(0, maxEntries).flatMap(entriesOf),
    ];
    return unique(some).slice(0, maxEntries);
  }
  const unreadable = new Set(textErrors.map(({ param }) => param));
  const found = withoutEchoes(validate.errors ?? []).flatMap(entriesOf);
  return unique([
    ...textErrors,
    // Of a text that cannot be stored it does not matter what else it is.
    ...found.filter(({ param, code }) => malformed.has(code) || !unreadable.has(param)),
  ]);
}

function textError(param: string, value: unknown): ErrorEntry[] {
  const reason = unstorable(param) ?? unstorableInside(value);
  return reason === undefined ? [] : [{ code: 'invalid_value', detail: reason, param }];
}

function unstorableInside(value: unknown): string | undefined {
  if (typeof value === 'string') return unstorable(value);
  if (value === null || typeof value !== 'object') return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const reason = unstorable(name) ?? unstorableInside(inner);
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

/** The public form of one fault; `param` is the field of the body, however deep the fault lies. */
function entriesOf(error: ErrorObject): ErrorEntry[] {
  const [, field = '', item, member] = error.instancePath
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  const named = error.params as Readonly<Record<string, string>>;
  // A member that is missing or too many is no part of the path yet.
  const name = named['missingProperty'] ?? named['additionalProperty'];
  if (item === undefined) return fieldEntries(error, name ?? field);
  const where = [`Item ${Number(item) + 1}`, member ?? name].filter(Boolean).join(', ');
  const entries = fieldEntries(error, field);
  return entries.map((entry) => ({ ...entry, detail: `${where}: ${entry.detail}` }));
}

function fieldEntries(
  { keyword, params, data, parentSchema }: ErrorObject,
  param: string,
): ErrorEntry[] {
  const named = params as Readonly<Record<string, string | number | readonly string[]>>;
  switch (keyword) {
    case 'required':
      return [{ code: 'required', detail: 'Is required.', param }];
    case 'additionalProperties': {
      const detail = 'Is not a property of this request.';
      return [{ code: 'unknown_property', detail, param }];
    }
    case 'type': {
      const { items } = (parentSchema ?? {}) as { readonly items?: { readonly type?: string } };
      const types = typeNames(named['type']) + (items ? ` of ${items.type ?? 'value'}s` : '');
      return [{ code: 'invalid_type', detail: `Must be ${types}.`, param }];
    }
    case 'minimum': {
      const detail = `Must be at least ${Number(named['limit']).toLocaleString('en')}.`;
      return [{ code: 'out_of_range', detail, param }];
    }
    case 'maximum': {
      const detail = `Must be at most ${Number(named['limit']).toLocaleString('en')}.`;
      return [{ code: 'out_of_range', detail, param }];
    }
    case 'enum': {
      const values = (named['allowedValues'] ?? []) as readonly string[];
      return [{ code: 'invalid_value', detail: `Must be one of: ${values.join(', ')}.`, param }];
    }
    case 'minItems':
      return [{ code: 'too_few_items', detail: 'Must have at least 1 item.', param }];
    case 'maxLength': {
      const detail = `Must be at most ${Number(named['limit']).toLocaleString('en')} characters.`;
      return [{ code: 'too_long', detail, param }];
    }
    case 'pattern':
      return [{ code: 'invalid_format', detail: 'Does not have the form of this field.', param }];
    case 'format':
      return formats[String(named['format'])]?.(param, String(data)) ?? [];
    default:
      return [{ code: 'invalid_value', detail: 'Is not a value that this field takes.', param }];
  }
}

const names: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'a boolean',
  array: 'an array',
  null: 'null',
  integer: 'an integer',
  object: 'an object',
};

function typeNames(types: unknown): string {
  const all = (Array.isArray(types) ? types : [types]) as readonly string[];
  return all.map((type) => names[type] ?? type).join(' or ');
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
