import type pg from 'pg';
import { type Finding, warning } from './finding.js';

/** Warns when PostgreSQL hides the sessions of other roles, which leaves gaps in figures. */
export async function checkStatistics(client: Pick<pg.Client, 'query'>): Promise<Finding[]> {
  // As PostgreSQL decides it: a superuser and a member of pg_monitor have the right, too.
  const { rows } = await client.query<{ role: string }>(
    `select quote_ident(current_user) as role
      where not pg_has_role(current_user, 'pg_read_all_stats', 'usage')`,
  );
  const [lacking] = rows;
  if (!lacking) return [];
  const { role } = lacking;
  const detail =
    `PostgreSQL hides the sessions of other roles from ${role}. Signalpost cannot count them here, name ` +
    'those that block "migrate", look for long transactions of theirs, or ask a standby for its timeline. ' +
    `Run as a superuser: grant pg_read_all_stats to ${role}`;
  return [warning('database', detail)];
}
