import { type ColdFigures, coldLines } from './cold-start.js';
import { type DashboardFigures, dashboardLines } from './dashboard.js';
import { type ProcessorCosts, statementCount } from './costs.js';
import type { EngineFigures } from './engine.js';
import {
  type FacadeFigures,
  type OperationFigures,
  atRateShare,
  type SideFigures,
} from './rest-api.js';
import { type FanoutFigures, fanoutLine } from './fanout.js';
import { type EvidenceFigures, evidenceLine, tracesLine } from './evidence.js';
import { type HistoryFigures, historyLines } from './history.js';
import { type IntakeResults, intakeLines } from './intake.js';
import { type MigrationFigures, migrationLine } from './migrations.js';
import { type NeighbourFigures, neighbourLine } from './noisy-neighbours.js';
import type { PageFigures } from './pages.js';
import { type RecoveryFigures, recoveryLines } from './recovery.js';
import { type SearchResults, searchLines } from './searches.js';
import { workersLine, type WorkersFigures } from './workers.js';
import { streamLines, type StreamFigures } from './stream.js';
import { ratios, spread } from './statistics.js';
import { type EndToEndFigures, endToEndTable } from './end-to-end.js';

/** All results, by queue where the queue matters. */
export interface Results {
  readonly machine: string;
  readonly facade?: FacadeFigures;
  readonly engine?: Record<string, EngineFigures>;
  readonly slow?: Record<string, EngineFigures>;
  readonly intake?: IntakeResults;
  /** By folder of PostgreSQL's programs, then by queue. */
  readonly 'end-to-end'?: Record<string, Record<string, EndToEndFigures>>;
  readonly neighbours?: Record<string, NeighbourFigures>;
  readonly pages?: Record<string, PageFigures>;
  readonly recovery?: Record<string, RecoveryFigures>;
  readonly traces?: EvidenceFigures;
  readonly evidence?: Record<string, EvidenceFigures>;
  readonly searches?: SearchResults;
  readonly history?: HistoryFigures;
  readonly fanout?: Record<string, FanoutFigures>;
  readonly workers?: Record<string, Record<string, WorkersFigures>>;
  readonly stream?: StreamFigures;
  readonly migrations?: readonly MigrationFigures[];
  readonly dashboard?: DashboardFigures;
  readonly cold?: ColdFigures;
}

/** Formats the results as a Markdown table. */
export function table(results: Results): string {
  const { machine, facade, engine = {}, slow = {}, pages = {} } = results;
  const { intake = {}, 'end-to-end': endToEnd = {} } = results;
  const {
    neighbours = {},
    recovery = {},
    evidence = {},
    traces,
    searches,
    history,
    fanout = {},
    workers = {},
    stream,
    migrations = [],
    dashboard,
    cold,
  } = results;

  return [
    machine,
    '',
    '| what | Signalpost | its ceiling | ratio | besides |',
    '|---|---|---|---|---|',
    ...intakeLines(intake),
    ...(facade ? requestLines(facade) : []),
    ...Object.entries(engine).map(([queue, figures]) => deliveryLine('deliveries', queue, figures)),
    ...Object.entries(slow).map(([queue, figures]) =>
      deliveryLine('deliveries to slow receivers', queue, figures),
    ),
    ...Object.entries(neighbours).map(([queue, figures]) => neighbourLine(queue, figures)),
    ...Object.entries(recovery).flatMap(([queue, figures]) => recoveryLines(queue, figures)),
    ...(traces ? [tracesLine(traces)] : []),
    ...Object.entries(evidence).map(([name, figures]) => evidenceLine(name, figures)),
    ...Object.entries(pages).map(([list, figures]) => pageLine(list, figures)),
    ...(searches ? searchLines(searches) : []),
    ...(history ? historyLines(history) : []),
    ...Object.entries(fanout).map(([queue, figures]) => fanoutLine(queue, figures)),
    ...Object.entries(workers).flatMap(([queue, counts]) =>
      Object.entries(counts).map(([count, figures]) =>
        workersLine(queue, count, figures, counts['1'] ?? figures),
      ),
    ),
    ...(stream ? streamLines(stream) : []),
    ...migrations.map(migrationLine),
    ...(dashboard ? dashboardLines(dashboard) : []),
    ...(cold ? coldLines(cold) : []),
    '',
    ...endToEndTable(Object.values(endToEnd)),
    'median (least–most)',
  ].join('\n');
}

function requestLines(figures: FacadeFigures): string[] {
  const { retrieve, create, steady, restMiB, loadMiB } = figures;
  const line = (name: string, { ceiling, candidate }: OperationFigures) => {
    const besides = [
      `p50 ${spread(candidate.p50, 1)} ms, p99 ${spread(candidate.p99, 1)} ms`,
      `at ${atRateShare} of it: ${atRateText(candidate)}`,
      `ceiling, at ${atRateShare} of its own: ${atRateText(ceiling)}`,
      `µs of processor each: ${spread(candidate.costs)}; ceiling: ${spread(ceiling.costs)}; ceiling over it: ${spread(ratios(ceiling.costs, candidate.costs), 2)}`,
      `API ${restMiB} → ${loadMiB} MiB`,
    ];
    return `| ${name} | ${spread(candidate.perSecond)}/s | ${spread(ceiling.perSecond)}/s | ${spread(ratios(candidate.perSecond, ceiling.perSecond), 2)} | ${besides.join('; ')} |`;
  };

  return [
    line('retrieve an endpoint', retrieve),
    line('create an endpoint', create),
    `| the same sum at each request | ${spread(steady.perSecond)}/s | | | at ${atRateShare} of it: ${atRateText(steady)} |`,
  ];
}

function atRateText({ atRate: { kept, p50, p99 } }: SideFigures): string {
  return `p50 ${spread(p50, 1)} ms, p99 ${spread(p99, 1)} ms, ${spread(ratios(p99, p50), 1)} times; ${spread(kept, 2)} kept`;
}

function deliveryLine(name: string, queue: string, figures: EngineFigures): string {
  const { ceiling, loop, candidate, restMiB, loadMiB, receiver, databaseCosts } = figures;
  const costs = (each: ProcessorCosts) =>
    Object.entries(each)
      .map(([who, microseconds]) => `${who} ${microseconds.toFixed(0)}`)
      .join(', ');
  const besides = [
    `loop written by hand ${spread(loop)}/s, ratio to it ${spread(ratios(candidate, loop), 2)}`,
    `µs of processor each: ${costs(figures.candidateCosts)}; ceiling: ${costs(figures.ceilingCosts)}; loop: ${costs(figures.loopCosts)}`,
    `${statementCount(databaseCosts.statements).toFixed(3)} statements and ${databaseCosts.walBytes.toFixed(0)} bytes of WAL each`,
    `worker ${restMiB} → ${loadMiB} MiB; receiver: ${receiver}`,
  ];
  return `| ${name}, queue on ${queue} | ${spread(candidate)}/s | ${spread(ceiling)}/s | ${spread(ratios(candidate, ceiling), 2)} | ${besides.join('; ')} |`;
}

/** The first page is in the column of the ceiling: no page can be cheaper. */
function pageLine(list: string, { pages: count, first, last }: PageFigures): string {
  return `| page ${count} of ${list} | ${spread(last, 1)} ms | ${spread(first, 1)} ms (page 1) | ${spread(ratios(last, first), 2)} | |`;
}
