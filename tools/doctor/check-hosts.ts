import type pg from 'pg';
import { hostName, hostUrls } from '../../src/database/database-hosts.js';
import { stateOf } from '../../src/database/primary.js';
import { type Finding, ok, warning } from './finding.js';

/**
 * Says what each host of a database with several hosts is, and whether a failover can lose events.
 * Returns no finding for one host.
 * @param client a connection to the primary
 */
export async function checkHosts(
  client: Pick<pg.Client, 'query'>,
  databaseUrl: string,
): Promise<Finding[]> {
  const urls = hostUrls(databaseUrl);
  if (urls.length === 1) return [];
  const states = await Promise.all(urls.map((url) => stateOf(url).catch(() => undefined)));
  const timeline = Math.max(...states.map((state) => state?.timeline ?? 0));
  const parts = urls.map((url, index) => {
    const state = states[index];
    if (!state) return `${hostName(url)} does not answer`;
    if (state.isStandby) return `${hostName(url)} is a standby`;
    if (state.timeline === timeline) return `${hostName(url)} is the primary`;
    return `${hostName(url)} is a former primary that still takes writes: make it a standby`;
  });
  const hostsAreGood = states.every(
    (state) => state && (state.isStandby || state.timeline === timeline),
  );
  const hosts = (hostsAreGood ? ok : warning)('database', parts.join(', '));
  const { rows } = await client.query<{ names: string }>(
    `select current_setting('synchronous_standby_names') as names`,
  );
  if (rows[0]?.names !== '') return [hosts];
  const detail =
    'the primary has no synchronous standby, so a failover can lose acknowledged events: set synchronous_standby_names there';
  return [hosts, warning('database', detail)];
}
