import type { Read, Statement } from '../tx.js';

/** Chains that one call makes ready at most. */
export const promoteBatch = 1_000;

/** What became ready. */
export interface Promoted {
  readonly live: number;
  readonly replays: number;
  /** Of these, how many had been claimed by somebody who never settled. */
  readonly interrupted: number;
}

const promoteStatement: Statement = {
  name: 'chain_promote',
  text: `
    with due as (
      select c.id, c.lease_token is not null as interrupted from chain c
       where not c.ready and c.parked_reason is null and c.due_at <= now()
       order by c.due_at limit $1 for update skip locked
    ), promoted as (
      update chain c
         set ready = true, lease_token = null,
             interruptions = c.interruptions + (c.lease_token is not null)::int
       where c.id = any (array(select d.id from due d))
      returning c.id, c.lane
    )
    select count(*) filter (where p.lane = 'live')::int as live,
           count(*) filter (where p.lane = 'replay')::int as replays,
           (select count(*) filter (where d.interrupted)::int from due d) as interrupted
      from promoted p`,
};

/**
 * Makes chains ready whose due time has come, retries and ended leases alike: a lease is nothing but
 * "ready again then". At most {@link promoteBatch}; a full batch means that there may be more.
 */
export async function promoteDue(read: Read): Promise<Promoted> {
  const [row] = await read.sql<Promoted>(promoteStatement, [promoteBatch]);
  return row ?? { live: 0, replays: 0, interrupted: 0 };
}
