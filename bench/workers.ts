import { ratios, spread } from './statistics.js';
import { cpus } from 'node:os';
import { createBenchAccount, createBenchEndpoints, insertDueSample, bodyOf } from './fixtures.js';
import type { BenchService } from './bench-service.js';
import { type ProcessorCosts, ProcessorMeter } from './costs.js';

/** The results of several workers together. */
export interface WorkersFigures {
  readonly perSecond: number[];
  /** In the last round. */
  readonly costs: ProcessorCosts;
  /** The share of the machine's processor time that these processes used, by round. */
  readonly busy: number[];
}

const counts = [1, 2, 4] as const;
const endpointCount = 50;

/**
 * Measures one, two and four worker processes, in turns, from due rows to recorded results.
 * @param count deliveries per turn
 * @returns the results by number of workers
 */
export async function benchWorkers(
  service: BenchService,
  rounds: number,
  count: number,
  progress: (line: string) => void,
): Promise<Record<string, WorkersFigures>> {
  const account = await createBenchAccount(service);
  const urls = Array.from({ length: endpointCount }, () => `${service.receiverOrigin}/`);
  const endpoints = await createBenchEndpoints(service, account, urls);
  const body = bodyOf(1_024);
  const figures: Record<string, WorkersFigures> = {};
  for (let round = 1; round <= rounds; round += 1) {
    for (const workers of counts) {
      const { perSecond = [], busy = [] } = figures[workers] ?? {};
      const started = await Promise.all(
        Array.from({ length: workers }, () => service.startWorker()),
      );
      const pids = started.map(({ pid }, place) => [`worker ${place + 1}`, pid] as const);
      const meter = new ProcessorMeter({
        ...Object.fromEntries(pids),
        PostgreSQL: service.postgresPid,
        receiver: service.receiver.pid,
      });

      await (
        await insertDueSample(service, endpoints, body, Math.ceil(count / 4))
      )();

      const deliverAll = await insertDueSample(service, endpoints, body, count);
      const elapsedMs = await meter.during(count, deliverAll);

      for (const worker of started) await worker.end();

      const costs = meter.costs();
      const usedMs = Object.values(costs).reduce((sum, cost) => sum + cost, 0) * (count / 1_000);

      perSecond.push((count / elapsedMs) * 1_000);
      busy.push(usedMs / (elapsedMs * cpus().length));
      figures[workers] = { perSecond, busy, costs };
      progress(`${workers} workers, round ${round} of ${rounds}`);
    }
  }

  return figures;
}

/** One worker is in the column of the ceiling. */
export function workersLine(
  queue: string,
  count: string,
  { perSecond, costs, busy }: WorkersFigures,
  one: WorkersFigures,
): string {
  const microseconds = Object.entries(costs)
    .map(([who, each]) => `${who} ${each.toFixed(0)}`)
    .join(', ');
  return `| workers: ${count}, queue on ${queue} | ${spread(perSecond)}/s | ${spread(one.perSecond)}/s (one worker) | ${spread(ratios(perSecond, one.perSecond), 2)} | µs of processor for a delivery: ${microseconds}; these use ${spread(busy, 2)} of the machine |`;
}
