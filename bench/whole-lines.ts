import { statementText } from './engine-cost.js';
import { ratios, spread } from './statistics.js';
import type { WholeFigures, WholeLoadFigures } from './whole.js';

const processes = ['API', 'worker', 'PostgreSQL', 'Redis'] as const;

/** A table of its own: the way of an event has no ceiling. Empty if it was not measured. */
export function wholeTable(servers: readonly Readonly<Record<string, WholeFigures>>[]): string[] {
  if (servers.length === 0) return [];
  return [
    `| an event | per second | ${processes.map((name) => `${name} µs`).join(' | ')} | all ms | of it idle | less idle | sent → received p50 / p99 ms | accepted → received | pending: middle / end | statements × their time; WAL |`,
    `|${'---|'.repeat(processes.length + 9)}`,
    ...servers.flatMap((queues) =>
      Object.entries(queues).flatMap(([queue, figures]) => wholeLines(queue, figures)),
    ),
    '',
  ];
}

function wholeLines(queue: string, { server, loads, idle }: WholeFigures): string[] {
  const where = `queue on ${queue}, ${server}`;
  const line = (...cells: string[]) => `| ${cells.join(' | ')} |`;
  return [
    ...Object.entries(loads).map(([name, figures]) =>
      line(
        `${name}, ${where}`,
        spread(figures.perSecond),
        ...costCells(figures.costs),
        spread(idleOf(figures, idle), 2),
        spread(net(figures, idle), 2),
        `${spread(figures.sentP50, 1)} / ${spread(figures.sentP99, 1)}`,
        `${spread(figures.acceptedP50, 1)} / ${spread(figures.acceptedP99, 1)}`,
        `${spread(figures.pendingMiddle)} / ${spread(figures.pendingEnd)}`,
        databaseText(figures),
      ),
    ),
    line(`a second with nothing to do, ${where}`, '', ...costCells(idle), '', '', '', '', '', ''),
  ];
}

function costCells(costs: WholeLoadFigures['costs']): string[] {
  const each = processes.map((name) => (costs[name] ? spread(costs[name]) : ''));
  return [...each, spread(totals(costs), 2)];
}

/** The part of an event's cost that the idle service has in the same time, in ms. */
function idleOf({ perSecond }: WholeLoadFigures, idle: WholeFigures['idle']): number[] {
  return ratios(totals(idle), perSecond);
}

/** What is left of an event's cost without that part. */
function net(figures: WholeLoadFigures, idle: WholeFigures['idle']): number[] {
  const idleEach = idleOf(figures, idle);
  return totals(figures.costs).map((each, round) => each - (idleEach[round] ?? Number.NaN));
}

/** Processor time of all processes together in ms, by round. */
function totals(costs: WholeLoadFigures['costs']): number[] {
  const each = Object.values(costs);
  return (each[0] ?? []).map((_used, round) => {
    return each.reduce((sum, used) => sum + (used[round] ?? Number.NaN), 0) / 1_000;
  });
}

function databaseText({ database }: WholeLoadFigures): string {
  if (!database) return '';
  return `${statementText(database.statements)}; ${database.walBytes.toFixed(0)} bytes`;
}
