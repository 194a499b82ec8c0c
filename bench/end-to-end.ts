import { setTimeout as pause } from 'node:timers/promises';
import { type BenchService, type BenchProcess, becomeCalm } from './bench-service.js';
import { startActor, type Actor } from './actor.js';
import {
  countDatabaseWork,
  type DatabaseCosts,
  type ProcessorCosts,
  ProcessorMeter,
  totalMs,
  statementText,
} from './costs.js';
import { median, quantile, ratios, spread } from './statistics.js';
import type { Arrivals } from './actors/receiver.js';
import type { Published } from './actors/publisher.js';
import { waitsOf } from './waits.js';
import { makeSecret } from '../src/domain/endpoint/secrets.js';
import { withServerSettings } from '../src/database/address.js';
import { apiNodeOptions, workerNodeOptions } from '../tools/launcher/child-process.js';
import { createBenchToken, createSubscribers, eventType } from './fixtures.js';

/** An event from end to end under one load, one figure per round. */
interface LoadFigures {
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
  /** Pending deliveries in the middle, and when the last request had its response. */
  readonly pendingMiddle: number[];
  readonly pendingEnd: number[];
  /** Of one more turn, which does not count otherwise. */
  database?: DatabaseCosts;
}

/** Publish over HTTP, deliver, record: one API process and one worker. */
interface SideFigures {
  /** By name of the load. */
  readonly loads: Readonly<Record<string, LoadFigures>>;
  /** Processor time of a second with nothing to do in µs, by process. */
  readonly idle: Readonly<Record<string, number[]>>;
}

/** Signalpost, and a hand-written service in turns with it. */
export interface EndToEndFigures extends SideFigures {
  /** Version of PostgreSQL, and whether it has JIT. */
  readonly server: string;
  /** It has no batches. */
  readonly handWritten: SideFigures;
  /** An event's processor time over that of the hand-written service, by load: median of paired rounds. */
  readonly overHandWritten: Readonly<Record<string, number>>;
}

/** The loads, by name; see `bench/actors/publisher.ts`. */
const loads = {
  '20/s': { perSecond: 20 },
  '200/s': { perSecond: 200 },
  '600/s': { perSecond: 600 },
  'full-speed': {},
  batches: { batch: 100, lanes: 10 },
} as const;
type Load = (typeof loads)[LoadName];
export type LoadName = keyof typeof loads;
export const loadNames = Object.keys(loads) as LoadName[];

const idleSeconds = 5;
/** Connections that only a start needs end after 10 seconds without use. */
const afterStartMs = 20_000;
/** The length of turns that are not timed, at most. */
const untimedMs = 4_000;

/** How often and how long. */
interface Options {
  readonly loads: readonly LoadName[];
  readonly rounds: number;
  readonly forMs: number;
  readonly progress: (line: string) => void;
}

/** What one side measured so far. */
interface Measured extends Side {
  readonly loads: Record<string, LoadFigures>;
  readonly idle: Record<string, number[]>;
}

/**
 * Publishes events of 1 KiB over the internal GraphQL: 20 accounts with one endpoint each. A hand-written
 * service on a PostgreSQL of its own takes turns, and the other one is idle meanwhile.
 */
