import { DomainError, type Issue, validationFailed } from '../errors.js';
import { smallestId, makeId } from '../id.js';
import { fingerprint } from '../idempotency/fingerprint.js';
import { singleLineIssues, jsonObjectIssues, textIssues } from '../text-issues.js';
import type { Statement, Tx } from '../tx.js';
import { envelopeBytes, maxBodyBytes } from './envelope.js';

/** An event to publish. */
export interface PublishInput {
  /** Any type of the catalogue, even one that is closed to new subscriptions. */
  readonly type: string;
  /** What the event is about, as in `order:ord_…`. */
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Makes one attempt per endpoint, which does not count for disabling. Defaults to false. */
  readonly test?: boolean | undefined;
  /** Publishes once per key and account, for 30 days. */
  readonly key?: string | undefined;
  /** Sends only to this endpoint, if it is active, even without a subscription. */
  readonly endpointId?: string | undefined;
}

export interface Published {
  readonly id: string;
  /** False if the same content was published with this key before. */
  readonly created: boolean;
}

/** The version of every event type today. */
const eventVersion = 'v1';

const typeStatement: Statement = {
  name: 'event_type_known',
  text: 'select t.id from event_type t where t.id = $1',
};

const takeKeyStatement: Statement = {
  name: 'publish_key_take',
  text: `
    insert into publish_key as k (account_id, key, fingerprint, event_id, expires_at)
    values ($1, $2, $3, $4, $5::timestamptz + interval '30 days')
    on conflict (account_id, key) do update
       set fingerprint = excluded.fingerprint, event_id = excluded.event_id,
           expires_at = excluded.expires_at
     where k.expires_at <= $5
    returning k.event_id as "eventId"`,
};

const readKeyStatement: Statement = {
  name: 'publish_key_read',
  text: `
    select k.event_id as "eventId", k.fingerprint = $3 as same from publish_key k
     where k.account_id = $1 and k.key = $2`,
};

const insertStatement: Statement = {
  name: 'event_insert',
  text: `
    with stored as (
      insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
    )
    insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready, due_at,
                       attempt, max_attempts, test, created_at)
    select $9 || substr(replace(gen_random_uuid()::text, '-', ''), 1, 16),
           $2, e.id, $1, $3, 'live', true, $8, 1, $10, $6, $8
      from endpoint e
     where e.account_id = $2 and e.deleted_at is null and e.active
       and case when $11::text is null then $3 = any (e.event_types) else e.id = $11 end`,
};

/**
 * Publishes an event: stores its bytes once and, in one statement, a pending delivery for each
 * active endpoint that subscribes to its type. Sends one wake-up. Locks no endpoint. If one is
 * disabled at the same moment, no claim takes its pending delivery, and the poller cancels it.
 * @throws DomainError validation_failed
 * @throws DomainError event_key_conflict when the key was used for different content
 */
export async function publishEvent(
  tx: Tx,
  accountId: string,
  input: PublishInput,
): Promise<Published> {
  const { type, subject, data, test = false, key, endpointId } = input;
  await assertValid(tx, input);
  const id = makeId('evt', tx.now);
  const earlier = key === undefined ? undefined : await takeKey(tx, accountId, id, key, input);
  if (earlier !== undefined) return { id: earlier, created: false };
  const { baseUrl, retry } = tx.rules;
  const version = eventVersion;
  const occurredAt = tx.now;
  const body = envelopeBytes({ id, baseUrl, type, version, subject, occurredAt, test, data });
  if (body.length > maxBodyBytes) {
    const detail = `The event must be at most ${maxBodyBytes.toLocaleString('en')} bytes.`;
    throw validationFailed([{ code: 'too_long', detail, param: 'data' }]);
  }
  await tx.sql(insertStatement, [
    id,
    accountId,
    type,
    version,
    subject,
    test,
    body,
    tx.now,
    smallestId('pdl', tx.now),
    test ? 1 : retry.delaysMs.length + 1,
    endpointId ?? null,
  ]);
  tx.wake({ kind: 'due' });
  return { id, created: true };
}

async function assertValid(tx: Tx, { type, subject, data, key }: PublishInput): Promise<void> {
  const errors: Issue[] = [
    ...singleLineIssues('subject', subject, { min: 1, max: 255 }),
    ...jsonObjectIssues('data', data),
    ...(key === undefined ? [] : textIssues('key', key, { min: 1, max: 255 })),
  ];
  const typeIssues = textIssues('type', type, { min: 1, max: 255 });
  const known = typeIssues.length > 0 ? [] : await tx.sql(typeStatement, [type]);
  if (typeIssues.length > 0) errors.push(...typeIssues);
  else if (known.length === 0) {
    const detail = `Unknown event type: ${type}`;
    errors.push({ code: 'unknown_event_type', detail, param: 'type' });
  }
  if (errors.length > 0) throw validationFailed(errors);
}

/**
 * Takes the key for the event `id`. Returns the id of the event that already has it with the same
 * content.
 */
async function takeKey(
  tx: Tx,
  accountId: string,
  id: string,
  key: string,
  { type, subject, data, test = false, endpointId }: PublishInput,
): Promise<string | undefined> {
  const print = fingerprint('PUBLISH', type, {
    subject,
    data,
    test,
    endpointId: endpointId ?? null,
  });
  const taken = await tx.sql(takeKeyStatement, [accountId, key, print, id, tx.now]);
  if (taken.length > 0) return undefined;
  const [row] = await tx.sql<{ eventId: string; same: boolean }>(readKeyStatement, [
    accountId,
    key,
    print,
  ]);
  if (!row?.same) throw keyConflict();
  return row.eventId;
}

function keyConflict(): DomainError {
  return new DomainError(
    'event_key_conflict',
    'This key was already used for an event with different content. Use another key.',
  );
}
