import { apiNodeOptions } from '../tools/launcher/child-process.js';
import { createBenchAccount, createBenchEndpoints, createBenchToken } from './fixtures.js';
import type { BenchService } from './bench-service.js';
import type { Loaded } from './actors/load.js';
import { type Actor, residentMiB, startActor } from './actor.js';
import { processorMs } from './costs.js';

/** The results of one side with one operation, one figure per round; latencies in ms. */
export interface SideFigures {
  readonly perSecond: number[];
  readonly p50: number[];
  readonly p99: number[];
  /** Processor time of the process per request in µs; NaN without /proc. */
  readonly costs: number[];
  /** Latencies at {@link atRateShare} of the throughput of the same side in the same round. */
  readonly atRate: {
    /** The share of the requested rate that got responses in time; below 1, the rate was too high. */
    readonly kept: number[];
    readonly p50: number[];
    readonly p99: number[];
  };
}

/** One operation, on both sides. */
export interface OperationFigures {
  readonly ceiling: SideFigures;
  readonly candidate: SideFigures;
}

/** Two operations, a server that always computes the same sum, and memory of the API process in MiB. */
export interface FacadeFigures {
  readonly retrieve: OperationFigures;
  readonly create: OperationFigures;
  readonly steady: SideFigures;
  readonly restMiB: number;
  readonly loadMiB: number;
}

/** Latencies are measured at this share of the highest throughput. */
export const atRateShare = 0.8;

const connections = 50;
/** Accounts that create: each may have few endpoints, and its changes take turns (ADR 0016). */
const accounts = 20;
const databasePool = 10;
/** Requests of this time do not count: connections open. */
const warmUpMs = 1_000;

interface Side {
  readonly pid: number;
  readonly command: object;
  readonly figures: SideFigures;
}

/**
 * Measures retrieve and create through the REST API, in turns with hand-written Koa routes. Retrieving
 * also takes turns with a server that only computes a sum.
 */
export async function benchFacade(
  service: BenchService,
  rounds: number,
  forMs: number,
  progress: (line: string) => void,
): Promise<FacadeFigures> {
  const account = await createBenchAccount(service);
  const tokens = [await createBenchToken(service, account, 'live')];
  for (let index = 1; index < accounts; index += 1) {
    tokens.push(await createBenchToken(service, await createBenchAccount(service), 'live'));
  }

  const [endpoint = ''] = await createBenchEndpoints(service, account, [
    'https://receiver.example/hook',
  ]);
  const api = await service.startApi();
  const restMiB = residentMiB(api.pid);
  const { databaseUrl, logFile } = service;
  const setup = { databaseUrl, pool: databasePool, logFile };
  const plain = await startActor('plain-koa', setup, apiNodeOptions);
  const sums = await startActor('steady', {}, apiNodeOptions);
  const load = await startActor('load', { connections });
  const side = ({ pid, port }: { pid: number; port: number }, operation: object): Side => {
    const command = { tokens, ...operation, origin: `http://127.0.0.1:${port}` };
    return { pid, command, figures: noFigures() };
  };

  const apiActor = { pid: api.pid, port: api.restPort };
  const retrieve = {
    method: 'GET',
    path: `/v1/webhooks/endpoints/${endpoint}`,
    expect: 200,
    tokens: tokens.slice(0, 1),
  };

  const create = {
    method: 'POST',
    path: '/v1/webhooks/endpoints',
    expect: 201,
    body: JSON.stringify({
      url: 'https://receiver.example/hook',
      event_types: ['cart.order.completed'],
      notification_email: 'bench@example.com',
    }),
  };

  const run = async (sides: readonly Side[], arrange = async () => {}): Promise<void> => {
    for (const { command } of sides) await load.ask({ ...command, forMs: forMs / 2 });
    for (let round = 1; round <= rounds; round += 1) {
      for (const ask of [askForMost, askAtRate]) {
        for (const side of sides) {
          await arrange();
          await ask(load, side, forMs);
        }
      }
      progress(`requests, round ${round} of ${rounds}`);
    }
  };

  const steady = side(sums, { method: 'GET', path: '/', expect: 200 });
  const retrieving = [side(plain, retrieve), side(apiActor, retrieve)] as const;
  const creating = [side(plain, create), side(apiActor, create)] as const;

  await run([steady, ...retrieving]);

  await run(creating, async () => {
    // Deleted between turns: an account has at most 1,000 endpoints, and creating counts them.
    await service.query(
      'update endpoint set deleted_at = now() where deleted_at is null and id <> $1',
      [endpoint],
    );
    await service.query('vacuum endpoint');
  });

  const loadMiB = residentMiB(api.pid);
  await Promise.all([load.end(), plain.end(), sums.end(), api.end()]);

  return {
    retrieve: operationFigures(retrieving),
    create: operationFigures(creating),
    steady: steady.figures,
    restMiB,
    loadMiB,
  };
}

async function askForMost(load: Actor, { pid, command, figures }: Side, forMs: number) {
  const usedMs = processorMs(pid) ?? Number.NaN;
  const { requested, perSecond, p50, p99 } = await load.ask<Loaded>({
    ...command,
    warmUpMs,
    forMs,
  });
  figures.costs.push((((processorMs(pid) ?? Number.NaN) - usedMs) * 1_000) / requested);
  figures.perSecond.push(perSecond);
  figures.p50.push(p50);
  figures.p99.push(p99);
}

async function askAtRate(load: Actor, { command, figures }: Side, forMs: number) {
  const perSecond = atRateShare * (figures.perSecond.at(-1) ?? Number.NaN);
  const calm = { ...command, warmUpMs, forMs, perSecond };
  const { p50, p99, perSecond: kept } = await load.ask<Loaded>(calm);
  figures.atRate.kept.push(kept / perSecond);
  figures.atRate.p50.push(p50);
  figures.atRate.p99.push(p99);
}

function operationFigures([ceiling, candidate]: readonly [Side, Side]): OperationFigures {
  return { ceiling: ceiling.figures, candidate: candidate.figures };
}

function noFigures(): SideFigures {
  return { perSecond: [], p50: [], p99: [], costs: [], atRate: { kept: [], p50: [], p99: [] } };
}