export async function benchEndToEnd(
  [service, other]: readonly [service: BenchService, other: BenchService],
  { loads: names, rounds, forMs, progress }: Options,
): Promise<EndToEndFigures> {
  const receiver = await startActor('receiver', { ...service.certificate, notes: true });
  const own = measured(await startSignalpost(service, receiver));
  const handWritten = measured(await startHandWritten(other, receiver));
  const sides = [own, handWritten];
  const sidesOf = (load: Load) => ('batch' in load ? [own] : sides);
  const run = ({ parties }: Side, load: Load, ms: number) =>
    runTurn(parties, { ...load, forMs: ms });
  const calmBefore = (side: Side, load: Load) =>
    becomeCalm(side.parties.service, (ms) => run(side, load, ms));
  const wanted = names.map((name) => [name, loads[name]] as const);
  const shortMs = Math.min(forMs, untimedMs);

  // Before any load: what an end of connections and a vacuum cost later belongs to the load.
  await pause(afterStartMs);

  for (let round = 1; round <= rounds; round += 1) {
    for (const { parties } of sides) await becomeCalm(parties.service);
    await Promise.all(sides.map(measureIdle));
  }

  // Not counted: connections open and code compiles.
  for (const [, load] of wanted) for (const side of sidesOf(load)) await run(side, load, shortMs);

  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, load] of wanted) {
      const inOrder = [...sidesOf(load)];
      if (round % 2 === 0) inOrder.reverse();
      for (const side of inOrder) {
        await calmBefore(side, load);
        addTurn((side.loads[name] ??= noFigures()), await run(side, load, forMs));
      }
    }

    progress(`end to end, round ${round} of ${rounds}`);
  }

  for (const [name, load] of wanted) {
    for (const side of sidesOf(load)) {
      const into = side.loads[name];
      await calmBefore(side, load);
      // Otherwise the log would have whole pages, as after each checkpoint.
      await run(side, load, shortMs);
      const work = async () => (await run(side, load, shortMs)).count;
      if (into) into.database = await countDatabaseWork(side.parties.service.query, work);
    }
  }

  for (const part of [...sides, receiver]) await part.end();

  return {
    server: await serverOf(service),
    loads: own.loads,
    idle: own.idle,
    handWritten: { loads: handWritten.loads, idle: handWritten.idle },
    overHandWritten: over(own.loads, handWritten.loads),
  };
}

function measured(side: Side): Measured {
  return { ...side, loads: {}, idle: {} };
}

function noFigures(): LoadFigures {
  return {
    perSecond: [],
    costs: {},
    pendingMiddle: [],
    pendingEnd: [],
    sentP50: [],
    sentP99: [],
    acceptedP50: [],
    acceptedP99: [],
  };
}

function addTurn(into: LoadFigures, turn: Turn): void {
  into.perSecond.push(turn.perSecond);
  into.pendingMiddle.push(turn.pending.middle);
  into.pendingEnd.push(turn.pending.end);
  into.sentP50.push(quantile(turn.sinceSent, 0.5));
  into.sentP99.push(quantile(turn.sinceSent, 0.99));
  into.acceptedP50.push(quantile(turn.sinceAccepted, 0.5));
  into.acceptedP99.push(quantile(turn.sinceAccepted, 0.99));
  addCosts(into.costs, turn.costs);
}

async function measureIdle({ parties, idle }: Measured): Promise<void> {
  const meter = new ProcessorMeter(parties.pids);
  await meter.during(idleSeconds, () => pause(idleSeconds * 1_000));
  addCosts(idle, meter.costs());
}

function addCosts(into: Record<string, number[]>, costs: ProcessorCosts): void {
  for (const [name, used] of Object.entries(costs)) (into[name] ??= []).push(used);
}

function over(
  own: SideFigures['loads'],
  handWritten: SideFigures['loads'],
): EndToEndFigures['overHandWritten'] {
  const entries = Object.entries(handWritten).map(([name, { costs }]) => {
    const ownCosts = own[name]?.costs ?? {};
    return [name, median(ratios(totalMs(ownCosts), totalMs(costs)))] as const;
  });
  return Object.fromEntries(entries);
}

async function serverOf(service: BenchService): Promise<string> {
  const [row] = await service.query<{ major: string; jit: boolean }>(
    `select split_part(current_setting('server_version'), '.', 1) as major, pg_jit_available() as jit`,
  );
  return `PostgreSQL ${row?.major ?? '?'} ${row?.jit ? 'with JIT' : 'without JIT'}`;
}

const limitMs = 120_000;
const pollMs = 50;

/** The service under load, its client and its receiver. */
interface Parties {
  readonly service: BenchService;
  readonly publisher: Actor;
  readonly receiver: Actor;
  readonly pids: Readonly<Record<string, number>>;
  /** Resolves when the worker has recorded all that it took, if it keeps no pending delivery until then. */
  readonly recorded?: () => Promise<unknown>;
}

