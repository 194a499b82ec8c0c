import { recordChange } from '../audit/audit-log.js';
import { DomainError, type Issue, validationFailed } from '../errors.js';
import { nextTurn } from '../next-turn.js';
import type { Tx } from '../transaction/tx.js';
import { canonicalText, fingerprint } from '../values/canonical-json.js';
import { hasBuiltInSchema } from './built-in.js';
import { breakingChanges } from './compatibility.js';
import {
  type EventTypeDefinition,
  type EventTypeInput,
  type EventTypeVersionContent,
  readDefinitions,
} from './definitions.js';
import { compilePattern } from './patterns.js';
import { eventTypeIssues, expandSchema } from './validate-event-type.js';

/** At most this many types: the whole catalogue fits on one page. */
const maxTypes = 500;
/** All schemas and examples together have at most this many characters of JSON. */
const maxCatalogueLength = 16 * 1_048_576;

// Other sessions can still read the catalogue, and can subscribe to types, which locks rows.
const lockCatalogue = {
  name: 'event-types-lock',
  text: 'lock table event_type in share row exclusive mode',
};

const put = {
  name: 'event-type-put',
  text: `
    insert into event_type (id, category, summary, description, accepts_new_subscriptions, sent,
                            listed, validation, revision)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    on conflict (id) do update
       set category = excluded.category, summary = excluded.summary,
           description = excluded.description, sent = excluded.sent, listed = excluded.listed,
           accepts_new_subscriptions = excluded.accepts_new_subscriptions,
           validation = excluded.validation, revision = excluded.revision`,
};

const putVersion = {
  name: 'event-type-version-put',
  text: `
    insert into event_type_version (event_type_id, version, schema, example)
    values ($1, $2, $3::json, $4::json)
    on conflict (event_type_id, version) do update
       set schema = excluded.schema, example = excluded.example`,
};

/** An event type that was put, and what changed. */
export interface PutResult extends Pick<EventTypePlan, 'changes'> {
  readonly id: string;
}

/**
 * Puts an event type with its versions: adds it, or changes what differs.
 * @throws DomainError validation_failed, with `breaking_schema_change` for each member that a change
 *   of a schema would break
 */
export async function putEventType(tx: Tx, input: EventTypeInput): Promise<EventTypeDefinition> {
  const [plan] = await plansOf(tx, [input]);
  if (!plan) throw new Error('There is no plan for the event type.');
  if (plan.issues.length > 0) throw validationFailed(plan.issues);
  if (plan.changes.length > 0) await store(tx, plan.after);
  return plan.after;
}

/**
 * Puts several event types, or none. Types that `inputs` does not name stay as they are.
 * @param dryRun returns what would change, and changes nothing
 * @throws DomainError validation_failed; each `param` begins with the id of its type
 */
export async function putEventTypes(
  tx: Tx,
  inputs: readonly EventTypeInput[],
  dryRun: boolean,
): Promise<PutResult[]> {
  const plans = await plansOf(tx, inputs);
  const issues = plans.flatMap((plan) =>
    plan.issues.map((issue): Issue => ({
      ...issue,
      param: `${plan.after.id} ${issue.param ?? ''}`.trim(),
    })),
  );
  if (issues.length > 0) throw validationFailed(issues);
  const changing = plans.filter(({ changes }) => changes.length > 0);
  if (!dryRun) for (const { after } of changing) await store(tx, after);
  return changing.map(({ after: { id }, changes }) => ({ id, changes }));
}

/** How the catalogue differs from a file of event types. */
export interface CatalogueChanges {
  readonly changed: readonly PutResult[];
  /** Ids of types that the file does not name; they stay. */
  readonly missing: readonly string[];
}

/**
 * Puts every event type of a file, or none; removes no type.
 * @param dryRun returns what would change, and changes nothing
 * @throws DomainError validation_failed
 */
export async function applyCatalogue(
  tx: Tx,
  inputs: readonly EventTypeInput[],
  dryRun: boolean,
): Promise<CatalogueChanges> {
  const changed = await putEventTypes(tx, inputs, dryRun);
  const named = new Set(inputs.map(({ id }) => id));
  const missing = (await readDefinitions(tx)).map(({ id }) => id).filter((id) => !named.has(id));
  return { changed, missing };
}

