import type { Read, Statement } from '../tx.js';
import { replayChannel } from './replay-signal.js';

const parkedReason = 'its event is no longer kept';

/** A replay that is parked before its first attempt gives its idempotency key back (H76.6). */
const parkStatement: Statement = {
  name: 'chain_park_orphans',
  text: `
    with parked as (
      update chain c
         set ready = false, lease_token = null, parked_reason = $3, due_at = now()
        from unnest($1::text[], $2::bigint[]) i (id, token)
       where c.id = any ($1::text[]) and c.id = i.id and c.lease_token = i.token
      returning c.id, c.replayed_from, c.attempt
    ), freed as (
      delete from stored_response s
       where s.status is null and s.chain_id = any (array(
         select p.id from parked p where p.replayed_from is not null and p.attempt = 1))
      returning pg_notify('${replayChannel}', '')
    )
    select p.id from parked p`,
};

/** A claimed chain whose event is no longer kept. */
export interface Orphan {
  readonly chainId: string;
  readonly token: number;
}

/**
 * Parks claimed chains whose events are no longer kept: there is nothing left to send.
 * @returns the ids of those that still held their claims
 */
export async function parkOrphans(read: Read, orphans: readonly Orphan[]): Promise<string[]> {
  const parked = await read.sql<{ id: string }>(parkStatement, [
    orphans.map(({ chainId }) => chainId),
    orphans.map(({ token }) => token),
    parkedReason,
  ]);
  return parked.map(({ id }) => id);
}
