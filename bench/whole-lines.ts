import { median, ratios, spread } from './statistics.js';
import type { WholeFigures, WholeLoadFigures } from './whole.js';

/** One line for each load, and one for the idle service. The way of an event has no ceiling. */
export function wholeLines(queue: string, { server, loads, idle }: WholeFigures): string[] {
  const where = `queue on ${queue}, ${server}`;
  const lines = Object.entries(loads).map(([name, figures]) => {
    const cost = `${spread(totals(figures.costs), 2)} ms`;
    return `| an event ${name}, ${where} | ${spread(figures.perSecond)}/s, ${cost} each | | | ${besides(figures, idle)} |`;
  });
  const calm = `| nothing to do, ${where} | ${spread(totals(idle), 1)} ms a second | | | ${processes(idle)} |`;
  return [...lines, calm];
}

function besides(figures: WholeLoadFigures, idle: WholeFigures['idle']): string {
  const { perSecond, costs, database, pending } = figures;
  const idleEach = ratios(totals(idle), perSecond);
  const net = totals(costs).map((each, round) => each - (idleEach[round] ?? Number.NaN));
  return [
    processes(costs),
    `less what the idle service costs: ${spread(net, 2)} ms`,
    `sent to received: p50 ${spread(figures.sentP50, 1)} ms, p99 ${spread(figures.sentP99, 1)} ms`,
    `accepted to received: p50 ${spread(figures.acceptedP50, 1)} ms, p99 ${spread(figures.acceptedP99, 1)} ms`,
    `pending at the end: ${spread(pending)}`,
    ...(database
      ? [
          `${database.statements.toFixed(2)} statements and ${database.walBytes.toFixed(0)} bytes of WAL each`,
        ]
      : []),
  ].join('; ');
}

/** Processor time of all processes together in ms, by round. */
function totals(costs: Readonly<Record<string, number[]>>): number[] {
  const each = Object.values(costs);
  return (each[0] ?? []).map((_used, round) => {
    return each.reduce((sum, used) => sum + (used[round] ?? Number.NaN), 0) / 1_000;
  });
}

function processes(costs: Readonly<Record<string, number[]>>): string {
  const each = Object.entries(costs).map(([name, used]) => `${name} ${median(used).toFixed(0)}`);
  return `µs of processor: ${each.join(', ')}`;
}
