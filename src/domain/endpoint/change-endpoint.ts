// Changes of endpoints: create, update, set the rate limit, delete, and purge what was deleted.
// Rotation of secrets is in rotate-secrets.ts.
//
// - A creation locks the row of the account, so that its limit of endpoints holds. Every other change locks the row of
//   the endpoint first (lockEndpoint).
// - The consequences of a change are in its transaction: pending deliveries that the endpoint no longer accepts are
//   cancelled, and the audit log gets an entry.
// - `updated_at` grows with every change, even when the clock is set back.
// - The row of a deleted endpoint stays for 60 days, because delivery records refer to it.
//
// A crash leaves all of a change or nothing: each function runs in the transaction of its caller.
import type { FieldChange } from '../audit/audit-entry.entity.js';
import { recordChange } from '../audit/audit-log.js';
import { cancelPendingDeliveries } from '../delivery/cancel.js';
import { DomainError, validationFailed } from '../errors.js';
import {
  checkSubscription,
  lockAccountAndEntries,
  lockCatalogueEntries,
  type Subscription,
} from '../event-type/event-types.js';
import { rowById, singleRow } from '../transaction/rows.js';
import {
  assignmentsOf,
  numbered,
  placeholdersOf,
  selectionOf,
  columnsOf,
  purgeBy,
} from '../transaction/sql.js';
import type { Tx } from '../transaction/tx.js';
import { makeId } from '../values/id.js';
import { storageProblem } from '../values/text.js';
import { originOf } from '../values/url.js';
import {
  applyPatch,
  type DisablingReason,
  disablingReasonChanges,
  disablingReasonIssues,
  emailNotChangeable,
  type EndpointFields,
  type EndpointInput,
  type EndpointPatch,
  inputIssues,
  patchIssues,
  withDefaults,
} from './endpoint-input.js';
import {
  type Endpoint,
  type EndpointView,
  healthFields,
  type SettableField,
  settableFields,
  shownFields,
} from './endpoint.entity.js';
import { endpointColumns, fromAccountEndpoint } from './endpoints.js';
import { forgetHeaders } from './headers.js';
import { deleteSecrets, newSecret } from './secrets.js';

/** An endpoint with the fields that a change needs. */
export type LockedEndpoint = EndpointView & Pick<Endpoint, (typeof healthFields)[number]>;

/** An endpoint together with its signing secret, which is shown at creation and rotation only. */
export interface EndpointWithSecret {
  readonly endpoint: EndpointView;
  readonly signingSecret: string;
}

/** In SQL: sets the time of a change, which is $2, in the row of an endpoint. */
export const setUpdatedAt = `updated_at = greatest($2, updated_at + interval '1 millisecond')`;

/**
 * Creates an endpoint and returns it with its signing secret.
 * @throws DomainError validation_failed with all issues
 * @throws DomainError endpoint_limit_reached
 */
export async function createEndpoint(
  tx: Tx,
  account: string,
  input: EndpointInput,
): Promise<EndpointWithSecret> {
  const issues = inputIssues(input, tx.rules.privateTargets);
  const wanted = [...new Set(input.eventTypes)];
  const { endpointsPerAccount: limit } = tx.rules;
  const id = makeId('whs', tx.now);
  const { secret, ...sealedSecret } = newSecret(tx, id, tx.now);
  const insert = () =>
    tx.sql<EndpointView>(
      insertStatement,
      insertStatement.values({
        ...withDefaults(input),
        id,
        accountId: account,
        eventTypes: wanted,
        createdAt: tx.now,
        updatedAt: tx.now,
        limit,
        ...sealedSecret,
      }),
    );

  // Both statements take one round trip: the insert runs after the lock. If the types are refused, the
  // transaction rolls back.
  const [entries, [endpoint]] = await Promise.all([
    lockAccountAndEntries(tx, account, wanted),
    issues.length === 0 && areStorable(wanted) ? insert() : [],
  ]);

  const { errors } = checkSubscription([], input.eventTypes, entries);

  const allIssues = [...issues, ...errors];
  if (allIssues.length > 0) throw validationFailed(allIssues);
  if (!endpoint) throw limitReached(limit);

  const changes = [{ field: 'url', to: originOf(input.url) }];
  recordChange(tx, { action: 'endpoint_created', account, resource: id, changes });

  return { endpoint, signingSecret: secret };
}

