// The health of endpoints: when a run of failures warns the owner, and when it disables the endpoint.
//
// assessHealth decides from the attempts alone. Recording (recording.ts) stores its decision in the transaction
// that records the attempts, and announceHealth stores the messages to owners with it: a crash leaves both or
// neither. The rest reads health for clients and operators.
import type { DisabledReason, RetryPolicy } from '../transaction/rules.js';
import { isGone } from './attempt.js';
import type { Outcome } from './outcome.js';
import { oldestListedId } from '../list/time-range.js';
import { rowById } from '../transaction/rows.js';
import type { Read, Statement, Tx } from '../transaction/tx.js';
import type { NoticeContent } from '../notice/mail.js';
import { redactUrl } from './evidence.js';
import { preparationAt, type PreparedEvent, prepareEvent } from '../event/prepare-event.js';
import { storeInTransaction } from '../event/publish.js';
import { enqueueNotices } from '../notice/notices.js';

/** An endpoint's current run of failed attempts; null and 0 when the last attempt succeeded. */
export interface Health {
  readonly failingSince: Date | null;
  readonly failureCount: number;
  /** How many warnings this run has caused: one at each of {@link warningParts}. */
  readonly warnings: number;
}

/** The owner is warned at these parts of the time after which the endpoint is disabled. */
const warningParts = [0.25, 0.75] as const;

/** The result of {@link assessHealth}. */
interface HealthAssessment {
  readonly health: Health;
  readonly disable?: { readonly reason: DisabledReason; readonly last: Outcome };
  /** The last failure, if the run became long enough for a warning. */
  readonly warn?: Outcome;
  /** The run that ended, if it had caused a warning. */
  readonly recovered?: Health;
}

/** One attempt that counts for health. Test deliveries do not count. */
interface HealthSample {
  readonly outcome: Outcome;
  readonly endedAt: Date;
}

const healthy: Health = { failingSince: null, failureCount: 0, warnings: 0 };

/**
 * Assesses an endpoint by its attempts, oldest first:
 * - a 2xx ends the run of failures, and is announced if the run had caused a warning;
 * - a 410 disables the endpoint at once;
 * - a run that is long enough and has enough failures disables it;
 * - before that, a run causes one warning at each of {@link warningParts}, the later of two at once.
 * Attempts after the one that disables it do not count.
 */
export function assessHealth(
  before: Health,
  samples: readonly HealthSample[],
  policy: RetryPolicy,
): HealthAssessment {
  let health = before;
  let warned = health.warnings > 0;
  let warn: Outcome | undefined;
  let recovered: Health | undefined;
  const assessment = (more: Partial<HealthAssessment>): HealthAssessment => ({
    health,
    ...(recovered && { recovered }),
    ...more,
  });

  for (const { outcome, endedAt } of samples) {
    if (outcome.kind === 'accepted') {
      if (warned) recovered = health;
      health = healthy;
      warn = undefined;
      warned = false;
      continue;
    }

    const { warnings } = health;
    health = withFailure(health, endedAt, policy);
    if (health.warnings > warnings) warn = outcome;
    if (isGone(outcome)) return assessment({ disable: { reason: 'receiver_gone', last: outcome } });

    if (hasFailedForTooLong(health, endedAt, policy)) {
      return assessment({ disable: { reason: 'consecutive_failures', last: outcome } });
    }
  }

  return assessment(warn ? { warn } : {});
}

/** Whether two states of health are equal, so nothing needs to be written. */
export function sameHealth(one: Health, other: Health): boolean {
  return (
    one.failureCount === other.failureCount &&
    one.warnings === other.warnings &&
    one.failingSince?.getTime() === other.failingSince?.getTime()
  );
}

function withFailure(before: Health, endedAt: Date, { disableAfterMs }: RetryPolicy): Health {
  const failingSince = before.failingSince ?? endedAt;
  const failedMs = endedAt.getTime() - failingSince.getTime();
  const due = warningParts.filter((part) => failedMs >= part * disableAfterMs).length;
  const warnings = Math.max(before.warnings, due);
  return { failingSince, failureCount: before.failureCount + 1, warnings };
}

