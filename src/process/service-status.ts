// The status of the service for operators: `/status`, and the facts on their pages.
import { readBacklog } from '../domain/delivery/backlog.js';
import {
  type EngineFacts,
  orNull,
  readEngineFacts,
  readFlow,
  type ServiceFacts,
} from '../domain/service/engine-facts.js';
import type { Read } from '../domain/transaction/tx.js';
import { aliveSeconds, readAliveWorkers } from '../domain/worker/heartbeats.js';
import { checkHealth, type Health } from './health.js';

/** The answer to what an operator asks first. A part that cannot be read is null. */
export interface ServiceStatus extends Readonly<Record<string, unknown>> {
  readonly status: 'ready' | 'not ready';
}

export interface StatusSources {
  readonly read: Read;
  readonly health: Health;
  /** Wake-ups that wait in the queue, by kind. */
  readonly depths: () => Promise<Readonly<Record<string, number>>>;
}

/** Reads workers and backlog for a scrape of the API. @throws what PostgreSQL throws */
export async function readEngine(read: Read) {
  const [workers, backlog] = await Promise.all([readAliveWorkers(read), readBacklog(read)]);
  return { workersAlive: workers.length, ...backlog };
}

async function readParts({ read, health, depths }: StatusSources) {
  const [{ ready, dependencies }, facts, queueDepths] = await Promise.all([
    checkHealth(health),
    readEngineFacts(read),
    orNull(depths()),
  ]);
  return { ready, dependencies, facts, queueDepths };
}

/** Reads the whole status. */
export async function readStatus(sources: StatusSources): Promise<ServiceStatus> {
  const { ready, dependencies, facts, queueDepths } = await readParts(sources);
  const status = ready ? 'ready' : 'not ready';
  return {
    status,
    problems: problemsOf(facts, dependencies),
    dependencies,
    ...documentOf(facts),
    queue_depth: queueDepths,
  };
}

/** What needs an operator although the API is ready. */
function problemsOf(
  { workers }: EngineFacts,
  { writes }: Readonly<Record<string, unknown>>,
): string[] {
  const noWorker = `No worker has polled within ${aliveSeconds} s: deliveries, mails and expiries wait. Start a worker.`;
  return [
    ...(writes === 'refused' ? [writesRefused] : []),
    ...(workers?.length === 0 ? [noWorker] : []),
  ];
}

const writesRefused =
  'PostgreSQL refused a write within the last minute: its disk is full or fails, or it only reads. Make room, or make it writable.';

function documentOf({ workers, backlog, notices, recoveries, fullAccounts }: EngineFacts) {
  return {
    workers:
      workers?.map(({ id, roles, version, startedAt, seenSeconds }) => ({
        id,
        roles,
        version,
        started_at: startedAt.toISOString(),
        seen_seconds: seenSeconds,
      })) ?? null,
    pending_deliveries: backlog && {
      ready: backlog.ready,
      claimed: backlog.claimed,
      waiting: backlog.waiting,
      isolated: backlog.isolated,
      dead_letters: backlog.deadLettered,
      oldest_due_seconds: backlog.oldestDueSeconds,
      backlog_oldest_seconds: backlog.oldestBacklogSeconds,
    },
    notices: notices && {
      pending: notices.pending,
      refused: notices.refused,
      oldest_seconds: notices.oldestPendingSeconds,
    },
    recoveries,
    accounts_full: fullAccounts,
  };
}

/** Pages of several operators ask every few seconds; they share an answer. */
const sharedForMs = 2_000;

/** Returns a function that reads the facts for the pages of operators, at most every 2 seconds. */
export function serviceFacts(sources: StatusSources): () => Promise<ServiceFacts> {
  let reading: Promise<ServiceFacts> | undefined;
  let readAt = -Infinity;
  const readAll = async (): Promise<ServiceFacts> => {
    const [{ facts, ...parts }, flow] = await Promise.all([
      readParts(sources),
      readFlow(sources.read),
    ]);
    return { ...parts, ...facts, ...flow };
  };

  return () => {
    if (reading === undefined || performance.now() - readAt >= sharedForMs) {
      readAt = performance.now();
      reading = readAll();
    }
    return reading;
  };
}
