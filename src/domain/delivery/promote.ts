import type { Read, Statement } from '../tx.js';
import { replayChannel } from './replay-signal.js';

/** Chains that one call makes ready at most. */
const promoteBatch = 1_000;

/** So many claims of a chain that ended with their process, in a row, make it run alone. */
export const interruptionsBeforeAlone = 3;
/** So many more, each of them alone in its process, and the chain is parked. */
const interruptionsAlone = 3;

/** What became of chains whose time had come. */
export interface Promoted {
  /** How many became ready, by lane. */
  readonly live: number;
  readonly replays: number;
  readonly alone: number;
  /** How many had been claimed by somebody who never settled. */
  readonly interrupted: number;
  /** The chains that no worker claims any more, by id. */
  readonly parked: readonly string[];
  /** There may be more. */
  readonly full: boolean;
}

/** Why a chain was parked, for operators. */
const parkedReason = `its process ended before the attempt did, ${interruptionsAlone} times while nothing else was sent`;

/** Interruptions in a row, with the one that is being noticed. */
const counted = 'c.interruptions + (c.lease_token is not null)::int';

/**
 * A settlement begins the count anew. Whoever is claimed in the lane `alone` is alone in its process,
 * so an interruption there is no neighbour's doing. A replay that is parked before its first attempt
 * gives its idempotency key back, and its waiter is told (H76.6).
 */
const promoteStatement: Statement = {
  name: 'chain_promote',
  text: `
    with due as (
      select c.id, c.lease_token is not null as interrupted from chain c
       where not c.ready and c.parked_reason is null and c.due_at <= now()
       order by c.due_at limit $1 for update skip locked
    ), promoted as (
      update chain c
         set lease_token = null,
             interruptions = ${counted},
             lane = case when ${counted} >= $2 then 'alone' else c.lane end,
             ready = ${counted} < $3,
             parked_reason = case when ${counted} >= $3 then $4 end
       where c.id = any (array(select d.id from due d))
      returning c.id, c.lane, c.ready, c.replayed_from, c.attempt
    ), freed as (
      delete from stored_response s
       where s.status is null and s.chain_id = any (array(
         select p.id from promoted p
          where not p.ready and p.replayed_from is not null and p.attempt = 1))
      returning pg_notify('${replayChannel}', '')
    )
    select count(*) filter (where p.ready and p.lane = 'live')::int as live,
           count(*) filter (where p.ready and p.lane = 'replay')::int as replays,
           count(*) filter (where p.ready and p.lane = 'alone')::int as alone,
           (select count(*) filter (where d.interrupted)::int from due d) as interrupted,
           coalesce(array_agg(p.id) filter (where not p.ready), '{}') as parked,
           count(*) >= $1 as full
      from promoted p`,
};

/**
 * Makes chains ready whose due time has come, retries and ended leases alike: a lease is nothing but
 * "ready again then". Those that were interrupted again and again run alone, and are parked in the
 * end. At most {@link promoteBatch} at once.
 */
export async function promoteDue(read: Read): Promise<Promoted> {
  const [promoted] = await read.sql<Promoted>(promoteStatement, [
    promoteBatch,
    interruptionsBeforeAlone,
    interruptionsBeforeAlone + interruptionsAlone,
    parkedReason,
  ]);
  return promoted ?? nothing;
}

const nothing: Promoted = {
  ...{ live: 0, replays: 0, alone: 0, interrupted: 0 },
  ...{ parked: [], full: false },
};
