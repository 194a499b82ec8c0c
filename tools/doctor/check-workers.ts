import { readBacklog } from '../../src/domain/delivery/backlog.js';
import type { Read, Statement } from '../../src/domain/tx.js';
import { aliveSeconds, readAliveWorkers } from '../../src/domain/heartbeats.js';
import { type Finding, ok, problem, warning } from './finding.js';

/** Longer than any worker takes to notice a delivery without a wake-up. */
const overdueSeconds = 60;
const everyRole = ['deliver', 'replay', 'notify', 'expire'];

/** Counts connections of the processes that serve. Those of commands and of the launcher do not. */
const servingStatement: Statement = {
  name: 'doctor_serving',
  text: `select count(*)::int as connections from pg_stat_activity
          where datname = current_database()
            and application_name in ('signalpost-api', 'signalpost-worker', 'signalpost-listen')`,
};

/**
 * Finds work that no worker does. That is an error when no worker is alive while another process of the
 * service is, and once a delivery has been due for a minute.
 */
export async function checkWorkers(read: Pick<Read, 'sql'>): Promise<Finding> {
  const workers = await readAliveWorkers(read);
  const { ready, oldestBacklogSeconds } = await readBacklog(read);
  const roles = new Set(workers.flatMap((worker) => worker.roles));
  const missing = everyRole.filter((role) => !roles.has(role));
  const alive = `${workers.length} alive`;
  const due = `the oldest due delivery waits ${Math.floor(oldestBacklogSeconds)} s`;
  if (missing.length === 0) return ok('workers', `${alive}; ${due}`);
  const advice =
    'Start one with "node dist/workers/main.js", or without a DATABASE_URL everything with "npm start", and look at the logs of workers that ended';
  const lacking =
    workers.length === 0
      ? `no worker has polled within ${aliveSeconds} s`
      : `${alive}, none with the role ${missing.join(' or ')}`;
  if (workers.length === 0 && (await isServing(read))) {
    return problem(
      'workers',
      `${lacking}, but the service runs: deliveries, mails and expiries wait. ${ready} are due and ${due}. ${advice}`,
    );
  }
  const overdue = !roles.has('deliver') && oldestBacklogSeconds > overdueSeconds;
  return overdue
    ? problem('workers', `${lacking}, ${ready} are due and ${due}. ${advice}`)
    : warning('workers', `${lacking}. ${advice}`);
}

async function isServing(read: Pick<Read, 'sql'>): Promise<boolean> {
  const [row] = await read.sql<{ connections: number }>(servingStatement, []);
  return (row?.connections ?? 0) > 0;
}