/** What one load of some seconds gave. */
interface Turn {
  readonly count: number;
  readonly perSecond: number;
  /** Pending deliveries in the middle, and when the last request had its response. */
  readonly pending: { readonly middle: number; readonly end: number };
  /** Processor time of an event in µs, by process. */
  readonly costs: ProcessorCosts;
  /** ms to the arrival of each event. */
  readonly sinceSent: readonly number[];
  readonly sinceAccepted: readonly number[];
}

/** Publishes for a while, waits until all is delivered and recorded, and measures the processes. */
async function runTurn(
  { service, publisher, receiver, pids, recorded }: Parties,
  command: { readonly forMs: number },
): Promise<Turn> {
  const meter = new ProcessorMeter(pids);
  const startedAt = performance.now();
  const { published, pending } = await meter.during(1, async () => {
    const [answered, middle] = await Promise.all([
      publisher.ask<Published>(command),
      pause(command.forMs / 2).then(() => countPending(service)),
    ]);
    const end = await countPending(service);
    await waitUntilGone(service);
    await recorded?.();
    return { published: answered, pending: { middle, end } };
  });

  const elapsedMs = performance.now() - startedAt;
  const { arrivals } = await receiver.ask<Arrivals>({});
  const { sent, accepted } = published;
  const count = Object.keys(accepted).length;
  const costs = Object.entries(meter.costs()).map(([name, used]) => [name, used / count] as const);
  return {
    count,
    pending,
    perSecond: (count / elapsedMs) * 1_000,
    costs: Object.fromEntries(costs),
    sinceSent: waitsOf(sent, arrivals),
    sinceAccepted: waitsOf(accepted, arrivals),
  };
}

async function countPending({ query }: BenchService): Promise<number> {
  const [row] = await query<{ count: number }>(
    'select count(*)::int as count from pending_delivery',
  );
  return row?.count ?? Number.NaN;
}

async function waitUntilGone({ query }: BenchService): Promise<void> {
  const startedAt = performance.now();
  while ((await query('select 1 from pending_delivery limit 1')).length > 0) {
    if (performance.now() - startedAt > limitMs)
      throw new Error(`Deliveries did not end within ${limitMs} ms.`);
    await pause(pollMs);
  }
}

/** A service that takes turns with another one. Without load it is idle. */
interface Side {
  readonly parties: Parties;
  readonly end: () => Promise<void>;
}

type Receiver = Actor & { readonly port: number };

/** The two processes of a service. */
interface Pair {
  readonly api: Pick<BenchProcess, 'pid' | 'port' | 'end'>;
  readonly worker: Pick<BenchProcess, 'pid' | 'end'>;
  readonly recorded?: Parties['recorded'];
}

const connections = 50;
/** The channel on which the hand-written route notifies the hand-written worker. */
const channel = 'due';

/** Starts Signalpost. */
async function startSignalpost(service: BenchService, receiver: Receiver): Promise<Side> {
  return startSide(service, receiver, {
    api: await service.startApi(),
    worker: await service.startWorker(),
  });
}

/**
 * Starts a minimal service: a route that commits groups and notifies, and a worker that takes, sends and
 * records.
 * @param service its own: each NOTIFY wakes all who listen in the same database
 */
async function startHandWritten(service: BenchService, receiver: Receiver): Promise<Side> {
  const { caFile, logFile } = service;
  const databaseUrl = withServerSettings(service.urlOf('API'));
  const route = { databaseUrl, pool: 10, logFile, grouped: true, channel };
  const origin = `https://localhost:${receiver.port}`;
  const worker = await startActor(
    'bare-worker',
    {
      databaseUrl: service.urlOf('worker'),
      logFile,
      caFile,
      channel,
      origin,
      connections,
      secret: makeSecret(),
    },
    workerNodeOptions,
  );

  return startSide(service, receiver, {
    api: await startActor('plain-intake', route, apiNodeOptions),
    worker,
    recorded: () => worker.ask({}),
  });
}

