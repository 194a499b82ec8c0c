import { smallestId } from '../id.js';
import type { Statement, Tx } from '../tx.js';

/** The endpoint of a test event that only the stream shows: one that no account has. */
export const streamOnly = 'stream';

const retentionMs = 86_400_000;

const purgeStatement: Statement = {
  name: 'event_stream_only_purge',
  text: `
    delete from event where id = any (array(
      select p.id from event p where p.endpoint_id = '${streamOnly}' and p.id < $1
       order by p.id limit $2 for update skip locked))
    returning id`,
};

/**
 * Deletes at most `limit` test events without an endpoint that are older than a day. Nothing refers to
 * them: they have no delivery.
 * @returns how many it deleted
 */
export async function purgeStreamOnlyEvents(tx: Tx, limit: number): Promise<number> {
  const before = smallestId('evt', new Date(tx.now.getTime() - retentionMs));
  return (await tx.sql(purgeStatement, [before, limit])).length;
}