function areStorable(types: readonly string[]): boolean {
  return types.length > 0 && types.every((type) => storageProblem(type) === undefined);
}

function limitReached(limit: number): DomainError {
  const formattedLimit = limit.toLocaleString('en');
  const detail = `The account has reached its limit of ${formattedLimit} endpoints. Delete one first.`;
  return new DomainError('endpoint_limit_reached', detail);
}

const inserted = ['id', 'accountId', ...settableFields, 'createdAt', 'updatedAt'] as const;

const insertStatement = numbered(
  'endpoint-insert',
  [...inserted, 'limit', 'secretId', 'keyId', 'sealed'],
  // Inserts nothing when the limit is reached. The lock on the account keeps the count valid.
  ($) => `with created as (
           insert into endpoint (${columnsOf(inserted)})
           select ${placeholdersOf(inserted, $)}
            where (select count(*) from (select from endpoint where account_id = ${$.accountId}
                      and deleted_at is null order by id desc limit ${$.limit}) e) < ${$.limit}
           returning *
         ), secret as (
           insert into endpoint_secret (id, endpoint_id, key_id, sealed, created_at)
           select ${$.secretId}, id, ${$.keyId}, ${$.sealed}::bytea, created_at from created
         )
         select ${endpointColumns} from created`,
);

/** What a change of an endpoint may do, and its reason. */
interface ChangeOptions {
  /** False for the dashboard, which sets the address at creation only. */
  readonly mayChangeEmail: boolean;
  /** Why a person disables the endpoint. The audit log keeps it. */
  readonly reason?: DisablingReason;
}

/**
 * Changes the fields in the patch, and what follows from them:
 * - `updated_at` changes if the patch has `active`, or if a field gets another value;
 * - deactivating, or unsubscribing from types, cancels the pending deliveries concerned;
 * - reactivating clears `disabledReason` and ends the run of failures;
 * - a different url ends the run of failures, and with another origin deletes the values of headers.
 * @throws DomainError not_found; validation_failed with all issues; forbidden
 */
export async function updateEndpoint(
  tx: Tx,
  account: string,
  id: string,
  patch: EndpointPatch,
  options: ChangeOptions,
): Promise<LockedEndpoint> {
  const before = await lockEndpoint(tx, account, id);
  const after = await fieldsAfter(tx, before, patch, options);
  if (patch.active === undefined && !haveChanged(before, after)) return before;

  const values = updateValues(tx.now, before, after);
  const endpoint = await singleRow<LockedEndpoint>(tx, updateStatement, values);
  await cancelNoLongerAccepted(tx, before, endpoint);

  const changes = [
    ...endpointChanges(before, endpoint),
    ...(await forgetHeadersOfOtherOrigin(tx, before, endpoint)),
    ...disablingReasonChanges(options.reason),
  ];
  recordChange(tx, { action: 'endpoint_updated', account, resource: id, changes });

  return endpoint;
}

/**
 * Replaces the event types that an endpoint subscribes to.
 * @throws DomainError not_found, validation_failed
 */
export function replaceEventSubscriptions(
  tx: Tx,
  account: string,
  id: string,
  eventTypes: readonly string[],
): Promise<LockedEndpoint> {
  return updateEndpoint(tx, account, id, { eventTypes }, { mayChangeEmail: false });
}

/**
 * Returns the fields of an endpoint as a valid patch changes them.
 * @throws DomainError validation_failed, forbidden
 */
async function fieldsAfter(
  tx: Tx,
  before: EndpointFields,
  patch: EndpointPatch,
  { mayChangeEmail, reason }: ChangeOptions,
): Promise<EndpointFields> {
  const issues = [
    ...patchIssues(patch, tx.rules.privateTargets),
    ...disablingReasonIssues(reason, patch.active),
  ];

  const { types, errors } = patch.eventTypes
    ? await resolveSubscription(tx, before.eventTypes, patch.eventTypes)
    : { types: before.eventTypes, errors: [] };
  if (issues.length + errors.length > 0) throw validationFailed([...issues, ...errors]);

  const after = { ...applyPatch(before, patch), eventTypes: [...types] };
  if (after.notificationEmail !== before.notificationEmail && !mayChangeEmail) {
    throw emailNotChangeable();
  }

  return after;
}

