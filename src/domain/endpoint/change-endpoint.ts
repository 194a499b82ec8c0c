import { getAccount } from '../account/accounts.js';
import { recordChange } from '../audit/record-change.js';
import { assignmentsOf, numbered, selectionOf } from '../columns.js';
import { cancelPendingDeliveries } from '../delivery/cancel.js';
import { validationFailed } from '../errors.js';
import { rowById, singleRow } from '../rows.js';
import { CannotOpen } from '../sealer.js';
import type { Tx } from '../tx.js';
import {
  type Endpoint,
  healthFields,
  settableFields,
  shownFields,
  type EndpointView,
} from './endpoint.entity.js';
import {
  disablingReasonChanges,
  type DisablingReason,
  disablingReasonIssues,
} from './disabling-reason.js';
import { endpointChanges } from './endpoint-changes.js';
import {
  applyPatch,
  emailNotChangeable,
  type EndpointPatch,
  patchIssues,
} from './endpoint-input.js';
import { fromAccountEndpoint, endpointColumns } from './endpoints.js';
import { resolveSubscription } from './resolve-subscription.js';
import { deleteSecrets, listSecrets, removeSecrets, replaceSecret } from './secrets.js';

/** An endpoint with the fields that a change needs. */
export type LockedEndpoint = EndpointView & Pick<Endpoint, (typeof healthFields)[number]>;

/** An endpoint together with its signing secret, which is shown at creation and rotation only. */
export interface EndpointWithSecret {
  readonly endpoint: EndpointView;
  readonly signingSecret: string;
}

/** What a change of an endpoint may do, and why. */
interface ChangeOptions {
  /** False for the dashboard, which sets the address at creation only. */
  readonly mayChangeEmail: boolean;
  /** For a change that disables it. The audit log keeps it. */
  readonly reason?: DisablingReason;
}

const lockedColumns = selectionOf([...shownFields, ...healthFields]);

const lockStatement = {
  name: 'endpoint-lock',
  text: `select ${lockedColumns} ${fromAccountEndpoint} for no key update`,
};

/** In SQL: $1 is the id, $2 the time of the change. */
export const setUpdatedAt = `updated_at = greatest($2, updated_at + interval '1 millisecond')`;

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

const touchStatement = {
  name: 'endpoint-touch',
  text: `update endpoint set ${setUpdatedAt} where id = $1 returning ${endpointColumns}`,
};

const lockAllStatement = {
  name: 'endpoint-lock-all',
  text: `select e.id from endpoint e where e.account_id = $1 and e.deleted_at is null
         order by e.id for no key update`,
};

const deleteStatement = {
  name: 'endpoint-remove',
  text: `update endpoint set ${setUpdatedAt}, active = false, deleted_at = $2 where id = $1`,
};

/**
 * Changes the fields in the patch, and what follows from them:
 * - `updated_at` changes if the patch has `active`, or if a field gets another value;
 * - deactivating, or unsubscribing from types, cancels the pending deliveries concerned;
 * - reactivating clears `disabledReason` and ends the run of failures;
 * - a different url ends the run of failures.
 * @throws DomainError not_found; validation_failed with all issues; forbidden
 */
export async function updateEndpoint(
  tx: Tx,
  account: string,
  id: string,
  patch: EndpointPatch,
  { mayChangeEmail, reason }: ChangeOptions,
): Promise<LockedEndpoint> {
  const before = await lockEndpoint(tx, account, id);
  const issues = [
    ...patchIssues(patch, tx.rules.privateTargets),
    ...disablingReasonIssues(reason, patch.active),
  ];
  const { types, errors } = patch.eventTypes
    ? await resolveSubscription(tx, before.eventTypes, patch.eventTypes)
    : { types: before.eventTypes, errors: [] };
  if (issues.length + errors.length > 0) throw validationFailed([...issues, ...errors]);
  const after = { ...applyPatch(before, patch), eventTypes: types };
  if (after.notificationEmail !== before.notificationEmail && !mayChangeEmail)
    throw emailNotChangeable();

  // Compares text, because each list of types is a new array.
  const changed = settableFields.some(
    (name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]),
  );
  if (patch.active === undefined && !changed) return before;

  const reenabled = after.active && !before.active;
  const resetsFailures = reenabled || after.url !== before.url;
  const values = updateStatement.values({
    id,
    now: tx.now,
    ...after,
    disabledReason: reenabled ? null : before.disabledReason,
    failingSince: resetsFailures ? null : before.failingSince,
    failureCount: resetsFailures ? 0 : before.failureCount,
    warnings: resetsFailures ? 0 : before.warnings,
  });
  const endpoint = await singleRow<LockedEndpoint>(tx, updateStatement, values);
  const unsubscribed = before.eventTypes.filter((type) => !types.includes(type));
  if (!after.active) await cancelPendingDeliveries(tx, [id]);
  else if (unsubscribed.length > 0) await cancelPendingDeliveries(tx, [id], unsubscribed);
  const changes = [...endpointChanges(before, endpoint), ...disablingReasonChanges(reason)];
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

/**
 * Adds a signing secret to an endpoint, active or not, and returns it. The old secrets also sign
 * for 24 hours.
 * @throws DomainError not_found
 */
export async function rotateSigningSecret(
  tx: Tx,
  account: string,
  id: string,
): Promise<EndpointWithSecret> {
  await lockEndpoint(tx, account, id);
  const endpoint = await singleRow<EndpointView>(tx, touchStatement, [id, tx.now]);
  recordChange(tx, { action: 'signing_secret_rotated', account, resource: id });
  return { endpoint, signingSecret: await replaceSecret(tx, id, endpoint.updatedAt) };
}

/** What {@link replaceLostSecrets} did. */
export interface LostSecretsReplaced {
  /** The endpoints that got a secret. */
  readonly replaced: readonly EndpointWithSecret[];
  /** How many secrets it deleted. */
  readonly removed: number;
}

/**
 * Deletes the signing secrets of an account that no key of the ring opens. Endpoints whose newest secret
 * is among them get a new one.
 * @throws DomainError not_found
 */
export async function replaceLostSecrets(tx: Tx, accountId: string): Promise<LostSecretsReplaced> {
  const { id: account } = await getAccount(tx, accountId);
  const ids = (await tx.sql<{ id: string }>(lockAllStatement, [account])).map(({ id }) => id);
  const secrets = await listSecrets(tx, ids);
  const closed = secrets.filter(
    (secret) => tx.rules.sealer.tryOpen(secret, secret.endpointId) instanceof CannotOpen,
  );
  await removeSecrets(tx, closed);

  const signing = new Set(
    secrets
      .filter((secret) => secret.expiresAt === null && !closed.includes(secret))
      .map(({ endpointId }) => endpointId),
  );
  const replaced: EndpointWithSecret[] = [];
  for (const id of ids.filter((each) => !signing.has(each))) {
    replaced.push(await rotateSigningSecret(tx, account, id));
  }
  return { replaced, removed: closed.length };
}

/** Reads the endpoint and locks it until `tx` ends. */
export function lockEndpoint(tx: Tx, account: string, id: string): Promise<LockedEndpoint> {
  return rowById<LockedEndpoint>(tx, 'whs', lockStatement, [id, account]);
}
