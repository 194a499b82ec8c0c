import { _, type CodeKeywordDefinition } from 'ajv';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import ajvNames from 'ajv/dist/compile/names.js';
import { Type } from 'ajv/dist/compile/util.js';
import { emailIssues } from '../../domain/values/email.js';
import { endpointUrlIssues } from '../../domain/endpoint/endpoint-url.js';
import type { Issue } from '../../domain/errors.js';
import { storageProblem } from '../../domain/values/text.js';

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

/** A response has at most this many errors, even for a body full of them. No object of the contract has as many fields. */
const maxEntries = 100;

/**
 * The formats of the contract. Private targets pass here: a setting decides about them, and only
 * the domain knows it.
 */
const formats: Readonly<Record<string, (param: string, value: string) => Issue[]>> = {
  'https-url': (_, value) => endpointUrlIssues(value, { kind: 'private' }),
  mailbox: (param, value) => emailIssues(param, value),
};

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

/**
 * Turns one ajv error, made with `verbose`, into public entries. `param` is the top-level field of
 * the body, however deep the error is.
 */
function entriesOf(error: ErrorObject): Issue[] {
  const [, field = '', item, member] = error.instancePath
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  const named = error.params as Readonly<Record<string, string>>;
  // The path does not include a missing or additional member yet.
  const name = named['missingProperty'] ?? named['additionalProperty'];
  if (item === undefined) return fieldEntries(error, name ?? field);
  const where = [`Item ${Number(item) + 1}`, member ?? name].filter(Boolean).join(', ');
  const entries = fieldEntries(error, field);
  return entries.map((entry) => ({ ...entry, detail: `${where}: ${entry.detail}` }));
}

function fieldEntries(
  { keyword, params, data, parentSchema }: ErrorObject,
  param: string,
): Issue[] {
  const named = params as Readonly<Record<string, string | number | readonly string[]>>;

  switch (keyword) {
    case 'required':
      return [{ code: 'required', detail: 'Is required.', param }];
    case 'additionalProperties': {
      const detail = 'Is an unknown property.';
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
    case 'maxItems': {
      const detail = `Must have at most ${Number(named['limit'])} items.`;
      return [{ code: 'out_of_range', detail, param }];
    }
    case 'minLength':
      return [{ code: 'invalid_value', detail: 'Must not be empty.', param }];
    case 'maxLength': {
      const detail = `Must be at most ${Number(named['limit']).toLocaleString('en')} characters.`;
      return [{ code: 'too_long', detail, param }];
    }
    case 'pattern':
      return [{ code: 'invalid_format', detail: 'Has an invalid format.', param }];
    case 'format':
      return formats[String(named['format'])]?.(param, String(data)) ?? [];
    default:
      return [{ code: 'invalid_value', detail: 'Is not an allowed value.', param }];
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

/**
 * Stops `items` and `additionalProperties` once `maxErrors` errors are known. Only these two can
 * find as many errors as a body has bytes. Each still reports at least one error; other keywords
 * report all of theirs.
 * @param ajv with `allErrors`; applies to schemas that it compiles afterwards
 */
export function limitErrors(ajv: Ajv2020, maxErrors: number): void {
  const limitReached = _`${ajvNames.default.errors} >= ${maxErrors}`;
  const items: CodeKeywordDefinition = {
    keyword: 'items',
    type: 'array',
    schemaType: ['object', 'boolean'],
    code(cxt) {
      const { gen, data, keyword } = cxt;
      const length = gen.const('length', _`${data}.length`);
      const valid = gen.name('valid');
      gen.forRange('i', 0, length, (index) => {
        cxt.subschema({ keyword, dataProp: index, dataPropType: Type.Num }, valid);
        gen.if(_`!${valid} && ${limitReached}`, () => gen.break());
      });
    },
  };

  const additionalProperties: CodeKeywordDefinition = {
    keyword: 'additionalProperties',
    type: 'object',
    schemaType: 'boolean',
    error: { params: ({ params }) => _`{additionalProperty: ${params['name']}}`, message: '' },
    code(cxt) {
      const { gen, data } = cxt;
      if (cxt.schema === true) return;

      const { properties = {} } = cxt.parentSchema as { readonly properties?: object };
      gen.forIn('name', data, (name) => {
        const unknown = Object.keys(properties).reduce(
          (code, known) => _`${code} && ${name} !== ${known}`,
          _`true`,
        );
        gen.if(unknown, () => {
          cxt.setParams({ name });
          cxt.error();
          gen.if(limitReached, () => gen.break());
        });
      });
    },
  };

  // If there is a meta-schema, compiles it first, so that it keeps the original keywords.
  if (ajv.opts.meta !== false) void ajv.validateSchema({});

  for (const definition of [items, additionalProperties]) {
    ajv.removeKeyword(definition.keyword as string);
    ajv.addKeyword(definition);
  }
}
