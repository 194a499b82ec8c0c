import { lockReplays } from '../delivery/replay.js';
import { recoveredId } from './progress.js';
import { singleRow } from '../rows.js';
import type { Statement, Tx } from '../tx.js';
import { type Candidate, isPending, oldestRecord, recordsOf } from './candidates-statement.js';
import type { Recovery } from './recovery.entity.js';

/** How many deliveries a step added. */
export interface Added {
  readonly failed: number;
  readonly missed: number;
}

const lockReplaysStatement: Statement = {
  name: 'recovery_lock_replays',
  text: `
    select ${lockReplays('i')}
      from (select $1::text as endpoint_id, i.event_id from unnest($2::text[]) i (event_id)) i`,
};

/**
 * Adds deliveries of the candidates, and moves the recovery on. Leaves out an event that was
 * delivered, or got a pending delivery, since it was found. Rows of one step are due a millisecond
 * apart, so that claims take them in the order of events.
 */
const addStatement: Statement = {
  name: 'recovery_add',
  text: `
    with input as (
      select * from unnest($4::text[], $5::text[], $6::text[], $7::text[], $10::int[])
        with ordinality i (id, event_id, event_type, latest, body_bytes, place)
    ), made as (
      insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready,
                                    due_at, attempt, max_attempts, test, replayed_from, created_at,
                                    body_bytes)
      select i.id, $1, $2, i.event_id, i.event_type, 'recovery', true,
             $9::timestamptz + i.place * interval '1 millisecond', 1, $8::int, false, i.latest, $9,
             i.body_bytes
        from input i
       where not ${isPending('i.event_id')}
         and (i.latest is null or (
           select true from ${recordsOf('i.event_id')} and d.status = 'success' limit 1) is null)
      returning replayed_from
    )
    select count(m.replayed_from)::int as failed,
           (count(*) - count(m.replayed_from))::int as missed from made m`,
};

/**
 * Adds deliveries of the candidates to an endpoint, in the lane of recoveries.
 * @returns how many it added for failed and for missed events
 */
export async function addDeliveries(
  tx: Tx,
  { id, accountId, endpointId }: Pick<Recovery, 'id' | 'accountId' | 'endpointId'>,
  candidates: readonly Candidate[],
): Promise<Added> {
  const replayable = candidates.filter(({ latest }) => latest !== null);
  if (replayable.length > 0)
    await tx.sql(lockReplaysStatement, [endpointId, replayable.map(({ id }) => id)]);
  return singleRow<Added>(tx, addStatement, [
    accountId,
    endpointId,
    oldestRecord(candidates[0]?.id ?? ''),
    candidates.map(() => recoveredId(id, tx.now)),
    candidates.map((each) => each.id),
    candidates.map(({ type }) => type),
    candidates.map(({ latest }) => latest),
    tx.rules.retry.delaysMs.length + 1,
    tx.now,
    candidates.map((each) => each.bodyBytes),
  ]);
}
