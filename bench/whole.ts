import { setTimeout as pause } from 'node:timers/promises';
import { createBenchToken, createSubscribers, eventType } from './fixtures.js';
import type { BenchService } from './bench-service.js';
import { startActor } from './actor.js';
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
  /** Deliveries without a record when the last request had its response. */
  readonly pending: number[];
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
  'as fast as it goes': {},
  'in batches of 100': { batch: 100, lanes: 10 },
} as const;
type Load = (typeof loads)[keyof typeof loads];

const connections = 50;
/** The processes may still be finishing what the load caused. */
const calmMs = 1_000;
const idleSeconds = 5;

/** Waits until a load leaves nothing to do and no dead rows, which the next one would pay for. */
async function becomeCalm({ query }: BenchService): Promise<void> {
  const isBusy = async () => (await query('select 1 from pending_delivery limit 1')).length > 0;
  while (await isBusy()) await pause(100);
  await query('vacuum analyze');
  await query('checkpoint');
  await pause(calmMs);
}

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
  const turn = async (load: Load) => {
    await becomeCalm(service);
    return runTurn({ service, publisher, receiver, pids }, { ...load, forMs });
  };
  const figures = new Map<string, WholeLoadFigures>();
  const wanted = Object.entries(loads);
  // Not counted: connections open and code compiles.
  for (const [, load] of wanted) await turn(load);
  const idle: Record<string, number[]> = {};
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, load] of wanted) {
      const into = figures.get(name) ?? noFigures();
      figures.set(name, into);
      addTurn(into, await turn(load));
    }
    await becomeCalm(service);
    const meter = new ProcessorMeter(pids);
    await meter.during(idleSeconds, () => pause(idleSeconds * 1_000));
    addCosts(idle, meter.costs());
    progress(`the whole way of an event, round ${round} of ${rounds}`);
  }
  for (const [name, load] of wanted) {
    const into = figures.get(name);
    if (into)
      into.database = await countDatabaseWork(service.query, async () => (await turn(load)).count);
  }
  for (const each of [publisher, worker, api, receiver]) await each.end();
  return { server: await serverOf(service), loads: Object.fromEntries(figures), idle };
}

function noFigures(): WholeLoadFigures {
  return {
    ...{ perSecond: [], costs: {}, pending: [] },
    ...{ sentP50: [], sentP99: [], acceptedP50: [], acceptedP99: [] },
  };
}

function addTurn(into: WholeLoadFigures, turn: Turn): void {
  into.perSecond.push(turn.perSecond);
  into.pending.push(turn.pending);
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
