import type { MemoryStore } from '../simulation/memory-store.js';
import type { TestDatabase } from './database.js';

interface ShownPendingDelivery {
  readonly id: string;
  readonly attempt: number;
  readonly lastDeliveryId: string | null;
}

interface ShownDelivery {
  readonly id: string;
  readonly pendingDeliveryId: string;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly status: string;
}

/** The rows of the delivery engine at one moment. */
export interface Rows {
  /** Values that must be exactly equal. */
  readonly shown: {
    readonly pendingDeliveries: readonly ShownPendingDelivery[];
    readonly deliveries: readonly ShownDelivery[];
    readonly endpoints: readonly object[];
  };
  /** Times by name, in ms relative to this moment. */
  readonly times: ReadonlyMap<string, number>;
}

/** Reads the rows from PostgreSQL. */
export async function rowsInPostgres(database: TestDatabase): Promise<Rows> {
  const fromNow = (column: string) => `(extract(epoch from ${column} - now()) * 1000)::float8`;
  const pendingDeliveries = await database.query<ShownPendingDelivery & { due: number }>(
    `select id, endpoint_id as "endpointId", lane, ready, attempt, max_attempts as "maxAttempts",
            lease_token is not null as leased, last_delivery_id as "lastDeliveryId",
            interruptions, dead_letter_reason is not null as "deadLettered", replayed_from as "replayedFrom",
            test, ${fromNow('due_at')} as due
       from pending_delivery order by id`,
  );
  const deliveries = await database.query<ShownDelivery>(
    `select id, pending_delivery_id as "pendingDeliveryId", endpoint_id as "endpointId", attempt,
            max_attempts as "maxAttempts", status, test, replayed_from as "replayedFrom"
       from delivery order by id`,
  );
  const endpoints = await database.query<{ id: string; failing: number | null }>(
    `select e.id, e.active, e.deleted_at is not null as deleted,
            e.cancelling_since is not null as cancelling, e.disabled_reason as "disabledReason", e.failure_count as "failureCount",
            (select count(*)::int from endpoint_secret s where s.endpoint_id = e.id
                and (s.expires_at is null or s.expires_at > now())) as secrets,
            e.warnings,
            (select count(*)::int from notice n
              where n.resource_id = e.id and n.kind = 'endpoint_disabled') as notices,
            (select count(*)::int from notice n
              where n.resource_id = e.id and n.kind <> 'endpoint_disabled') as "healthNotices",
            ${fromNow('e.failing_since')} as failing
       from endpoint e order by id`,
  );
  const times = new Map(pendingDeliveries.map(({ id, due }) => [`${id} due`, due]));
  for (const { id, failing } of endpoints) {
    if (failing !== null) times.set(`${id} failing since`, failing);
  }
  return {
    shown: {
      pendingDeliveries: pendingDeliveries.map((pending) => without(pending, 'due')),
      deliveries,
      endpoints: endpoints.map((endpoint) => without(endpoint, 'failing')),
    },
    times,
  };
}

/** Reads the rows from memory. */
export function rowsInMemory(store: MemoryStore, now: number): Rows {
  const pendingDeliveries = [...store.pendingDeliveries.values()].sort(byId);
  const endpoints = [...store.endpoints.values()].sort(byId);
  const failing = endpoints.flatMap(({ id, failingSince }) =>
    failingSince === null ? [] : [[`${id} failing since`, failingSince - now] as const],
  );
  return {
    shown: {
      pendingDeliveries: pendingDeliveries.map((pending) => ({
        ...without(pending, 'eventId', 'eventType', 'createdAt', 'dueAt', 'leaseToken'),
        leased: pending.leaseToken !== null,
      })),
      deliveries: [...store.deliveries.values()]
        .sort(byId)
        .map((delivery) => without(delivery, 'eventId', 'eventType')),
      endpoints: endpoints.map(
        ({ id, active, deleted, disabledReason, failureCount, warnings, ...endpoint }) => ({
          id,
          active,
          deleted,
          disabledReason,
          failureCount,
          warnings,
          cancelling: endpoint.cancellingSince !== null,
          secrets: endpoint.secrets.filter(({ endsAt }) => endsAt > now).length,
          notices: store.notices.filter((about) => about === id).length,
          healthNotices: store.healthNotices.filter((about) => about === id).length,
        }),
      ),
    },
    times: new Map([
      ...pendingDeliveries.map(({ id, dueAt }) => [`${id} due`, dueAt - now] as const),
      ...failing,
    ]),
  };
}

/**
 * Returns the broken invariants of the rows:
 * - attempts count from 1 without a gap and within their maximum
 * - success and abandoned never change
 * - a failed delivery is the last one of an open pending delivery, or an earlier one
 */
export function breaksOf(before: Rows | undefined, { shown }: Rows): string[] {
  const breaks: string[] = [];
  const open = new Map(shown.pendingDeliveries.map((pending) => [pending.id, pending]));
  const pendingDeliveryIds = new Set([
    ...open.keys(),
    ...shown.deliveries.map(({ pendingDeliveryId }) => pendingDeliveryId),
  ]);
  const statuses = new Map(shown.deliveries.map(({ id, status }) => [id, status]));
  for (const { id, status } of before?.shown.deliveries ?? []) {
    const after = statuses.get(id);
    const mayFollow = status === 'failed' ? ['failed', 'abandoned'] : [status];
    if (!mayFollow.includes(after ?? '')) breaks.push(`${id} went from ${status} to ${after}`);
  }
  for (const pendingDeliveryId of pendingDeliveryIds) {
    const records = shown.deliveries
      .filter((record) => record.pendingDeliveryId === pendingDeliveryId)
      .sort((one, other) => one.attempt - other.attempt);
    const pending = open.get(pendingDeliveryId);
    const last = records.at(-1);
    for (const [place, { id, attempt, maxAttempts, status }] of records.entries()) {
      if (attempt !== place + 1 || attempt > maxAttempts)
        breaks.push(`${id} is attempt ${attempt}`);
      const isOpen = id !== last?.id || pending !== undefined;
      if ((status === 'failed') !== isOpen) breaks.push(`${id} is ${status}`);
    }
    if (pending && pending.attempt !== records.length + 1)
      breaks.push(`${pendingDeliveryId} skips an attempt`);
    if (pending && pending.lastDeliveryId !== (last?.id ?? null))
      breaks.push(`${pendingDeliveryId} forgot`);
  }
  return breaks;
}

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1;
}

function without<Row extends object, Column extends keyof Row>(
  row: Row,
  ...columns: readonly Column[]
): Omit<Row, Column> {
  const rest = Object.entries(row).filter(([column]) => !columns.includes(column as Column));
  return Object.fromEntries(rest) as Omit<Row, Column>;
}
