import { assignmentsOf, numbered, selectionOf } from '../columns.js';
import { cancelChains } from '../delivery/cancel.js';
import { DomainError, type ErrorEntry, notFound, validationFailed } from '../errors.js';
import { holdCatalogueEntries } from '../event/event-types.js';
import { checkSubscription, type Subscription } from '../event/subscription-rule.js';
import { isId } from '../id.js';
import type { Statement, Tx } from '../tx.js';
import {
  type Endpoint,
  settableFields,
  shownFields,
  type ShownEndpoint,
} from './endpoint.entity.js';
import { changedBy, type EndpointPatch, patchFaults } from './endpoint-input.js';
import { ofAccount, shownColumns } from './endpoints.js';
import { destroySecrets, replaceSecret } from './secrets.js';

/** What a change has to know of an endpoint. */
export type HeldEndpoint = ShownEndpoint & Pick<Endpoint, 'failingSince' | 'failureCount'>;

/** An endpoint at one of the two moments when its secret is shown. */
export interface EndpointWithSecret {
  readonly endpoint: ShownEndpoint;
  readonly signingSecret: string;
}

const heldColumns = selectionOf([...shownFields, 'failingSince', 'failureCount']);

const hold = {
  name: 'endpoint-hold',
  text: `select ${heldColumns} ${ofAccount} for no key update`,
};

/** The first two values are the id and the time of the change. */
const touched = `updated_at = greatest($2, updated_at + interval '1 millisecond')`;

const changeable = [
  ...settableFields,
  'disabledReason',
  'failingSince',
  'failureCount',
] as const satisfies readonly (keyof Endpoint)[];

const update = numbered(
  'endpoint-update',
  ['id', 'now', ...changeable],
  ($) => `update endpoint set ${touched}, ${assignmentsOf(changeable, $)}
         where id = ${$.id} returning ${heldColumns}`,
);

const touch = {
  name: 'endpoint-touch',
  text: `update endpoint set ${touched} where id = $1 returning ${shownColumns}`,
};

const remove = {
  name: 'endpoint-remove',
  text: `update endpoint set ${touched}, active = false, deleted_at = $2 where id = $1`,
};

/**
 * Changes what the patch names. One that carries `active` always changes `updated_at`, another only
 * when it changes something (H10). Deactivating cancels what is scheduled; activating again forgets
 * why the endpoint was disabled; another url ends the run of failures (H69, H74, H75).
 * @param mayChangeEmail false for the dashboard, which sets the address at creation only
 * @throws DomainError not_found, validation_failed with every refusal, forbidden
 */
export async function updateEndpoint(
  tx: Tx,
  account: string,
  id: string,
  patch: EndpointPatch,
  { mayChangeEmail }: { readonly mayChangeEmail: boolean },
): Promise<HeldEndpoint> {
  const before = await holdEndpoint(tx, account, id);
  const faults = patchFaults(patch, tx.rules.privateTargets);
  const { types, errors } = patch.eventTypes
    ? await subscriptionTo(tx, before.eventTypes, patch.eventTypes)
    : { types: before.eventTypes, errors: [] };
  refuse([...faults, ...errors]);
  const after = { ...changedBy(before, patch), eventTypes: types };
  if (after.notificationEmail !== before.notificationEmail && !mayChangeEmail) throw emailIsFixed();

  // As text, because a list of types is another array each time.
  const changed = settableFields.some(
    (name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]),
  );
  if (patch.active === undefined && !changed) return before;

  const reenabled = after.active && !before.active;
  const calm = reenabled || after.url !== before.url;
  const values = update.values({
    ...{ id, now: tx.now, ...after },
    disabledReason: reenabled ? null : before.disabledReason,
    failingSince: calm ? null : before.failingSince,
    failureCount: calm ? 0 : before.failureCount,
  });
  const endpoint = await only<HeldEndpoint>(tx, update, values);
  const unsubscribed = before.eventTypes.filter((type) => !types.includes(type));
  if (!after.active) await cancelChains(tx, [id]);
  else if (unsubscribed.length > 0) await cancelChains(tx, [id], unsubscribed);
  return endpoint;
}

/**
 * Replaces the list of event types that an endpoint subscribes to (H16, H28, H29).
 * @throws DomainError not_found, validation_failed
 */
export function replaceEventSubscriptions(
  tx: Tx,
  account: string,
  id: string,
  eventTypes: readonly string[],
): Promise<HeldEndpoint> {
  return updateEndpoint(tx, account, id, { eventTypes }, { mayChangeEmail: false });
}

/**
 * Deletes an endpoint for its owner at once: its secrets are destroyed, what is scheduled is
 * cancelled, its delivery records stay (H22).
 * @throws DomainError not_found
 */
export async function deleteEndpoint(tx: Tx, account: string, id: string): Promise<void> {
  await holdEndpoint(tx, account, id);
  await tx.sql(remove, [id, tx.now]);
  await destroySecrets(tx, id);
  await cancelChains(tx, [id]);
}

/**
 * Gives an endpoint, active or not, another signing secret and shows it; the old ones sign along
 * for 24 hours (H23–H25).
 * @throws DomainError not_found
 */
export async function rotateSigningSecret(
  tx: Tx,
  account: string,
  id: string,
): Promise<EndpointWithSecret> {
  await holdEndpoint(tx, account, id);
  const endpoint = await only<ShownEndpoint>(tx, touch, [id, tx.now]);
  return { endpoint, signingSecret: await replaceSecret(tx, id, endpoint.updatedAt) };
}

/** Reads the endpoint and keeps others from changing it until `tx` ends. */
async function holdEndpoint(tx: Tx, account: string, id: string): Promise<HeldEndpoint> {
  const [endpoint] = isId('whs', id) ? await tx.sql<HeldEndpoint>(hold, [id, account]) : [];
  if (!endpoint) throw notFound('webhook endpoint');
  return endpoint;
}

/** Only what is added is looked up; what is kept need not be offered. */
async function subscriptionTo(
  tx: Tx,
  current: readonly string[],
  wanted: readonly string[],
): Promise<Subscription> {
  const added = [...new Set(wanted)].filter((type) => !current.includes(type));
  return checkSubscription(current, wanted, await holdCatalogueEntries(tx, added));
}

async function only<Row>(tx: Tx, statement: Statement, values: unknown[]): Promise<Row> {
  const [row] = await tx.sql<Row>(statement, values);
  if (!row) throw new Error(`${statement.name} returned no row`);
  return row;
}

function refuse(faults: readonly ErrorEntry[]): void {
  if (faults.length > 0) throw validationFailed(faults);
}

function emailIsFixed(): DomainError {
  const detail = 'The dashboard cannot change notification_email after creation.';
  const param = 'notification_email';
  return new DomainError('forbidden', detail, [{ code: 'permission_missing', detail, param }]);
}
