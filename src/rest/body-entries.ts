import type { ErrorObject } from 'ajv/dist/2020.js';
import { emailIssues } from '../domain/email.js';
import { endpointUrlIssues } from '../domain/endpoint/endpoint-url.js';
import type { Issue } from '../domain/errors.js';

/**
 * The formats of the contract. Private targets pass here: a setting decides about them, and only
 * the domain knows it.
 */
export const formats: Readonly<Record<string, (param: string, value: string) => Issue[]>> = {
  'https-url': (_, value) => endpointUrlIssues(value, { kind: 'private' }),
  mailbox: (param, value) => emailIssues(param, value),
};

/**
 * Turns one ajv error, made with `verbose`, into public entries. `param` is the top-level field of
 * the body, however deep the error is.
 */
export function entriesOf(error: ErrorObject): Issue[] {
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