/** Checks a new list of types. Only added types are looked up: the endpoint may keep one that is no longer offered. */
async function resolveSubscription(
  tx: Tx,
  current: readonly string[],
  wanted: readonly string[],
): Promise<Subscription> {
  const added = [...new Set(wanted)].filter((type) => !current.includes(type));
  return checkSubscription(current, wanted, await lockCatalogueEntries(tx, added));
}

/** Whether a field has changed. Compares text, because each list of types is a new array. */
function haveChanged(before: EndpointFields, after: EndpointFields): boolean {
  return settableFields.some(
    (name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]),
  );
}

function updateValues(now: Date, before: LockedEndpoint, after: EndpointFields): unknown[] {
  const reactivated = after.active && !before.active;
  const resetsFailures = reactivated || after.url !== before.url;
  return updateStatement.values({
    id: before.id,
    now,
    ...after,
    disabledReason: reactivated ? null : before.disabledReason,
    failingSince: resetsFailures ? null : before.failingSince,
    failureCount: resetsFailures ? 0 : before.failureCount,
    warnings: resetsFailures ? 0 : before.warnings,
  });
}

const lockedColumns = selectionOf([...shownFields, ...healthFields]);

const changeable = [
  ...settableFields,
  'disabledReason',
  ...healthFields,
] as const satisfies readonly (keyof Endpoint)[];

/** In SQL: keeps the times of types that stay, and dates those that are new. */
const subscribedSince = (types: string) => `
           subscribed_since = (
             select jsonb_object_agg(t.type, coalesce(subscribed_since -> t.type, to_jsonb($2)))
               from unnest(${types}::text[]) t (type)
              where subscribed_since ? t.type or not t.type = any (event_types))`;

const updateStatement = numbered(
  'endpoint-update',
  ['id', 'now', ...changeable],
  ($) => `update endpoint set ${setUpdatedAt}, ${assignmentsOf(changeable, $)},
           resumed_at = case when failing_since is not null and ${$.failingSince}::timestamptz is null
                             then $2 else resumed_at end,
           ${subscribedSince($.eventTypes)}
         where id = ${$.id} returning ${lockedColumns}`,
);

/** Cancels the pending deliveries that the endpoint no longer accepts: all, or those of some types. */
async function cancelNoLongerAccepted(
  tx: Tx,
  before: EndpointFields,
  after: LockedEndpoint,
): Promise<void> {
  if (!after.active) {
    await cancelPendingDeliveries(tx, [after.id]);
    return;
  }

  const unsubscribed = before.eventTypes.filter((type) => !after.eventTypes.includes(type));
  if (unsubscribed.length > 0) await cancelPendingDeliveries(tx, [after.id], unsubscribed);
}

/** Deletes the values of headers if the URL has another origin than before. */
async function forgetHeadersOfOtherOrigin(
  tx: Tx,
  before: EndpointFields,
  { id, url }: LockedEndpoint,
): Promise<FieldChange[]> {
  if (originOf(before.url) === originOf(url)) return [];
  const forgotten = await forgetHeaders(tx, [id]);
  return forgotten.map(({ names }) => ({ field: 'headers', from: names.join(', '), to: null }));
}

/**
 * Returns the changes that the audit log shows. Of a URL it shows scheme and host, because the path can be a secret; of
 * descriptions and addresses it shows no value.
 */
function endpointChanges(before: EndpointFields, after: EndpointFields): FieldChange[] {
  return Object.values(compareField).flatMap((compare) => compare(before, after) ?? []);
}

/** Returns the change of a field; undefined if it did not change. */
type Compare = (before: EndpointFields, after: EndpointFields) => FieldChange | undefined;

/** By field, in the order of the changes. The compiler requires every field that an account sets. */
const compareField: Readonly<Record<SettableField, Compare>> = {
  url(before, after) {
    if (before.url === after.url) return undefined;
    const from = originOf(before.url);
    const to = originOf(after.url);
    return { field: 'url', ...(from !== to && { from, to }) };
  },
  active(before, after) {
    if (before.active === after.active) return undefined;
    return { field: 'active', from: String(before.active), to: String(after.active) };
  },
  eventTypes(before, after) {
    const removed = before.eventTypes.filter((type) => !after.eventTypes.includes(type));
    const added = after.eventTypes.filter((type) => !before.eventTypes.includes(type));
    if (removed.length + added.length === 0) return undefined;
    return { field: 'event_types', from: removed.join(', '), to: added.join(', ') };
  },
  description: (before, after) =>
    before.description === after.description ? undefined : { field: 'description' },
  notificationEmail: (before, after) =>
    before.notificationEmail === after.notificationEmail
      ? undefined
      : { field: 'notification_email' },
};

