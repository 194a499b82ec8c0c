import { canonicalText } from '../canonical-text.js';
import type { Issue } from '../errors.js';
import { hasBuiltInSchema } from './built-in.js';
import { breakingChanges } from './compatibility.js';
import type { EventTypeDefinition, EventTypeInput } from './definition.js';
import { expandSchema } from './expand-schema.js';
import { compilePattern } from './patterns.js';
import type { EventTypeVersionContent } from './read-schemas.js';
import { eventTypeIssues } from './validate-event-type.js';

/** What putting an event type does. */
export interface EventTypePlan {
  /** The type as it will be. */
  readonly after: EventTypeDefinition;
  /** What differs, in words; empty if nothing does. */
  readonly changes: readonly string[];
  /** Why it is refused. */
  readonly issues: readonly Issue[];
}

/** Decides what putting `input` changes. @param before the type as it is; undefined for a new one */
export function planEventType(
  before: EventTypeDefinition | undefined,
  input: EventTypeInput,
): EventTypePlan {
  const { listed = before?.listed ?? true } = input;
  const builtIn = hasBuiltInSchema(input.id);
  const versions = mergedVersions(before?.versions ?? [], input.versions);
  const sent = (before?.sent ?? false) || versions.length > 0;
  const after = { ...input, versions, listed, sent };
  const issues = eventTypeIssues(input, before?.versions);
  if (builtIn && input.versions.length > 0) {
    const detail = 'The schema of this type comes with the service.';
    issues.push({ code: 'invalid_value', detail, param: 'versions' });
  }
  if (!before && input.versions.length === 0) {
    issues.push({ code: 'too_few_items', detail: 'Must have at least 1 item.', param: 'versions' });
  }
  if (before?.listed === false && listed) {
    const detail = 'The type was removed from the catalogue for good.';
    issues.push({ code: 'invalid_value', detail, param: 'listed' });
  }
  if (issues.length > 0) return { after, changes: [], issues };
  return { after, changes: changesOf(before, after), issues: breaks(before, input) };
}

function mergedVersions(
  before: readonly EventTypeVersionContent[],
  put: readonly EventTypeVersionContent[],
): EventTypeVersionContent[] {
  const versions = new Map([...before, ...put].map((each) => [each.version, each]));
  const place = ({ version }: EventTypeVersionContent) => Number(version.slice(1));
  return [...versions.values()].sort((one, other) => place(one) - place(other));
}

function breaks(before: EventTypeDefinition | undefined, input: EventTypeInput): Issue[] {
  return input.versions.flatMap(({ version, schema }) => {
    const old = before?.versions.find((each) => each.version === version);
    if (!old || canonicalText(old.schema) === canonicalText(schema)) return [];
    const root = `versions.${version}.schema`;
    const expand = (each: EventTypeVersionContent['schema']) =>
      expandSchema(each, { root, compilePattern });
    return breakingChanges(expand(old.schema), expand(schema)).map(({ path, detail }) => ({
      code: 'breaking_schema_change' as const,
      param: root,
      detail: `${path}: ${detail} Add a version for it.`,
    }));
  });
}

const members = ['category', 'summary', 'description', 'offered', 'validation', 'listed'] as const;

function changesOf(before: EventTypeDefinition | undefined, after: EventTypeDefinition): string[] {
  if (!before) return ['is new', ...after.versions.map(({ version }) => `${version} is new`)];
  const changed = members
    .filter((name) => before[name] !== after[name])
    .map(
      (name) => `${name}: ${JSON.stringify(before[name])} becomes ${JSON.stringify(after[name])}`,
    );
  return [
    ...changed,
    ...after.versions.flatMap((each) => {
      const old = before.versions.find(({ version }) => version === each.version);
      if (!old) return [`${each.version} is new`];
      const differs = (name: 'schema' | 'example') =>
        canonicalText(old[name]) !== canonicalText(each[name]);
      return (['schema', 'example'] as const)
        .filter(differs)
        .map((name) => `the ${name} of ${each.version} changes`);
    }),
  ];
}
