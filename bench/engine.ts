import { makeSecret } from '../src/domain/endpoint/secrets.js';
import {
  createBenchAccount,
  createBenchEndpoints,
  insertDueSample,
  bodyOf,
  insertDue,
} from './fixtures.js';
import type { BenchService } from './bench-service.js';
import {
  countDatabaseWork,
  type DatabaseCosts,
  type ProcessorCosts,
  ProcessorMeter,
} from './costs.js';
import { residentMiB, startActor } from './actor.js';

/** Deliveries per second of each round, and memory of the worker in MiB. */
export interface EngineFigures {
  readonly ceiling: number[];
  readonly loop: number[];
  readonly candidate: number[];
  readonly restMiB: number;
  readonly loadMiB: number;
  readonly receiver: string;
  readonly ceilingCosts: ProcessorCosts;
  readonly loopCosts: ProcessorCosts;
  readonly candidateCosts: ProcessorCosts;
  readonly databaseCosts: DatabaseCosts;
}

interface Elapsed {
  readonly elapsedMs: number;
}

const inFlight = 200;
const endpointCount = 50;

/** The receiver of all sides. */
interface Target {
  readonly name: string;
  readonly origin: string;
  readonly pid: number;
  /** Connections of the sender of the ceiling. */
  readonly connections: number;
}

/** The sides that take turns: a process that only sends, a hand-written loop, and a worker. */
const sides = ['ceiling', 'loop', 'candidate'] as const;
type Side = (typeof sides)[number];

/**
 * Measures one worker process from due rows to recorded results, in turns with two others:
 * - the ceiling only signs and POSTs the same bodies, with as many requests in flight
 * - the loop takes and records the same rows in hand-written code
 * @param count deliveries per turn
 */
export async function benchEngine(
  service: BenchService,
  target: Target,
  rounds: number,
  count: number,
  progress: (line: string) => void,
): Promise<EngineFigures> {
  const { worker, turns, arrange, end } = await startSides(service, target, count);
  const restMiB = residentMiB(worker.pid);

  for (const side of sides) await turns[side].run(turns[side].warmUp);

  const perSecond: Record<Side, number[]> = { ceiling: [], loop: [], candidate: [] };
  for (let round = 1; round <= rounds; round += 1) {
    for (const side of sides) {
      const elapsedMs = await turns[side].run(turns[side].measured);
      perSecond[side].push((count / elapsedMs) * 1_000);
    }
    progress(`deliveries to ${target.name}, round ${round} of ${rounds}`);
  }

  const deliverAll = await arrange();
  const databaseCosts = await countDatabaseWork(service.query, async () => {
    await deliverAll();
    return count;
  });

  const loadMiB = residentMiB(worker.pid);

  await end();

  return {
    ...perSecond,
    restMiB,
    loadMiB,
    receiver: target.name,
    ceilingCosts: turns.ceiling.measured.costs(),
    loopCosts: turns.loop.measured.costs(),
    candidateCosts: turns.candidate.measured.costs(),
    databaseCosts,
  };
}

async function startSides(service: BenchService, target: Target, count: number) {
  const body = bodyOf(1_024);
  const { caFile, databaseUrl, logFile, postgresPid } = service;
  const { origin, connections } = target;
  const shared = { origin, caFile, secret: makeSecret(), inFlight, connections };
  const sender = await startActor('sender', { ...shared, body });
  const loop = await startActor('bare-loop', { ...shared, databaseUrl, logFile });
  const account = await createBenchAccount(service);
  const urls = Array.from({ length: endpointCount }, () => `${origin}/`);
  const endpoints = await createBenchEndpoints(service, account, urls);
  const worker = await service.startWorker();
  const arrange = () => insertDueSample(service, endpoints, body, count);
  const others = { PostgreSQL: postgresPid, receiver: target.pid };

  return {
    worker,
    arrange,
    turns: {
      ceiling: turnOf({ sender: sender.pid, receiver: target.pid }, async (meter) => {
        const { elapsedMs } = await meter.during(count, () => sender.ask<Elapsed>({ count }));
        return elapsedMs;
      }),
      loop: turnOf({ loop: loop.pid, ...others }, async (meter) => {
        // Stopped, because the worker would claim the same rows.
        process.kill(worker.pid, 'SIGSTOP');
        try {
          await insertDue(service, endpoints, body, count);
          const { elapsedMs } = await meter.during(count, () => loop.ask<Elapsed>({}));
          return elapsedMs;
        } finally {
          process.kill(worker.pid, 'SIGCONT');
        }
      }),
      candidate: turnOf({ worker: worker.pid, ...others }, async (meter) =>
        meter.during(count, await arrange()),
      ),
    },
    end: () => Promise.all([worker.end(), sender.end(), loop.end()]),
  };
}

/** The turn of a side, which returns its ms, with meters for the warm-up and for the measured turns. */
function turnOf(
  pids: Readonly<Record<string, number>>,
  run: (meter: ProcessorMeter) => Promise<number>,
) {
  return { run, warmUp: new ProcessorMeter(pids), measured: new ProcessorMeter(pids) };
}

/** The receiver that responds at once, which measures the sender. */
export function fastTarget({ receiver, receiverOrigin }: BenchService): Target {
  const { name, pid } = receiver;
  return { name, pid, origin: receiverOrigin, connections: 50 };
}

/** Delays of slow receivers in ms: 90 % as a network has, 1 % a whole second. */
const delays = [
  [0.9, 20, 60],
  [0.09, 100, 300],
  [0.01, 1_000, 1_000],
] as const;

/** One process with realistic delays. The sender has as many connections as requests in flight. */
export async function slowTarget(
  service: BenchService,
): Promise<Target & { readonly end: () => Promise<void> }> {
  const actor = await startActor('receiver', { ...service.certificate, delays });
  const { pid, port } = actor;
  const origin = `https://localhost:${port}`;
  return { name: 'slow receivers', pid, origin, connections: 200, end: () => actor.end() };
}
