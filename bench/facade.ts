import { apiNodeOptions } from '../src/launcher/api-node-options.js';
import { arrangeAccount, arrangeEndpoints, arrangeToken } from './arrange.js';
import type { Ground } from './bench-service.js';
import type { Loaded } from './parties/load.js';
import { residentMiB, startParty } from './party.js';
import { processorMs } from './processor-time.js';

/** What one side did with one operation, a figure for each round; latencies in ms. */
export interface SideFigures {
  readonly perSecond: number[];
  readonly p50: number[];
  readonly p99: number[];
  /** Microseconds of processor time that the side's process used for one request; NaN without /proc. */
  readonly costs: number[];
  /** The latencies at {@link pacedShare} of what the same side did in the same round. */
  readonly paced: {
    /** Of what was asked for, how much was answered in the time; below 1 it was too much. */
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

/** The two operations, and memory of the API process in MiB. */
export interface FacadeFigures {
  readonly retrieve: OperationFigures;
  readonly create: OperationFigures;
  readonly restMiB: number;
  readonly loadMiB: number;
}

/** How much of what it can do is asked of a side where its latencies count. */
export const pacedShare = 0.8;

const connections = 50;
const databasePool = 10;

/** Retrieve and create through the facade, against Koa routes written by hand; they take turns. */
export async function benchFacade(
  ground: Ground,
  rounds: number,
  forMs: number,
  progress: (line: string) => void,
): Promise<FacadeFigures> {
  const account = await arrangeAccount(ground);
  const token = await arrangeToken(ground, account, 'live');
  const [endpoint = ''] = await arrangeEndpoints(ground, account, [
    'https://receiver.example/hook',
  ]);
  const api = await ground.startApi();
  const restMiB = residentMiB(api.pid);
  const { databaseUrl, logFile } = ground;
  const setup = { databaseUrl, pool: databasePool, logFile };
  const plain = await startParty('plain-koa', setup, apiNodeOptions);
  const load = await startParty('load', { connections });
  const origins = [`http://127.0.0.1:${plain.port}`, `http://127.0.0.1:${api.restPort}`] as const;
  const retrieve = { method: 'GET', path: `/v1/webhooks/endpoints/${endpoint}`, expect: 200 };
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
  const run = async (operation: object): Promise<OperationFigures> => {
    const figures: OperationFigures = { ceiling: noFigures(), candidate: noFigures() };
    const sides = [
      { pid: plain.pid, origin: origins[0], side: figures.ceiling },
      { pid: api.pid, origin: origins[1], side: figures.candidate },
    ];
    for (const origin of origins) await load.ask({ ...operation, origin, token, forMs: forMs / 2 });
    for (let round = 1; round <= rounds; round += 1) {
      for (const { pid, origin, side } of sides) {
        const most = { ...operation, origin, token, forMs };
        const usedMs = processorMs(pid) ?? Number.NaN;
        const { requests, perSecond, p50, p99 } = await load.ask<Loaded>(most);
        side.costs.push((((processorMs(pid) ?? Number.NaN) - usedMs) * 1_000) / requests);
        side.perSecond.push(perSecond);
        side.p50.push(p50);
        side.p99.push(p99);
      }
      for (const { origin, side } of sides) {
        const perSecond = pacedShare * (side.perSecond.at(-1) ?? Number.NaN);
        const calm = { ...operation, origin, token, forMs, perSecond };
        const { p50, p99, perSecond: kept } = await load.ask<Loaded>(calm);
        side.paced.kept.push(kept / perSecond);
        side.paced.p50.push(p50);
        side.paced.p99.push(p99);
      }
      progress(`requests, round ${round} of ${rounds}`);
    }
    return figures;
  };
  const figures = { retrieve: await run(retrieve), create: await run(create) };
  const loadMiB = residentMiB(api.pid);
  await load.end();
  await plain.end();
  await api.end();
  return { ...figures, restMiB, loadMiB };
}

function noFigures(): SideFigures {
  return { perSecond: [], p50: [], p99: [], costs: [], paced: { kept: [], p50: [], p99: [] } };
}
