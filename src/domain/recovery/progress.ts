import { makeId, smallestId } from '../id.js';
import type { Read, Statement } from '../tx.js';
import type { Recovery } from './recovery.entity.js';

/** What became of the deliveries that a recovery added. */
export interface RecoveryProgress {
  /** Those that the endpoint accepted; null when there is too much to count. */
  readonly delivered: number | null;
  /** Those that failed and are attempted again. */
  readonly retrying: number;
  /** Those that failed for good, or were cancelled after a failed attempt. */
  readonly abandoned: number;
}

/** A pending delivery of a recovery ends with these last characters of the recovery's id. */
const tagLength = 8;
/** At most this many pending deliveries, and abandoned records, of the endpoint are read. */
const readLimit = 10_000;
/** The id of a record holds its worker's estimate of the time, which can lag behind. */
const clockSlackMs = 3_600_000;

/**
 * Makes the id of a pending delivery that a recovery adds. It says which one: records keep it, so that
 * recording needs neither another column nor a counter.
 */
export function recoveredId(recoveryId: string, at: Date): string {
  return makeId('pdl', at).slice(0, -tagLength) + recoveryId.slice(-tagLength);
}

const countStatement: Statement = {
  name: 'recovery_progress',
  text: `
    select i.id, p.*, a.*
      from unnest($1::text[], $2::text[], $3::text[]) i (id, endpoint_id, floor)
      cross join lateral (
        select count(*)::int as "pendingRead",
               count(*) filter (where right(c.id, ${tagLength}) = right(i.id, ${tagLength})
                                  and c.last_delivery_id is not null)::int as retrying,
               count(*) filter (where right(c.id, ${tagLength}) = right(i.id, ${tagLength})
                                  and c.last_delivery_id is null)::int as untried
          from (select c.id, c.last_delivery_id from pending_delivery c
                 where c.endpoint_id = i.endpoint_id limit ${readLimit}) c) p
      cross join lateral (
        select count(*)::int as "abandonedRead",
               count(*) filter (where right(d.pending_delivery_id, ${tagLength})
                                        = right(i.id, ${tagLength}))::int as abandoned
          from (select d.pending_delivery_id from delivery d
                 where hashtextextended(d.endpoint_id || d.status, 0)
                         = hashtextextended(i.endpoint_id || 'abandoned', 0)
                   and d.id >= i.floor limit ${readLimit}) d) a`,
};

interface Row {
  readonly id: string;
  readonly pendingRead: number;
  readonly retrying: number;
  readonly untried: number;
  readonly abandonedRead: number;
  readonly abandoned: number;
}

/** Counts what became of the deliveries of these recoveries, by the id of the recovery. */
export async function progressOf(
  read: Pick<Read, 'sql'>,
  recoveries: readonly Pick<Recovery, 'id' | 'endpointId' | 'createdAt' | 'failed' | 'missed'>[],
): Promise<ReadonlyMap<string, RecoveryProgress>> {
  const rows = await read.sql<Row>(countStatement, [
    recoveries.map(({ id }) => id),
    recoveries.map(({ endpointId }) => endpointId),
    recoveries.map(({ createdAt }) =>
      smallestId('whd', new Date(createdAt.getTime() - clockSlackMs)),
    ),
  ]);
  const added = new Map(recoveries.map(({ id, failed, missed }) => [id, failed + missed]));
  return new Map(rows.map((row) => [row.id, toProgress(row, added.get(row.id) ?? 0)]));
}

function toProgress(row: Row, added: number): RecoveryProgress {
  const { pendingRead, retrying, untried, abandonedRead, abandoned } = row;
  const isComplete = pendingRead < readLimit && abandonedRead < readLimit;
  const delivered = isComplete ? Math.max(0, added - untried - retrying - abandoned) : null;
  return { delivered, retrying, abandoned };
}