async function plansOf(tx: Tx, inputs: readonly EventTypeInput[]): Promise<EventTypePlan[]> {
  await tx.sql(lockCatalogue, []);

  const types = new Map((await readDefinitions(tx)).map((type) => [type.id, type]));
  const plans: EventTypePlan[] = [];

  for (const input of inputs) {
    plans.push(planEventType(types.get(input.id), input));
    await nextTurn();
  }

  if (plans.every(({ issues }) => issues.length === 0)) {
    for (const { after } of plans) types.set(after.id, after);
    assertCatalogueFits([...types.values()]);
  }

  return plans;
}

function assertCatalogueFits(types: readonly EventTypeDefinition[]): void {
  const length = types.reduce((sum, { versions }) => sum + JSON.stringify(versions).length, 0);
  if (types.length <= maxTypes && length <= maxCatalogueLength) return;
  const detail = `The catalogue can hold at most ${maxTypes} event types and 16 MiB of schemas and examples.`;
  throw new DomainError('state_conflict', detail);
}

async function store(tx: Tx, type: EventTypeDefinition): Promise<void> {
  const { id, category, summary, description, offered, sent, listed, validation, versions } = type;
  const values = [id, category, summary, description, offered, sent, listed, validation];
  await tx.sql(put, [...values, revisionOf(type)]);
  recordChange(tx, { action: 'event_type_put', resource: id });
  for (const { version, schema, example } of versions) {
    await tx.sql(putVersion, [id, version, JSON.stringify(schema), JSON.stringify(example)]);
  }
}

/** The same content has the same revision, also in a database that was restored. */
function revisionOf({ id, validation, versions }: EventTypeDefinition): string {
  if (validation === 'enforce' && versions.length === 0) return '';
  return fingerprint('EVENT TYPE', id, { validation, versions }).toString('base64url').slice(0, 22);
}

/** What putting an event type does. */
export interface EventTypePlan {
  /** The type as it will be. */
  readonly after: EventTypeDefinition;
  /** What differs, in words; empty if nothing does. */
  readonly changes: readonly string[];
  /** Why it is refused. */
  readonly issues: readonly Issue[];
}

/**
 * Decides what putting `input` changes.
 * @param before the stored type; undefined for a new one
 */
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
    const detail = 'This type is built in, so its schema cannot be changed.';
    issues.push({ code: 'invalid_value', detail, param: 'versions' });
  }

  if (!before && input.versions.length === 0) {
    issues.push({ code: 'too_few_items', detail: 'Must have at least 1 item.', param: 'versions' });
  }

  if (before?.listed === false && listed) {
    const detail = 'The type was permanently removed from the catalogue.';
    issues.push({ code: 'invalid_value', detail, param: 'listed' });
  }

  if (issues.length > 0) return { after, changes: [], issues };

  return { after, changes: changesOf(before, after), issues: breaks(before, input) };
}

function mergedVersions(
  before: readonly EventTypeVersionContent[],
  put: readonly EventTypeVersionContent[],
): EventTypeVersionContent[] {
  const versions = new Map([...before, ...put].map((content) => [content.version, content]));
  const place = ({ version }: EventTypeVersionContent) => Number(version.slice(1));
  return [...versions.values()].sort((one, other) => place(one) - place(other));
}

function breaks(before: EventTypeDefinition | undefined, input: EventTypeInput): Issue[] {
  return input.versions.flatMap(({ version, schema }) => {
    const old = before?.versions.find((stored) => stored.version === version);
    if (!old || canonicalText(old.schema) === canonicalText(schema)) return [];
    const root = `versions.${version}.schema`;
    const expand = (unexpanded: EventTypeVersionContent['schema']) =>
      expandSchema(unexpanded, { root, compilePattern });
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
    ...after.versions.flatMap((content) => {
      const old = before.versions.find(({ version }) => version === content.version);
      if (!old) return [`${content.version} is new`];
      const differs = (name: 'schema' | 'example') =>
        canonicalText(old[name]) !== canonicalText(content[name]);
      return (['schema', 'example'] as const)
        .filter(differs)
        .map((name) => `the ${name} of ${content.version} changes`);
    }),
  ];
}
