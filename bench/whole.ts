import { setTimeout as pause } from 'node:timers/promises';
import type { BenchService } from './bench-service.js';
import { startActor } from './actor.js';
import { becomeCalm } from './become-calm.js';
import {
  countDatabaseWork,
  type DatabaseCosts,
  type ProcessorCosts,
  ProcessorMeter,
  totalMs,
} from './engine-cost.js';
import { median, quantile, ratios } from './statistics.js';
import { type Side, startHandWritten, startSignalpost } from './whole-sides.js';
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
  /** Pending deliveries in the middle, and when the last request had its response. */
  readonly pendingMiddle: number[];
  readonly pendingEnd: number[];
  /** Of one more turn, which does not count otherwise. */
  database?: DatabaseCosts;
}

/** Publish over HTTP, deliver, record: one API process and one worker. */
export interface WholeSideFigures {
  /** By name of the load. */
  readonly loads: Readonly<Record<string, WholeLoadFigures>>;
  /** Processor time of a second with nothing to do in µs, by process. */
  readonly idle: Readonly<Record<string, number[]>>;
}

/** Signalpost, and a hand-written service in turns with it. */
export interface WholeFigures extends WholeSideFigures {
  /** Version of PostgreSQL, and whether it has JIT. */
  readonly server: string;
  /** It has no batches. */
  readonly handWritten: WholeSideFigures;
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
export interface WholeOptions {
  readonly loads: readonly LoadName[];
  readonly rounds: number;
  readonly forMs: number;
  readonly progress: (line: string) => void;
}

/** What one side measured so far. */
interface Measured extends Side {
  readonly loads: Record<string, WholeLoadFigures>;
  readonly idle: Record<string, number[]>;
}

/**
 * Publishes events of 1 KiB over the internal GraphQL: 20 accounts with one endpoint each. A hand-written
 * service on a PostgreSQL of its own takes turns, and the other one is idle meanwhile.
 */
export async function benchWhole(
  [service, other]: readonly [service: BenchService, other: BenchService],
  { loads: names, rounds, forMs, progress }: WholeOptions,
): Promise<WholeFigures> {
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

    progress(`the whole way of an event, round ${round} of ${rounds}`);
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

  for (const each of [...sides, receiver]) await each.end();

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

function noFigures(): WholeLoadFigures {
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

async function measureIdle({ parties, idle }: Measured): Promise<void> {
  const meter = new ProcessorMeter(parties.pids);
  await meter.during(idleSeconds, () => pause(idleSeconds * 1_000));
  addCosts(idle, meter.costs());
}

function addCosts(into: Record<string, number[]>, costs: ProcessorCosts): void {
  for (const [name, used] of Object.entries(costs)) (into[name] ??= []).push(used);
}

function over(
  own: WholeSideFigures['loads'],
  handWritten: WholeSideFigures['loads'],
): WholeFigures['overHandWritten'] {
  const each = Object.entries(handWritten).map(([name, { costs }]) => {
    const ownCosts = own[name]?.costs ?? {};
    return [name, median(ratios(totalMs(ownCosts), totalMs(costs)))] as const;
  });
  return Object.fromEntries(each);
}

async function serverOf(service: BenchService): Promise<string> {
  const [row] = await service.query<{ major: string; jit: boolean }>(
    `select split_part(current_setting('server_version'), '.', 1) as major, pg_jit_available() as jit`,
  );
  return `PostgreSQL ${row?.major ?? '?'} ${row?.jit ? 'with JIT' : 'without JIT'}`;
}
