import { apiNodeOptions } from '../src/launcher/api-node-options.js';
import { arrangeAccount, arrangeEndpoints, arrangeToken } from './arrange.js';
import type { Ground } from './bench-service.js';
import type { Loaded } from './parties/load.js';
import { type Party, residentMiB, startParty } from './party.js';
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

/** The two operations, a server that always does the same sum, and memory of the API process in MiB. */
export interface FacadeFigures {
  readonly retrieve: OperationFigures;
  readonly create: OperationFigures;
  readonly steady: SideFigures;
  readonly restMiB: number;
  readonly loadMiB: number;
}

/** How much of what it can do is asked of a side where its latencies count. */
export const pacedShare = 0.8;

const connections = 50;
/** The accounts that create: one of them has few endpoints, and its changes take turns (ADR 0016). */
const accounts = 20;
const databasePool = 10;
/** Requests that do not count, before those that do: connections are opened meanwhile. */
const warmUpMs = 1_000;

/** Who answers, and what it is asked. */
interface Side {
  readonly pid: number;
  readonly question: object;
  readonly figures: SideFigures;
}

/**
 * Retrieve and create through the facade, against Koa routes written by hand; they take turns, while it
 * is about retrieving with a server that does nothing but the same sum.
 */
export async function benchFacade(
  ground: Ground,
  rounds: number,
  forMs: number,
  progress: (line: string) => void,
): Promise<FacadeFigures> {
  const account = await arrangeAccount(ground);
  const tokens = [await arrangeToken(ground, account, 'live')];
  for (let each = 1; each < accounts; each += 1) {
    tokens.push(await arrangeToken(ground, await arrangeAccount(ground), 'live'));
  }
  const [endpoint = ''] = await arrangeEndpoints(ground, account, [
    'https://receiver.example/hook',
  ]);
  const api = await ground.startApi();
  const restMiB = residentMiB(api.pid);
  const { databaseUrl, logFile } = ground;
  const setup = { databaseUrl, pool: databasePool, logFile };
  const plain = await startParty('plain-koa', setup, apiNodeOptions);
  const sums = await startParty('steady', {}, apiNodeOptions);
  const load = await startParty('load', { connections });
  const side = ({ pid, port }: { pid: number; port: number }, operation: object): Side => {
    const question = { tokens, ...operation, origin: `http://127.0.0.1:${port}` };
    return { pid, question, figures: noFigures() };
  };
  const apiParty = { pid: api.pid, port: api.restPort };
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
    for (const { question } of sides) await load.ask({ ...question, forMs: forMs / 2 });
    for (let round = 1; round <= rounds; round += 1) {
      for (const ask of [askForMost, askAtPace]) {
        for (const each of sides) {
          await arrange();
          await ask(load, each, forMs);
        }
      }
      progress(`requests, round ${round} of ${rounds}`);
    }
  };
  const steady = side(sums, { method: 'GET', path: '/', expect: 200 });
  const retrieving = [side(plain, retrieve), side(apiParty, retrieve)] as const;
  const creating = [side(plain, create), side(apiParty, create)] as const;
  await run([steady, ...retrieving]);
  await run(creating, async () => {
    // An account has a thousand at most, and creating counts them.
    await ground.query(
      'update endpoint set deleted_at = now() where deleted_at is null and id <> $1',
      [endpoint],
    );
    await ground.query('vacuum endpoint');
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

async function askForMost(load: Party, { pid, question, figures }: Side, forMs: number) {
  const usedMs = processorMs(pid) ?? Number.NaN;
  const { asked, perSecond, p50, p99 } = await load.ask<Loaded>({ ...question, warmUpMs, forMs });
  figures.costs.push((((processorMs(pid) ?? Number.NaN) - usedMs) * 1_000) / asked);
  figures.perSecond.push(perSecond);
  figures.p50.push(p50);
  figures.p99.push(p99);
}

async function askAtPace(load: Party, { question, figures }: Side, forMs: number) {
  const perSecond = pacedShare * (figures.perSecond.at(-1) ?? Number.NaN);
  const calm = { ...question, warmUpMs, forMs, perSecond };
  const { p50, p99, perSecond: kept } = await load.ask<Loaded>(calm);
  figures.paced.kept.push(kept / perSecond);
  figures.paced.p50.push(p50);
  figures.paced.p99.push(p99);
}

function operationFigures([ceiling, candidate]: readonly [Side, Side]): OperationFigures {
  return { ceiling: ceiling.figures, candidate: candidate.figures };
}

function noFigures(): SideFigures {
  return { perSecond: [], p50: [], p99: [], costs: [], paced: { kept: [], p50: [], p99: [] } };
}
