import type { DisabledReason } from '../disabled-reason.js';
import { oldestListedId } from '../oldest-listed.js';
import { rowById } from '../rows.js';
import type { Read, Statement } from '../tx.js';

/** Whether an endpoint receives events now. */
export type EndpointState = (typeof endpointStates)[number];
export const endpointStates = ['healthy', 'failing', 'inactive', 'disabled'] as const;

/** How the deliveries to an endpoint go. */
export interface EndpointHealth {
  /** `disabled` by the service, `inactive` by its account; `failing` since the last 2xx. */
  readonly state: EndpointState;
  readonly disabledReason: DisabledReason | null;
  /** When the current run of failed attempts began; null while there is none. */
  readonly failingSince: Date | null;
  /** Failed attempts in that run. */
  readonly failureCount: number;
  /** From when on a failed attempt disables the endpoint; null unless it is failing. */
  readonly disablesAt: Date | null;
  /** Failed attempts that are needed besides; 0 once the run has enough. */
  readonly failuresUntilDisabled: number | null;
  /** When the latest attempts of the last 30 days began that succeeded and failed. */
  readonly lastSuccessAt: Date | null;
  readonly lastFailureAt: Date | null;
  /** Open pending deliveries; at most {@link pendingCountLimit} are counted. */
  readonly pendingCount: number;
  readonly pendingCountIsComplete: boolean;
  /** When the oldest of them was made. */
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

/** In SQL: when the latest listed attempt at an endpoint began that ended so. */
export const latestAttempt = (endpoint: string, status: string) => `(
             select d.created_at from delivery d
              where hashtextextended(d.endpoint_id || d.status, 0)
                      = hashtextextended(${endpoint}::text collate "C" || '${status}', 0)
                and d.id >= ${oldestListedId('whd')}
              order by d.id desc limit 1)`;

/** In SQL: how many deliveries of an endpoint are pending, and when the oldest was made. */
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

/** What waits for one endpoint, in a list of them. */
export type EndpointBacklog = Pick<
  EndpointHealth,
  'pendingCount' | 'pendingCountIsComplete' | 'oldestPendingAt'
>;

/** A list has many endpoints. */
const listedCountLimit = 1_000;

const backlogsStatement: Statement = {
  name: 'endpoint_backlogs',
  text: `
    select i.id, ${pendingOf('i.id', listedCountLimit)}
      from unnest($1::text[]) i (id)`,
};

/**
 * Returns what waits for each of these endpoints, by id, in one statement: at most 1,000 of each are counted.
 * Only for ids that were looked up within an account already.
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
