import { makeSecret } from '../src/domain/endpoint/secret.js';
import { arrangeAccount, arrangeEndpoints } from './arrange.js';
import type { Ground } from './bench-service.js';
import { arrangeDue, bodyOf } from './due.js';
import {
  countDatabaseWork,
  type DatabaseCosts,
  type ProcessorCosts,
  ProcessorMeter,
} from './engine-costs.js';
import { residentMiB, startParty } from './party.js';

/** Deliveries per second of each round, and memory of the worker in MiB. */
export interface EngineFigures {
  readonly ceiling: number[];
  readonly candidate: number[];
  readonly restMiB: number;
  readonly loadMiB: number;
  readonly receiver: string;
  readonly ceilingCosts: ProcessorCosts;
  readonly candidateCosts: ProcessorCosts;
  readonly databaseCosts: DatabaseCosts;
}

const inFlight = 200;
const endpointCount = 50;

/** Whom both sides send to. */
export interface Target {
  readonly name: string;
  readonly origin: string;
  readonly pid: number;
  /** Connections of the ceiling's sender. */
  readonly connections: number;
}

/**
 * Due rows to settled records by one worker process, against one process that only signs and POSTs
 * the same bodies with as many requests in flight; the two take turns.
 * @param count deliveries per turn
 */
export async function benchEngine(
  ground: Ground,
  target: Target,
  rounds: number,
  count: number,
  progress: (line: string) => void,
): Promise<EngineFigures> {
  const body = bodyOf(1_024);
  const sender = await startParty('sender', {
    origin: target.origin,
    caFile: ground.caFile,
    secret: makeSecret(),
    body,
    inFlight,
    connections: target.connections,
  });
  const account = await arrangeAccount(ground);
  const urls = Array.from({ length: endpointCount }, () => `${target.origin}/`);
  const endpoints = await arrangeEndpoints(ground, account, urls);
  const worker = await ground.startWorker();
  const restMiB = residentMiB(worker.pid);
  const ceiling: number[] = [];
  const candidate: number[] = [];
  await sender.ask({ count });
  const warmUp = await arrangeDue(ground, endpoints, body, count);
  await warmUp();
  const { postgresPid } = ground;
  const ceilingMeter = new ProcessorMeter({ sender: sender.pid, receiver: target.pid });
  const candidateMeter = new ProcessorMeter({
    worker: worker.pid,
    PostgreSQL: postgresPid,
    receiver: target.pid,
  });
  for (let round = 1; round <= rounds; round += 1) {
    const { elapsedMs } = await ceilingMeter.during(count, () =>
      sender.ask<{ elapsedMs: number }>({ count }),
    );
    ceiling.push((count / elapsedMs) * 1_000);
    const settle = await arrangeDue(ground, endpoints, body, count);
    candidate.push((count / (await candidateMeter.during(count, settle))) * 1_000);
    progress(`deliveries to ${target.name}, round ${round} of ${rounds}`);
  }
  const last = await arrangeDue(ground, endpoints, body, count);
  const databaseCosts = await countDatabaseWork(ground.query, count, last);
  const loadMiB = residentMiB(worker.pid);
  await worker.end();
  await sender.end();
  return {
    ceiling,
    candidate,
    restMiB,
    loadMiB,
    receiver: target.name,
    ceilingCosts: ceilingMeter.costs(),
    candidateCosts: candidateMeter.costs(),
    databaseCosts,
  };
}
