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

/** A process records one use at a time, so that requests keep their connections. */
let isRecording = false;

/**
 * Records the use of a credential beside the request, which does not wait for it. What fails or finds another
 * one under way is recorded with the next look-up of the token.
 */
export function recordLastUse(read: Pick<Read, 'sql'>, credential: string): void {
  if (isRecording) return;
  isRecording = true;
  read
    .sql(useStatement, [credential])
    .catch(() => undefined)
    .finally(() => (isRecording = false));
}