function hasFailedForTooLong(
  { failingSince, failureCount }: Health,
  endedAt: Date,
  { disableAfterMs, disableAfterFailures }: RetryPolicy,
): boolean {
  return (
    failingSince !== null &&
    failureCount >= disableAfterFailures &&
    endedAt.getTime() - failingSince.getTime() >= disableAfterMs
  );
}

/** Whether an endpoint receives events now. */
export type EndpointState = (typeof endpointStates)[number];
export const endpointStates = ['healthy', 'failing', 'inactive', 'disabled'] as const;

/** The state of the deliveries to an endpoint. */
export interface EndpointHealth {
  /** `disabled` by the service, `inactive` by its account; `failing` since the last 2xx. */
  readonly state: EndpointState;
  readonly disabledReason: DisabledReason | null;
  /** When the current run of failed attempts began; null while there is none. */
  readonly failingSince: Date | null;
  /** Failed attempts in that run. */
  readonly failureCount: number;
  /** When a failed attempt disables the endpoint at the earliest; null unless it is failing. */
  readonly disablesAt: Date | null;
  /** How many more failed attempts it takes to disable the endpoint; 0 once the run has enough. */
  readonly failuresUntilDisabled: number | null;
  /** When the latest attempt that succeeded, and the latest that failed, in the last 30 days began. */
  readonly lastSuccessAt: Date | null;
  readonly lastFailureAt: Date | null;
  /** Open pending deliveries; at most {@link pendingCountLimit} are counted. */
  readonly pendingCount: number;
  readonly pendingCountIsComplete: boolean;
  /** When the oldest open pending delivery was created. */
  readonly oldestPendingAt: Date | null;
}

interface HealthRow extends Omit<
  EndpointHealth,
  'state' | 'disablesAt' | 'failuresUntilDisabled' | 'pendingCountIsComplete'
> {
  readonly active: boolean;
}

/** A higher count costs more than it helps. */
const pendingCountLimit = 10_000;

/** In SQL: when the latest listed attempt at an endpoint with such an end began. */
export const latestAttempt = (endpoint: string, status: string) => `(
             select d.created_at from delivery d
              where hashtextextended(d.endpoint_id || d.status, 0)
                      = hashtextextended(${endpoint}::text collate "C" || '${status}', 0)
                and d.id >= ${oldestListedId('whd')}
              order by d.id desc limit 1)`;

/** In SQL: how many deliveries of an endpoint are pending, and when the oldest was created. */
const pendingOf = (endpoint: string, limit: number) => `
           (select count(*)::int from (
              select from pending_delivery c
               where c.endpoint_id = ${endpoint} and c.dead_letter_reason is null
               limit ${limit + 1}) c) as "pendingCount",
           (select c.created_at from pending_delivery c
             where c.endpoint_id = ${endpoint} and c.dead_letter_reason is null
             order by c.event_id limit 1) as "oldestPendingAt"`;

const healthStatement: Statement = {
  name: 'endpoint_health',
  text: `
    select e.active, e.disabled_reason as "disabledReason", e.failing_since as "failingSince",
           e.failure_count as "failureCount", ${latestAttempt('$1', 'success')} as "lastSuccessAt",
           greatest(${latestAttempt('$1', 'failed')}, ${latestAttempt('$1', 'abandoned')}) as "lastFailureAt",
           ${pendingOf('$1', pendingCountLimit)}
      from endpoint e
     where e.id = $1 and e.account_id = $2 and e.deleted_at is null`,
};

/**
 * Returns the health of one endpoint of an account.
 * @throws DomainError not_found
 */
