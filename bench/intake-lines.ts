import type { IntakeFigures, IntakeResults } from './intake.js';
import { statementText } from './engine-cost.js';
import { ratios, spread } from './statistics.js';

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
  const used = Object.entries(costs).map(([name, each]) => `${name} ${spread(each)}`);
  const work = database
    ? `; statements: ${statementText(database.statements)}; ${database.walBytes.toFixed(0)} bytes of WAL each`
    : '';
  return `p50 ${spread(p50, 1)} ms, p99 ${spread(p99, 1)} ms; µs of processor: ${used.join(', ')}${work}`;
}
