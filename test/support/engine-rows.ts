import type { MemoryStore } from '../simulation/memory-store.js';
import type { TestDatabase } from './database.js';

interface ShownChain {
  readonly id: string;
  readonly attempt: number;
  readonly lastDeliveryId: string | null;
}

interface ShownDelivery {
  readonly id: string;
  readonly chainId: string;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly status: string;
}

/** The tables of the delivery engine at one moment. */
export interface Rows {
  /** What has to be equal to the letter. */
  readonly shown: {
    readonly chains: readonly ShownChain[];
    readonly deliveries: readonly ShownDelivery[];
    readonly endpoints: readonly object[];
  };
  /** Times by what they are, in milliseconds from this moment on. */
  readonly times: ReadonlyMap<string, number>;
}

/** Reads them from PostgreSQL. */
export async function rowsInPostgres(database: TestDatabase): Promise<Rows> {
  const fromNow = (column: string) => `(extract(epoch from ${column} - now()) * 1000)::float8`;
  const chains = await database.query<ShownChain & { due: number }>(
    `select id, endpoint_id as "endpointId", lane, ready, attempt, max_attempts as "maxAttempts",
            lease_token is not null as leased, last_delivery_id as "lastDeliveryId",
            interruptions, parked_reason is not null as parked, replayed_from as "replayedFrom",
            test, ${fromNow('due_at')} as due
       from chain order by id`,
  );
  const deliveries = await database.query<ShownDelivery>(
    `select id, chain_id as "chainId", endpoint_id as "endpointId", attempt,
            max_attempts as "maxAttempts", status, test, replayed_from as "replayedFrom"
       from delivery order by id`,
  );
  const endpoints = await database.query<{ id: string; failing: number | null }>(
    `select e.id, e.active, e.deleted_at is not null as deleted,
            e.cancelling_since is not null as cancelling, e.disabled_reason as "disabledReason", e.failure_count as "failureCount",
            (select count(*)::int from endpoint_secret s where s.endpoint_id = e.id
                and (s.expires_at is null or s.expires_at > now())) as secrets,
            (select count(*)::int from notice n where n.about_id = e.id) as notices,
            ${fromNow('e.failing_since')} as failing
       from endpoint e order by id`,
  );
  const times = new Map(chains.map(({ id, due }) => [`${id} due`, due]));
  for (const { id, failing } of endpoints) {
    if (failing !== null) times.set(`${id} failing since`, failing);
  }
  return {
    shown: {
      chains: chains.map((chain) => without(chain, 'due')),
      deliveries,
      endpoints: endpoints.map((endpoint) => without(endpoint, 'failing')),
    },
    times,
  };
}

/** Reads them from memory. */
export function rowsInMemory(store: MemoryStore, now: number): Rows {
  const chains = [...store.chains.values()].sort(byId);
  const endpoints = [...store.endpoints.values()].sort(byId);
  const failing = endpoints.flatMap(({ id, failingSince }) =>
    failingSince === null ? [] : [[`${id} failing since`, failingSince - now] as const],
  );
  return {
    shown: {
      chains: chains.map((chain) => ({
        ...without(chain, 'eventId', 'eventType', 'createdAt', 'dueAt', 'leaseToken'),
        leased: chain.leaseToken !== null,
      })),
      deliveries: [...store.deliveries.values()]
        .sort(byId)
        .map((delivery) => without(delivery, 'eventId', 'eventType')),
      endpoints: endpoints.map(
        ({ id, active, deleted, disabledReason, failureCount, secrets, cancellingSince }) => ({
          ...{ id, active, deleted, disabledReason, failureCount },
          cancelling: cancellingSince !== null,
          secrets: secrets.filter(({ endsAt }) => endsAt > now).length,
          notices: store.notices.filter((about) => about === id).length,
        }),
      ),
    },
    times: new Map([
      ...chains.map(({ id, dueAt }) => [`${id} due`, dueAt - now] as const),
      ...failing,
    ]),
  };
}

/**
 * What the rows break by themselves, whoever wrote them: attempts count from 1 without a gap and
 * within their budget; success and abandoned stay; a failed record is the last one of an open chain,
 * or an earlier one.
 */
export function breaksOf(before: Rows | undefined, { shown }: Rows): string[] {
  const breaks: string[] = [];
  const open = new Map(shown.chains.map((chain) => [chain.id, chain]));
  const chainIds = new Set([...open.keys(), ...shown.deliveries.map(({ chainId }) => chainId)]);
  const statuses = new Map(shown.deliveries.map(({ id, status }) => [id, status]));
  for (const { id, status } of before?.shown.deliveries ?? []) {
    const after = statuses.get(id);
    const mayFollow = status === 'failed' ? ['failed', 'abandoned'] : [status];
    if (!mayFollow.includes(after ?? '')) breaks.push(`${id} went from ${status} to ${after}`);
  }
  for (const chainId of chainIds) {
    const records = shown.deliveries
      .filter((record) => record.chainId === chainId)
      .sort((one, other) => one.attempt - other.attempt);
    const chain = open.get(chainId);
    const last = records.at(-1);
    for (const [place, { id, attempt, maxAttempts, status }] of records.entries()) {
      if (attempt !== place + 1 || attempt > maxAttempts)
        breaks.push(`${id} is attempt ${attempt}`);
      const isOpen = id !== last?.id || chain !== undefined;
      if ((status === 'failed') !== isOpen) breaks.push(`${id} is ${status}`);
    }
    if (chain && chain.attempt !== records.length + 1) breaks.push(`${chainId} skips an attempt`);
    if (chain && chain.lastDeliveryId !== (last?.id ?? null)) breaks.push(`${chainId} forgot`);
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
