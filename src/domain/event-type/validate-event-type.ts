import { Ajv2020 } from 'ajv/dist/2020.js';
import { canonicalText } from '../canonical-text.js';
import type { Issue } from '../errors.js';
import { jsonObjectIssues, singleLineIssues, textIssues } from '../text-issues.js';
import { hasBuiltInSchema } from './built-in.js';
import { compileSchema } from './compile-schema.js';
import type { EventTypeInput } from './definition.js';
import { expandSchema, SchemaRefused } from './expand-schema.js';
import { jsonPath, pointerSteps } from './json-path.js';
import { compilePattern } from './patterns.js';
import type { EventTypeVersionContent } from './read-schemas.js';

/** Of a schema and of an example, as JSON. */
const maxJsonLength = 65_536;
const maxVersions = 20;
const maxDepth = 32;
const dialect = 'https://json-schema.org/draft/2020-12/schema';

const idPattern = /^[a-z0-9_]+(\.[a-z0-9_]+)+$/;
/** Of events about webhooks themselves, present and future. */
const reservedPrefix = 'webhook.';
const versionPattern = /^v[1-9][0-9]{0,2}$/;

let metaSchema: Ajv2020 | undefined;

/**
 * Validates an event type by itself. Paths begin with the member of the input.
 * @param stored versions that are stored: one that stays the same is not validated again
 */
export function eventTypeIssues(
  input: EventTypeInput,
  stored: readonly EventTypeVersionContent[] = [],
): Issue[] {
  const { id, category, summary, description, versions } = input;
  const issues = [
    ...textIssues('id', id, { min: 1, max: 100 }),
    ...(idPattern.test(id)
      ? []
      : [formatIssue('id', 'Must be names joined by dots, such as shop.order.shipped.')]),
    ...(id.startsWith(reservedPrefix) && !hasBuiltInSchema(id)
      ? [formatIssue('id', `Must not begin with ${reservedPrefix}: the service publishes these.`)]
      : []),
    ...textIssues('category', category, { min: 1, max: 50 }),
    ...(/^[a-z0-9_]+$/.test(category)
      ? []
      : [formatIssue('category', 'Must be lower-case letters, digits and _.')]),
    ...singleLineIssues('summary', summary, { min: 1, max: 200 }),
    ...textIssues('description', description, { min: 1, max: 1_000 }),
  ];
  const names = versions.map(({ version }) => version);
  if (new Set(names).size < names.length) {
    issues.push({
      code: 'invalid_value',
      detail: 'Must name each version once.',
      param: 'versions',
    });
  }
  if (versions.length > maxVersions) {
    const detail = `Must have at most ${maxVersions} items.`;
    issues.push({ code: 'out_of_range', detail, param: 'versions' });
  }
  return [
    ...issues,
    ...versions.slice(0, maxVersions).flatMap((each) => versionIssues(each, stored)),
  ];
}

function formatIssue(param: string, detail: string): Issue {
  return { code: 'invalid_format', detail, param };
}

function versionIssues(
  content: EventTypeVersionContent,
  stored: readonly EventTypeVersionContent[],
): Issue[] {
  const { version, schema, example } = content;
  if (!versionPattern.test(version)) return [formatIssue('versions', 'Must be v1 to v999.')];
  const root = `versions.${version}`;
  const issues = [
    ...jsonIssues(`${root}.schema`, schema),
    ...jsonIssues(`${root}.example`, example),
  ];
  if (issues.length > 0) return issues;
  const isStored = stored.some(
    (each) => each.version === version && canonicalText(each) === canonicalText(content),
  );
  if (isStored) return [];

  const refused = schemaIssues(`${root}.schema`, schema);
  if (refused.length > 0) return refused;
  return compileSchema(
    schema,
    compilePattern,
  )(example).map((issue) => ({
    ...issue,
    param: `${root}.example${(issue.param ?? '').replace(/^data/, '')}`,
  }));
}

function jsonIssues(param: string, value: unknown): Issue[] {
  const issues = jsonObjectIssues(param, value, maxDepth);
  if (issues.length > 0 || JSON.stringify(value).length <= maxJsonLength) return issues;
  const detail = `Must be at most ${maxJsonLength.toLocaleString('en')} characters of JSON.`;
  return [{ code: 'too_long', detail, param }];
}

/** Validates a schema: against JSON Schema 2020-12, and by {@link expandSchema}. */
export function schemaIssues(root: string, schema: EventTypeVersionContent['schema']): Issue[] {
  if (schema['$schema'] !== undefined && schema['$schema'] !== dialect) {
    return [{ code: 'invalid_value', detail: `Must be ${dialect}.`, param: `${root}.$schema` }];
  }
  metaSchema ??= new Ajv2020({ strict: false, validateFormats: false, logger: false });
  if (metaSchema.validateSchema(schema) !== true) {
    const [error] = metaSchema.errors ?? [];
    const detail = `Is no JSON Schema 2020-12: ${error?.message ?? 'it breaks the meta-schema'}.`;
    const param = jsonPath(root, pointerSteps(error?.instancePath ?? ''));
    return [{ code: 'invalid_value', detail, param }];
  }
  try {
    expandSchema(schema, { root, compilePattern });
    return [];
  } catch (error) {
    if (!(error instanceof SchemaRefused)) throw error;
    return [{ code: 'invalid_value', detail: error.detail, param: error.path }];
  }
}
