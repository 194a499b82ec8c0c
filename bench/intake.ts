import { apiNodeOptions } from '../tools/launcher/child-process.js';
import { type Actor, startActor } from './actor.js';
import type { Published } from './actors/publisher.js';
import { becomeCalm, type BenchService } from './bench-service.js';
import {
  countDatabaseWork,
  type DatabaseCosts,
  type ProcessorCosts,
  ProcessorMeter,
  statementText,
} from './costs.js';
import { createBenchToken, createSubscribers, eventType } from './fixtures.js';
import { ratios, spread } from './statistics.js';

/** Publishing under one load, one figure per round; latencies of a request in ms. */
interface IntakeFigures {
  readonly perSecond: number[];
  readonly p50: number[];
  readonly p99: number[];
  /** Processor time of an event in µs, by process. */
  readonly costs: Record<string, number[]>;
  /** Of one more turn, which does not count otherwise. */
  database?: DatabaseCosts;
}

const sides = ['Signalpost', 'plain', 'grouped'] as const;
type Side = (typeof sides)[number];

/** By load, then by side. Only Signalpost publishes in batches. */
export type IntakeResults = Readonly<Record<string, Partial<Record<Side, IntakeFigures>>>>;

/** The loads, by name; see `bench/actors/publisher.ts`. */
const loads = {
  'over 50 connections': {},
  'in batches of 100': { batch: 100, lanes: 10 },
  'one at a time on an idle service': { perSecond: 20 },
} as const;
type Load = (typeof loads)[keyof typeof loads];

const connections = 50;
const databasePool = 10;

interface Publishing {
  readonly publisher: Actor;
  readonly pids: Readonly<Record<string, number>>;
}

/**
 * Publishes events of 1 KiB over the internal GraphQL, without workers, in turns with two hand-written
 * routes: one commits each event, the other commits all that arrive during a commit.
 */
export async function benchIntake(
  service: BenchService,
  rounds: number,
  forMs: number,
  progress: (line: string) => void,
): Promise<IntakeResults> {
  const accounts = await createSubscribers(service, 443);
  const token = await createBenchToken(service, accounts[0] ?? '', 'internal');
  const api = await service.startApi();
  const { logFile } = service;
  const databaseUrl = service.urlOf('hand-written');
  const plainSetup = { databaseUrl, pool: databasePool, logFile };
  const plain = await startActor('plain-intake', plainSetup, apiNodeOptions);
  const grouped = await startActor(
    'plain-intake',
    { ...plainSetup, grouped: true },
    apiNodeOptions,
  );

  const publish = async (pid: number, port: number): Promise<Publishing> => ({
    publisher: await startActor('publisher', {
      origin: `http://127.0.0.1:${port}`,
      token,
      accounts,
      eventType,
      connections,
    }),
    pids: { API: pid, PostgreSQL: service.postgresPid },
  });

  const publishing: Record<Side, Publishing> = {
    Signalpost: await publish(api.pid, api.port),
    plain: await publish(plain.pid, plain.port),
    grouped: await publish(grouped.pid, grouped.port),
  };

  const wanted = Object.entries(loads);
  const sidesOf = (load: Load) => ('batch' in load ? sides.slice(0, 1) : sides);
  const run = (side: Side, load: Load, ms: number) =>
    runTurn(publishing[side], { ...load, forMs: ms });
  const calmBefore = async (side: Side, load: Load) => {
    // The tables stay small: no worker takes deliveries away.
    await service.query('truncate event, pending_delivery');
    await becomeCalm(service, (ms) => run(side, load, ms));
  };

  // Not counted: connections open and code compiles.
  for (const [, load] of wanted) for (const side of sidesOf(load)) await run(side, load, forMs);

  const results: Record<string, Partial<Record<Side, IntakeFigures>>> = {};
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, load] of wanted) {
      for (const side of sidesOf(load)) {
        const figures = ((results[name] ??= {})[side] ??= noFigures());
        await calmBefore(side, load);
        addTurn(figures, await run(side, load, forMs));
      }
    }

    progress(`publishing, round ${round} of ${rounds}`);
  }

  for (const [name, load] of wanted) {
    for (const side of sidesOf(load)) {
      const figures = results[name]?.[side];
      const work = async () => (await run(side, load, forMs)).count;
      await calmBefore(side, load);
      // Otherwise the log would have whole pages, as after each checkpoint.
      await run(side, load, forMs);
      if (figures) figures.database = await countDatabaseWork(service.query, work);
    }
  }

  const publishers = Object.values(publishing).map(({ publisher }) => publisher);
  for (const child of [...publishers, api, plain, grouped]) await child.end();

  return results;
}

interface Turn {
  readonly count: number;
  readonly published: Published;
  readonly costs: ProcessorCosts;
}

async function runTurn(
  { publisher, pids }: Publishing,
  command: { readonly forMs: number },
): Promise<Turn> {
  const meter = new ProcessorMeter(pids);
  const published = await meter.during(1, () => publisher.ask<Published>(command));
  const count = Object.keys(published.accepted).length;
  const costs = Object.entries(meter.costs()).map(([name, used]) => [name, used / count] as const);
  return { count, published, costs: Object.fromEntries(costs) };
}

function noFigures(): IntakeFigures {
  return { perSecond: [], p50: [], p99: [], costs: {} };
}

function addTurn(into: IntakeFigures, { published, costs }: Turn): void {
  into.perSecond.push(published.perSecond);
  into.p50.push(published.requestP50);
  into.p99.push(published.requestP99);
  for (const [name, used] of Object.entries(costs)) (into.costs[name] ??= []).push(used);
}

const ceilings = {
  plain: 'hand-written, commits each',
  grouped: 'hand-written, commits in groups',
} as const;

/** One line for each load and hand-written route; one for a load without such a route. */
export function intakeLines(results: IntakeResults): string[] {
  return Object.entries(results).flatMap(([load, { Signalpost: own, plain, grouped }]) => {
    if (!own) return [];
    if (!plain || !grouped)
      return [`| publish ${load} | ${spread(own.perSecond)}/s | | | ${besides(own)} |`];
    return Object.entries({ plain, grouped }).map(([name, ceiling]) => {
      const route = ceilings[name as keyof typeof ceilings];
      const ratio = spread(ratios(own.perSecond, ceiling.perSecond), 2);
      return `| publish ${load} | ${spread(own.perSecond)}/s | ${spread(ceiling.perSecond)}/s (${route}) | ${ratio} | ${name === 'plain' ? `${besides(own)}; ` : ''}its ceiling: ${besides(ceiling)} |`;
    });
  });
}

function besides({ p50, p99, costs, database }: IntakeFigures): string {
  const used = Object.entries(costs).map(([name, cost]) => `${name} ${spread(cost)}`);
  const work = database
    ? `; statements: ${statementText(database.statements)}; ${database.walBytes.toFixed(0)} bytes of WAL each`
    : '';
  return `p50 ${spread(p50, 1)} ms, p99 ${spread(p99, 1)} ms; µs of processor: ${used.join(', ')}${work}`;
}