/** Adds 20 accounts with one endpoint each, and a client that publishes for them. */
async function startSide(
  service: BenchService,
  receiver: Receiver,
  { api, worker, recorded }: Pair,
): Promise<Side> {
  const accounts = await createSubscribers(service, receiver.port);
  const token = await createBenchToken(service, accounts[0] ?? '', 'internal');
  const publisher = await startActor('publisher', {
    origin: `http://127.0.0.1:${api.port}`,
    token,
    accounts,
    eventType,
    connections,
  });

  const pids = {
    API: api.pid,
    worker: worker.pid,
    PostgreSQL: service.postgresPid,
    ...(service.redisPid !== undefined && { Redis: service.redisPid }),
  };

  return {
    parties: { service, publisher, receiver, pids, ...(recorded && { recorded }) },
    async end() {
      for (const child of [publisher, worker, api]) await child.end();
    },
  };
}

const processes = ['API', 'worker', 'PostgreSQL', 'Redis'] as const;

/** A separate table, because its ceiling has its own rows. Empty if it was not measured. */
export function endToEndTable(
  servers: readonly Readonly<Record<string, EndToEndFigures>>[],
): string[] {
  if (servers.length === 0) return [];
  return [
    `| an event | per second | ${processes.map((name) => `${name} µs`).join(' | ')} | all ms | over hand-written | of it idle | less idle | sent → received p50 / p99 ms | accepted → received | pending: middle / end | statements × their time; WAL |`,
    `|${'---|'.repeat(processes.length + 10)}`,
    ...servers.flatMap((queues) =>
      Object.entries(queues).flatMap(([queue, figures]) => queueLines(queue, figures)),
    ),
    '',
  ];
}

function queueLines(queue: string, figures: EndToEndFigures): string[] {
  const { server, handWritten } = figures;
  return [
    ...sideLines(figures, `queue on ${queue}, ${server}`, handWritten),
    ...sideLines(handWritten, `hand-written, beside the queue on ${queue}, ${server}`),
  ];
}

/** @param other the side whose costs are compared with */
function sideLines({ loads, idle }: SideFigures, where: string, other?: SideFigures): string[] {
  const line = (...cells: string[]) => `| ${cells.join(' | ')} |`;
  return [
    ...Object.entries(loads).map(([name, figures]) =>
      line(
        `${name}, ${where}`,
        spread(figures.perSecond),
        ...costCells(figures.costs),
        overText(figures.costs, other?.loads[name]?.costs),
        spread(idleOf(figures, idle), 2),
        spread(net(figures, idle), 2),
        `${spread(figures.sentP50, 1)} / ${spread(figures.sentP99, 1)}`,
        `${spread(figures.acceptedP50, 1)} / ${spread(figures.acceptedP99, 1)}`,
        `${spread(figures.pendingMiddle)} / ${spread(figures.pendingEnd)}`,
        databaseText(figures),
      ),
    ),
    line(
      `a second with nothing to do, ${where}`,
      '',
      ...costCells(idle),
      '',
      '',
      '',
      '',
      '',
      '',
      '',
    ),
  ];
}

type Costs = LoadFigures['costs'];

/** The processor time over that of the other side, in paired rounds; empty without it. */
function overText(costs: Costs, other: Costs | undefined): string {
  return other ? spread(ratios(totalMs(costs), totalMs(other)), 2) : '';
}

function costCells(costs: Costs): string[] {
  const texts = processes.map((name) => (costs[name] ? spread(costs[name]) : ''));
  return [...texts, spread(totalMs(costs), 2)];
}

/** The part of an event's cost that the idle service has in the same time, in ms. */
function idleOf({ perSecond }: LoadFigures, idle: EndToEndFigures['idle']): number[] {
  return ratios(totalMs(idle), perSecond);
}

/** What is left of an event's cost without that part. */
function net(figures: LoadFigures, idle: EndToEndFigures['idle']): number[] {
  const idleEach = idleOf(figures, idle);
  return totalMs(figures.costs).map((costMs, round) => costMs - (idleEach[round] ?? Number.NaN));
}

function databaseText({ database }: LoadFigures): string {
  if (!database) return '';
  return `${statementText(database.statements)}; ${database.walBytes.toFixed(0)} bytes`;
}