export async function getEndpointHealth(
  read: Read,
  account: string,
  id: string,
): Promise<EndpointHealth> {
  const row = await rowById<HealthRow>(read, 'whs', healthStatement, [id, account]);
  const { disableAfterMs, disableAfterFailures } = read.rules.retry;
  const state = stateOf(row);
  const failingSince = state === 'failing' ? row.failingSince : null;
  return {
    ...row,
    state,
    disablesAt: failingSince && new Date(failingSince.getTime() + disableAfterMs),
    failuresUntilDisabled: failingSince && Math.max(0, disableAfterFailures - row.failureCount),
    pendingCount: Math.min(row.pendingCount, pendingCountLimit),
    pendingCountIsComplete: row.pendingCount <= pendingCountLimit,
  };
}

/** The pending deliveries of one endpoint in a list. */
export type EndpointBacklog = Pick<
  EndpointHealth,
  'pendingCount' | 'pendingCountIsComplete' | 'oldestPendingAt'
>;

/** Lower than for a single endpoint, because a list has many. */
const listedCountLimit = 1_000;

const backlogsStatement: Statement = {
  name: 'endpoint_backlogs',
  text: `
    select i.id, ${pendingOf('i.id', listedCountLimit)}
      from unnest($1::text[]) i (id)`,
};

/**
 * Counts the pending deliveries of these endpoints, by id, in one statement: at most 1,000 for each endpoint. Only
 * for ids that were looked up within an account already.
 */
