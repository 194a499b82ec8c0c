import type { Issue } from '../domain/errors.js';
import type { Logger } from './log.js';

const intervalMs = 60_000;
/** More than a catalogue has types. */
const maxTypes = 1_000;
const maxPaths = 5;

/**
 * Counts and logs events that were published although their data breaks a schema that only warns.
 * Logs each type at most once a minute, with the number of events since its last line.
 */
export function reportMismatches(
  log: Pick<Logger, 'warn'>,
  count: (type: string) => void,
  now: () => number = () => performance.now(),
): (type: string, issues: readonly Issue[]) => void {
  const types = new Map<string, { loggedAt: number; events: number }>();
  return (type, issues) => {
    count(type);
    const at = now();
    const entry = types.get(type) ?? { loggedAt: -Infinity, events: 0 };
    entry.events += 1;
    if (types.size < maxTypes) types.set(type, entry);
    if (at - entry.loggedAt < intervalMs) return;
    const paths = issues.slice(0, maxPaths).map(({ param, detail }) => `${param}: ${detail}`);
    log.warn({ event_type: type, events: entry.events, paths }, 'data of events breaks its schema');
    Object.assign(entry, { loggedAt: at, events: 0 });
  };
}
