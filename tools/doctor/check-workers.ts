import { readBacklog } from '../../src/domain/delivery/backlog.js';
import type { Read } from '../../src/domain/tx.js';
import { aliveSeconds, readAliveWorkers } from '../../src/domain/worker/heartbeats.js';
import { type Finding, ok, problem, warning } from './finding.js';

/** Longer than any worker takes to notice a delivery without a wake-up. */
const overdueSeconds = 60;
const everyRole = ['deliver', 'replay', 'notify', 'expire'];

/** Finds work that no worker does: an error once a delivery has been due for a minute. */
export async function checkWorkers(read: Pick<Read, 'sql'>): Promise<Finding> {
  const workers = await readAliveWorkers(read);
  const { ready, oldestBacklogSeconds } = await readBacklog(read);
  const roles = new Set(workers.flatMap((worker) => worker.roles));
  const missing = everyRole.filter((role) => !roles.has(role));
  const alive = `${workers.length} alive`;
  const due = `the oldest due delivery waits ${Math.floor(oldestBacklogSeconds)} s`;
  if (missing.length === 0) return ok('workers', `${alive}; ${due}`);
  const advice =
    'Start one with "node dist/workers/main.js", and look at the logs of workers that ended';
  const lacking =
    workers.length === 0
      ? `no worker has polled within ${aliveSeconds} s`
      : `${alive}, none with the role ${missing.join(' or ')}`;
  const overdue = !roles.has('deliver') && oldestBacklogSeconds > overdueSeconds;
  return overdue
    ? problem('workers', `${lacking}, ${ready} are due and ${due}. ${advice}`)
    : warning('workers', `${lacking}. ${advice}`);
}
