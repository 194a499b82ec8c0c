import { statementText, totalMs } from './engine-cost.js';
import { ratios, spread } from './statistics.js';
import type { WholeFigures, WholeLoadFigures, WholeSideFigures } from './whole.js';

const processes = ['API', 'worker', 'PostgreSQL', 'Redis'] as const;

/** A table of its own: its ceiling has rows of its own. Empty if it was not measured. */
export function wholeTable(servers: readonly Readonly<Record<string, WholeFigures>>[]): string[] {
  if (servers.length === 0) return [];
  return [
    `| an event | per second | ${processes.map((name) => `${name} µs`).join(' | ')} | all ms | over hand-written | of it idle | less idle | sent → received p50 / p99 ms | accepted → received | pending: middle / end | statements × their time; WAL |`,
    `|${'---|'.repeat(processes.length + 10)}`,
    ...servers.flatMap((queues) =>
      Object.entries(queues).flatMap(([queue, figures]) => wholeLines(queue, figures)),
    ),
    '',
  ];
}

function wholeLines(queue: string, figures: WholeFigures): string[] {
  const { server, handWritten } = figures;
  return [
    ...sideLines(figures, `queue on ${queue}, ${server}`, handWritten),
    ...sideLines(handWritten, `hand-written, beside the queue on ${queue}, ${server}`),
  ];
}

/** @param other the side whose costs are compared with */
function sideLines(
  { loads, idle }: WholeSideFigures,
  where: string,
  other?: WholeSideFigures,
): string[] {
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

type Costs = WholeLoadFigures['costs'];

/** The processor time over that of the other side, in paired rounds; empty without it. */
function overText(costs: Costs, other: Costs | undefined): string {
  return other ? spread(ratios(totalMs(costs), totalMs(other)), 2) : '';
}

function costCells(costs: Costs): string[] {
  const each = processes.map((name) => (costs[name] ? spread(costs[name]) : ''));
  return [...each, spread(totalMs(costs), 2)];
}

/** The part of an event's cost that the idle service has in the same time, in ms. */
function idleOf({ perSecond }: WholeLoadFigures, idle: WholeFigures['idle']): number[] {
  return ratios(totalMs(idle), perSecond);
}

/** What is left of an event's cost without that part. */
function net(figures: WholeLoadFigures, idle: WholeFigures['idle']): number[] {
  const idleEach = idleOf(figures, idle);
  return totalMs(figures.costs).map((each, round) => each - (idleEach[round] ?? Number.NaN));
}

function databaseText({ database }: WholeLoadFigures): string {
  if (!database) return '';
  return `${statementText(database.statements)}; ${database.walBytes.toFixed(0)} bytes`;
}
