import { arrangeAccount, arrangeEndpoints, arrangeToken } from './arrange.js';
import type { Ground } from './bench-service.js';
import { residentMiB, startParty } from './party.js';

/** Requests per second of each round of one operation, and the candidate's latencies in ms. */
export interface OperationFigures {
  readonly ceiling: number[];
  readonly candidate: number[];
  readonly p50: number[];
  readonly p99: number[];
  /** The latencies at {@link pacedShare} of what the candidate did in the same round. */
  readonly paced: {
    /** Of what was asked for, how much was answered in the time; below 1 it was too much. */
    readonly kept: number[];
    readonly p50: number[];
    readonly p99: number[];
  };
}

/** The two operations, and memory of the API process in MiB. */
export interface FacadeFigures {
  readonly retrieve: OperationFigures;
  readonly create: OperationFigures;
  readonly restMiB: number;
  readonly loadMiB: number;
}

interface Answer {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** How much of what it can do is asked of the candidate where its latencies count. */
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
  const plain = await startParty('plain-koa', {
    databaseUrl: ground.databaseUrl,
    pool: databasePool,
    logFile: ground.logFile,
  });
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
    const paced = { kept: [] as number[], p50: [] as number[], p99: [] as number[] };
    const figures: OperationFigures = { ceiling: [], candidate: [], p50: [], p99: [], paced };
    for (const origin of origins) await load.ask({ ...operation, origin, token, forMs: forMs / 2 });
    for (let round = 1; round <= rounds; round += 1) {
      const ceiling = await load.ask<Answer>({ ...operation, origin: origins[0], token, forMs });
      const candidate = await load.ask<Answer>({ ...operation, origin: origins[1], token, forMs });
      figures.ceiling.push(ceiling.perSecond);
      figures.candidate.push(candidate.perSecond);
      figures.p50.push(candidate.p50);
      figures.p99.push(candidate.p99);
      const perSecond = pacedShare * candidate.perSecond;
      const calm = { ...operation, origin: origins[1], token, forMs, perSecond };
      const { p50, p99, perSecond: kept } = await load.ask<Answer>(calm);
      paced.kept.push(kept / perSecond);
      paced.p50.push(p50);
      paced.p99.push(p99);
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