export async function endpointBacklogs(
  read: Read,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EndpointBacklog>> {
  type Row = Omit<EndpointBacklog, 'pendingCountIsComplete'> & { readonly id: string };
  const rows = await read.sql<Row>(backlogsStatement, [ids]);
  return new Map(
    rows.map(({ id, pendingCount, oldestPendingAt }) => [
      id,
      {
        pendingCount: Math.min(pendingCount, listedCountLimit),
        pendingCountIsComplete: pendingCount <= listedCountLimit,
        oldestPendingAt,
      },
    ]),
  );
}

/** Returns the state that follows from what the row of the endpoint says. */
export function stateOf({
  active,
  disabledReason,
  failingSince,
}: Pick<HealthRow, 'active' | 'disabledReason' | 'failingSince'>): EndpointState {
  if (!active) return disabledReason === null ? 'inactive' : 'disabled';
  return failingSince === null ? 'healthy' : 'failing';
}

/**
 * Event types about the health of endpoints. None is published about an endpoint that subscribes to one of them, which
 * prevents loops.
 */
export const healthEventTypes = [
  'webhook.endpoint.disabled',
  'webhook.endpoint.failing',
  'webhook.endpoint.recovered',
] as const;

/** An endpoint whose health changed, after the change. */
interface ChangedEndpoint {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly recipient: string;
  readonly eventTypes: readonly string[];
  readonly active: boolean;
  readonly disabledReason: DisabledReason | null;
}

type HealthNotice = NoticeContent<'endpoint_disabled' | 'endpoint_failing' | 'endpoint_recovered'>;

/** What a change of health causes: a notice to the owner, and an event. */
interface HealthMessage {
  readonly notice: HealthNotice;
  readonly event: {
    readonly type: (typeof healthEventTypes)[number];
    readonly data: Readonly<Record<string, unknown>>;
  };
}

/** Returns the messages that a change of health causes, in order; none for most changes. */
function healthMessages(
  { health, disable, warn, recovered, lastStatus }: HealthChange,
  endpoint: ChangedEndpoint,
  now: Date,
  { disableAfterMs }: RetryPolicy,
): HealthMessage[] {
  const { id: resourceId, accountId, url, recipient, active, disabledReason } = endpoint;
  const shown = {
    id: resourceId,
    account_id: accountId,
    url: redactUrl(url),
    active,
    disabled_reason: disabledReason,
  };

  const at = now.toISOString();
  const messages: HealthMessage[] = [];

  if (recovered) {
    const run = runOf(recovered);
    messages.push({
      notice: {
        kind: 'endpoint_recovered',
        resourceId,
        recipient,
        data: { url, failingSince: run.failing_since, recoveredAt: at },
      },
      event: {
        type: 'webhook.endpoint.recovered',
        data: { endpoint: shown, ...run, recovered_at: at },
      },
    });
  }

  const failing = { endpoint: shown, ...runOf(health), last_response_status: lastStatus };

  if (disable !== undefined) {
    messages.push({
      notice: {
        kind: 'endpoint_disabled',
        resourceId,
        recipient,
        data: { url, reason: disable, disabledAt: at, lastStatus },
      },
      event: { type: 'webhook.endpoint.disabled', data: { ...failing, disabled_at: at } },
    });
  } else if (warn && health.failingSince) {
    const disablesAt = new Date(health.failingSince.getTime() + disableAfterMs).toISOString();
    messages.push({
      notice: {
        kind: 'endpoint_failing',
        resourceId,
        recipient,
        data: { url, failingSince: failing.failing_since, disablesAt, lastStatus },
      },
      event: { type: 'webhook.endpoint.failing', data: { ...failing, disables_at: disablesAt } },
    });
  }

  return messages;
}

function runOf({ failingSince, failureCount }: Health) {
  return { failing_since: failingSince?.toISOString() ?? '', failure_count: failureCount };
}

const changedStatement: Statement = {
  name: 'endpoint_health_changed',
  text: `
    select e.id, e.account_id as "accountId", e.url, e.notification_email as recipient,
           e.event_types as "eventTypes", e.active, e.disabled_reason as "disabledReason"
      from endpoint e where e.id = any ($1::text[]) order by e.id`,
};

/**
 * Tells owners that endpoints fail, recovered or were disabled: by notices, and by events to their
 * account and to that of `OPERATOR_ACCOUNT`. An endpoint that subscribes to such events causes none,
 * so they cannot cause each other. Runs no statement when there is nothing to tell.
 */
export async function announceHealth(tx: Tx, changes: readonly HealthChange[]): Promise<void> {
  const announced = new Map(
    changes
      .filter(({ disable, warn, recovered }) => disable ?? (warn || recovered))
      .map((change) => [change.endpointId, change]),
  );
  if (announced.size === 0) return;

  const endpoints = await tx.sql<ChangedEndpoint>(changedStatement, [[...announced.keys()]]);
  const messages = endpoints.flatMap((endpoint) => {
    const change = announced.get(endpoint.id);
    if (!change) return [];
    return healthMessages(change, endpoint, tx.now, tx.rules.retry).map((message) => ({
      ...message,
      endpoint,
    }));
  });

  await enqueueNotices(
    tx,
    messages.map(({ notice, endpoint: { accountId } }) => ({ ...notice, accountId })),
  );

  const events = messages.flatMap(({ event, endpoint }) => eventsOf(tx, event, endpoint));
  if (events.length > 0) await storeInTransaction(tx, events, { acceptUnlisted: true });
}

/** The event in the account of the endpoint, and in the operator's. */
function eventsOf(
  { now, rules: { baseUrl, operatorAccount } }: Tx,
  { type, data }: HealthMessage['event'],
  { id, accountId, eventTypes }: ChangedEndpoint,
): PreparedEvent[] {
  if (healthEventTypes.some((healthType) => eventTypes.includes(healthType))) return [];
  const accounts = new Set([
    accountId,
    ...(operatorAccount === undefined ? [] : [operatorAccount]),
  ]);
  return [...accounts].map((account) =>
    prepareEvent(preparationAt(now, baseUrl), account, { type, subject: `endpoint:${id}`, data }),
  );
}

/** A state of health that differs from the stored one. */
export interface HealthChange {
  readonly endpointId: string;
  readonly health: Health;
  readonly disable: DisabledReason | undefined;
  /** Whether the owner is to be warned. */
  readonly warn: boolean;
  /** The run that ended, if its owner was warned of it. */
  readonly recovered: Health | undefined;
  /**
   * Response status of the attempt that disabled the endpoint or caused the warning; null without a
   * response.
   */
  readonly lastStatus: number | null;
}
