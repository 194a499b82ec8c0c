import type { ColdFigures } from './cold-start.js';
import type { EvidenceFigures } from './evidence.js';
import type { FanoutFigures } from './fanout.js';
import type { HistoryFigures } from './history.js';
import type { MigrationFigures } from './migrations.js';
import type { NeighbourFigures } from './noisy-neighbours.js';
import { ratios, spread } from './statistics.js';
import type { RecoveryFigures } from './recovery.js';
import type { SearchResults } from './searches.js';
import type { WorkersFigures } from './workers.js';

/** The empty database is in the column of the ceiling. */
export function historyLines({ records, backlog, full, empty }: HistoryFigures): string[] {
  const past = records.toLocaleString('en');
  const waiting = backlog.toLocaleString('en');
  const line = (what: string, unit: string, candidate: number[], ceiling: number[]) =>
    `| ${what}, ${past} records and ${waiting} due | ${spread(candidate)}${unit} | ${spread(ceiling)}${unit} (empty) | ${spread(ratios(candidate, ceiling), 2)} | |`;
  const cost = (process: string) => {
    const of = ({ costs }: typeof full) => costs.map((each) => each[process] ?? Number.NaN);
    return line(`${process} for a delivery`, ' µs', of(full), of(empty));
  };
  return [
    line('deliveries', '/s', full.perSecond, empty.perSecond),
    ...['worker', 'PostgreSQL', 'receiver'].map(cost),
  ];
}

/** The same without the recovery is in the column of the ceiling. */
export function recoveryLines(
  queue: string,
  { perSecond, live, replay }: RecoveryFigures,
): string[] {
  const times = ({ p50, p99 }: NeighbourFigures['alone']) =>
    `p50 ${spread(p50, 1)} ms, p99 ${spread(p99, 1)} ms`;
  return Object.entries({ 'live deliveries': live, replays: replay }).map(
    ([what, { alone, beside }]) =>
      `| ${what} beside a recovery, queue on ${queue} | ${times(beside)} | ${times(alone)} (without) | ${spread(ratios(beside.p99, alone.p99), 2)} | the ratio is that of p99; recovered ${spread(perSecond)}/s |`,
  );
}

/** The worker without traces is in the column of the ceiling. */
export function tracesLine({ with: traced, without }: EvidenceFigures): string {
  return `| an attempt with traces of 1 % | ${spread(traced)} µs | ${spread(without)} µs (without) | ${spread(ratios(traced, without), 3)} | processor of worker and PostgreSQL |`;
}

/** The worker without evidence is in the column of the ceiling. */
export function evidenceLine(name: string, figures: EvidenceFigures): string {
  const { with: kept, without } = figures;
  return `| an attempt with evidence, ${name} | ${spread(kept)} µs | ${spread(without)} µs (without) | ${spread(ratios(kept, without), 3)} | processor of worker and PostgreSQL |`;
}

/** The column of the ceiling is empty: the aim is 50 ms. */
export function searchLines({ records, searches }: SearchResults): string[] {
  const among = records.toLocaleString('en');
  return Object.entries(searches).map(
    ([title, { p50, p95, found }]) =>
      `| a page among ${among} records: ${title} | p95 ${p95.toFixed(1)} ms | | | p50 ${p50.toFixed(1)} ms; found ${found} |`,
  );
}

/** The account alone is in the column of the ceiling. */
export function neighbourLine(queue: string, figures: NeighbourFigures): string {
  const { alone, beside, perSecond, hangingEndpoints, hangingPerSecond } = figures;
  const times = ({ p50, p99 }: NeighbourFigures['alone']) =>
    `p50 ${spread(p50, 1)} ms, p99 ${spread(p99, 1)} ms`;
  const noise = `${hangingPerSecond} deliveries per second to ${hangingEndpoints.toLocaleString('en')} endpoints that hang`;
  return `| an account with ${perSecond} events per second next to another with ${noise}, queue on ${queue} | ${times(beside)} | ${times(alone)} (alone) | ${spread(ratios(beside.p99, alone.p99), 2)} | the ratio is that of p99 |`;
}

/** The column of the ceiling is empty: a fan-out has targets, but no ceiling. */
export function fanoutLine(queue: string, figures: FanoutFigures): string {
  const { endpoints, origins, acceptMs, receivedMs, statements, restMiB, peakMiB } = figures;
  return `| one event to ${endpoints.toLocaleString('en')} endpoints of ${origins} origins, queue on ${queue} | accepted in ${spread(acceptMs)} ms, received and recorded ${spread(receivedMs)} ms later | | | ${statements} statements to accept it; worker ${restMiB} MiB, at most ${peakMiB} MiB and ${figures.sockets} sockets |`;
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

/** Times from the command until all started processes respond 200 at /readyz. */
export function coldLines({ firstStart, secondStart, apiAlone, restMiB }: ColdFigures): string[] {
  const line = (what: string, times: number[], besides = '') =>
    `| ${what} | ready after ${spread(times)} ms | | | ${besides} |`;
  const memory = Object.entries(restMiB)
    .map(([who, megabytes]) => `${who} ${megabytes.toFixed(0)}`)
    .join(', ');
  return [
    line('npm start, first', firstStart, 'creates the database and its tables'),
    line('npm start, again', secondStart, `MiB at rest: ${memory}`),
    line('only the API process', apiAlone, 'on a running database'),
  ];
}

/** The line of one migration. */
export function migrationLine(figures: MigrationFigures): string {
  const { name, seconds, writes, longestMs, longestIn } = figures;
  const shown = name.replace(/\d+$/, '');
  return `| migration ${shown} | ${seconds.toFixed(1)} s | | | ${writes} writes meanwhile, the longest took ${longestMs.toFixed(0)} ms (${longestIn}) |`;
}
