import { recordChange } from '../audit/record-change.js';
import { DomainError, type Issue, validationFailed } from '../errors.js';
import { fingerprint } from '../idempotency/fingerprint.js';
import { nextTurn } from '../next-turn.js';
import type { Tx } from '../tx.js';
import { type EventTypeDefinition, type EventTypeInput, readDefinitions } from './definition.js';
import { type EventTypePlan, planEventType } from './plan-event-types.js';

/** The whole catalogue fits on one page. */
const maxTypes = 500;
/** Of all schemas and examples, as JSON. */
const maxCatalogueLength = 16 * 1_048_576;

// Reading goes on, also that of subscriptions, which lock rows.
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

/** One of several event types that were put. */
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
 * @param dryRun says what would change, and changes nothing
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

async function plansOf(tx: Tx, inputs: readonly EventTypeInput[]): Promise<EventTypePlan[]> {
  await tx.sql(lockCatalogue, []);
  const types = new Map((await readDefinitions(tx)).map((each) => [each.id, each]));
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
  const detail = `The catalogue holds at most ${maxTypes} event types, with 16 MiB of schemas and examples.`;
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
