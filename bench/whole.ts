import { setTimeout as pause } from 'node:timers/promises';
import { createBenchToken, createSubscribers, eventType } from './fixtures.js';
import type { BenchService } from './bench-service.js';
import { startActor } from './actor.js';
import { becomeCalm } from './become-calm.js';
import {
  countDatabaseWork,
  type DatabaseCosts,
  type ProcessorCosts,
  ProcessorMeter,
} from './engine-cost.js';
import { quantile } from './statistics.js';
import { runTurn, type Turn } from './whole-turn.js';

/** The whole way of an event under one load, one figure per round. */
export interface WholeLoadFigures {
  /** Events from the first request to the last record. */
  readonly perSecond: number[];
  /** Processor time of an event in µs, by process; of the idle service, of a second. */
  readonly costs: Record<string, number[]>;
  /** From the request that publishes an event to its arrival at the receiver, in ms. */
  readonly sentP50: number[];
  readonly sentP99: number[];
  /** From the response that accepts it. */
  readonly acceptedP50: number[];
  readonly acceptedP99: number[];
  /** Deliveries without a record in the middle, and when the last request had its response. */
  readonly pendingMiddle: number[];
  readonly pendingEnd: number[];
  /** Of one more turn, which does not count otherwise. */
  database?: DatabaseCosts;
}

/** Publish over HTTP, deliver, record: one API process and one worker. */
export interface WholeFigures {
  /** Version of PostgreSQL, and whether it has JIT. */
  readonly server: string;
  /** By name of the load. */
  readonly loads: Readonly<Record<string, WholeLoadFigures>>;
  /** Processor time of a second with nothing to do in µs, by process. */
  readonly idle: Readonly<Record<string, number[]>>;
}

/** The loads, by name; see `bench/actors/publisher.ts`. */
const loads = {
  'at 20/s': { perSecond: 20 },
  'at 200/s': { perSecond: 200 },
  'at 600/s': { perSecond: 600 },
  'as fast as it goes': {},
  'in batches of 100': { batch: 100, lanes: 10 },
} as const;
type Load = (typeof loads)[keyof typeof loads];

const connections = 50;
const idleSeconds = 5;
/** The length of turns that are not timed, at most. */
const untimedMs = 4_000;

/** Publishes events of 1 KiB over the internal GraphQL: 20 accounts with one endpoint each. */
export async function benchWhole(
  service: BenchService,
  rounds: number,
  forMs: number,
  progress: (line: string) => void,
): Promise<WholeFigures> {
  const receiver = await startActor('receiver', { ...service.certificate, notes: true });
  const accounts = await createSubscribers(service, receiver.port);
  const token = await createBenchToken(service, accounts[0] ?? '', 'internal');
  const api = await service.startApi();
  const worker = await service.startWorker();
  const publisher = await startActor('publisher', {
    origin: `http://127.0.0.1:${api.port}`,
    ...{ token, accounts, eventType, connections },
  });
  const pids = {
    API: api.pid,
    worker: worker.pid,
    PostgreSQL: service.postgresPid,
    ...(service.redisPid !== undefined && { Redis: service.redisPid }),
  };
  const parties = { service, publisher, receiver, pids };
  const run = (load: Load, ms: number) => runTurn(parties, { ...load, forMs: ms });
  const calmBefore = (load: Load) => becomeCalm(service, (ms) => run(load, ms));
  const figures = new Map<string, WholeLoadFigures>();
  const wanted = Object.entries(loads);
  const shortMs = Math.min(forMs, untimedMs);
  // Not counted: connections open and code compiles.
  for (const [, load] of wanted) await run(load, shortMs);
  const idle: Record<string, number[]> = {};
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, load] of wanted) {
      const into = figures.get(name) ?? noFigures();
      figures.set(name, into);
      await calmBefore(load);
      addTurn(into, await run(load, forMs));
    }
    await becomeCalm(service);
    const meter = new ProcessorMeter(pids);
    await meter.during(idleSeconds, () => pause(idleSeconds * 1_000));
    addCosts(idle, meter.costs());
    progress(`the whole way of an event, round ${round} of ${rounds}`);
  }
  for (const [name, load] of wanted) {
    const into = figures.get(name);
    await calmBefore(load);
    // Otherwise the log would have whole pages, as after each checkpoint.
    await run(load, shortMs);
    const work = async () => (await run(load, shortMs)).count;
    if (into) into.database = await countDatabaseWork(service.query, work);
  }
  for (const each of [publisher, worker, api, receiver]) await each.end();
  return { server: await serverOf(service), loads: Object.fromEntries(figures), idle };
}

function noFigures(): WholeLoadFigures {
  return {
    ...{ perSecond: [], costs: {}, pendingMiddle: [], pendingEnd: [] },
    ...{ sentP50: [], sentP99: [], acceptedP50: [], acceptedP99: [] },
  };
}

function addTurn(into: WholeLoadFigures, turn: Turn): void {
  into.perSecond.push(turn.perSecond);
  into.pendingMiddle.push(turn.pending.middle);
  into.pendingEnd.push(turn.pending.end);
  into.sentP50.push(quantile(turn.sinceSent, 0.5));
  into.sentP99.push(quantile(turn.sinceSent, 0.99));
  into.acceptedP50.push(quantile(turn.sinceAccepted, 0.5));
  into.acceptedP99.push(quantile(turn.sinceAccepted, 0.99));
  addCosts(into.costs, turn.costs);
}

function addCosts(into: Record<string, number[]>, costs: ProcessorCosts): void {
  for (const [name, used] of Object.entries(costs)) (into[name] ??= []).push(used);
}

async function serverOf(service: BenchService): Promise<string> {
  const [row] = await service.query<{ major: string; jit: boolean }>(
    `select split_part(current_setting('server_version'), '.', 1) as major, pg_jit_available() as jit`,
  );
  return `PostgreSQL ${row?.major ?? '?'} ${row?.jit ? 'with JIT' : 'without JIT'}`;
}
