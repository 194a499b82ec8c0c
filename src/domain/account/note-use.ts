import type { Read, Statement } from '../tx.js';

/** Without waits: for a standby, or for a row that another session has locked. */
const useStatement: Statement = {
  name: 'credential_use',
  text: `
    update credential set last_used_at = now()
     where id = (select c.id from credential c
                  where c.id = $1 and coalesce(c.last_used_at <= now() - interval '1 hour', true)
                    and set_config('synchronous_commit', 'off', true) = 'off'
                  limit 1 for no key update skip locked)`,
};

/** A process notes one use at a time, so that requests keep their connections. */
let isNoting = false;

/**
 * Notes the use of a credential beside the request, which does not wait for it. What fails or finds another
 * one under way is noted with the next look-up of the token.
 */
export function noteUse(read: Pick<Read, 'sql'>, credential: string): void {
  if (isNoting) return;
  isNoting = true;
  read
    .sql(useStatement, [credential])
    .catch(() => undefined)
    .finally(() => (isNoting = false));
}