/**
 * Sets the rate limit of an endpoint: how many requests a second it gets at most, evenly spaced.
 * Deliveries that workers have claimed already may still be sent by the limit before.
 * @param maxPerSecond 1 to 1,000; null removes the limit
 * @throws DomainError not_found, validation_failed
 */
export async function setEndpointRateLimit(
  tx: Tx,
  account: string,
  id: string,
  maxPerSecond: number | null,
): Promise<EndpointView> {
  assertRate(maxPerSecond);
  const before = await lockEndpoint(tx, account, id);
  if (before.maxPerSecond === maxPerSecond) return before;
  if (maxPerSecond !== null) await tx.sql(startStatement, [id]);

  const from = before.maxPerSecond?.toString() ?? null;
  const to = maxPerSecond?.toString() ?? null;
  const changes = [{ field: 'max_per_second', from, to }];
  recordChange(tx, { action: 'rate_limit_changed', account, resource: id, changes });
  return singleRow<EndpointView>(tx, setStatement, [id, tx.now, maxPerSecond]);
}

/** The highest rate, in requests a second: the send times of more could not be kept apart. */
const maxRate = 1_000;

function assertRate(rate: number | null): void {
  if (rate === null || (Number.isInteger(rate) && rate >= 1 && rate <= maxRate)) return;
  const detail = `Must be an integer from 1 to ${maxRate}, or null.`;
  throw validationFailed([{ code: 'out_of_range', detail, param: 'maxPerSecond' }]);
}

const setStatement = {
  name: 'endpoint-set-rate-limit',
  text: `update endpoint set ${setUpdatedAt}, max_per_second = $3,
           resumed_at = case when max_per_second is not null and $3::smallint is null
                             then $2 else resumed_at end
         where id = $1 returning ${endpointColumns}`,
};

/** The row stays when the limit is removed: send times that workers have reserved may be in the future. */
const startStatement = {
  name: 'endpoint-rate-start',
  text: `insert into endpoint_rate (endpoint_id, next_at) values ($1, now()) on conflict do nothing`,
};

/**
 * Deletes an endpoint at once for its account. Destroys its secrets, cancels its pending deliveries
 * and keeps its delivery records.
 * @throws DomainError not_found
 */
export async function deleteEndpoint(tx: Tx, account: string, id: string): Promise<void> {
  await lockEndpoint(tx, account, id);
  await tx.sql(deleteStatement, [id, tx.now]);
  await deleteSecrets(tx, id);
  await cancelPendingDeliveries(tx, [id]);
  recordChange(tx, { action: 'endpoint_deleted', account, resource: id });
}

const deleteStatement = {
  name: 'endpoint-remove',
  text: `update endpoint set ${setUpdatedAt}, active = false, deleted_at = $2, filter = null,
           filter_path = null where id = $1`,
};

/**
 * Purges at most `limit` endpoints that their account deleted more than 60 days ago, and that no
 * row refers to.
 */
export const purgeEndpoints = purgeBy({
  // After 60 days no delivery records are left: their partitions are dropped after 47 days at most.
  name: 'endpoint_purge',
  text: `
    with purged as (
      delete from endpoint where id = any (array(
        select e.id from endpoint e
         where e.deleted_at <= now() - interval '60 days' and e.cancelling_since is null
           and (select true from pending_delivery c where c.endpoint_id = e.id limit 1) is null
           and (select true from endpoint_secret s where s.endpoint_id = e.id limit 1) is null
         order by e.deleted_at limit $1 for update skip locked))
      returning id
    ), rates as (
      delete from endpoint_rate where endpoint_id = any (array(select p.id from purged p))
    )
    select id from purged`,
});

/**
 * Reads an endpoint and locks its row until `tx` ends.
 * @throws DomainError not_found
 */
export function lockEndpoint(tx: Tx, account: string, id: string): Promise<LockedEndpoint> {
  return rowById<LockedEndpoint>(tx, 'whs', lockStatement, [id, account]);
}

const lockStatement = {
  name: 'endpoint-lock',
  text: `select ${lockedColumns} ${fromAccountEndpoint} for no key update`,
};
