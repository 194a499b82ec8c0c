import type { DashboardFigures } from './dashboard.js';
import { median, spread } from './statistics.js';

/** What the dashboard promises its reader, in ms: the most that the median of each figure may be. */
const most = { firstPaint: 1_000, tail: 1_000, nextPaint: 100 };

/** Lines of the table for what a reader of the dashboard waits for. */
export function dashboardLines(figures: DashboardFigures): string[] {
  const { firstPaint, layoutShift, scriptKiB, tail, nextPaint, rows } = figures;
  const line = (what: string, values: readonly number[], unit: string, digits = 0) =>
    `| dashboard: ${what} | ${spread(values, digits)}${unit} | | | |`;
  return [
    ...Object.entries(firstPaint).map(([view, values]) =>
      line(`first contentful paint of ${view}, empty cache`, values, ' ms'),
    ),
    line('layout shift while it loads', layoutShift, '', 3),
    line('script of the first view', scriptKiB, ' KiB', 1),
    line('from publish to the row in the live list', tail, ' ms'),
    ...Object.entries(nextPaint).map(([what, values]) =>
      line(`${rows.toLocaleString('en')} rows, ${what}, to the next paint`, values, ' ms'),
    ),
  ];
}

/** Names each figure that is above its limit. Then the process exits with 1. */
export function reportLate(
  { firstPaint, tail, nextPaint }: DashboardFigures,
  progress: (line: string) => void,
): void {
  const all = [
    ...Object.entries(firstPaint).map((each) => [...each, most.firstPaint] as const),
    ['from publish to the row', tail, most.tail] as const,
    ...Object.entries(nextPaint).map((each) => [...each, most.nextPaint] as const),
  ];
  for (const [what, values, limit] of all.filter(([, values, limit]) => median(values) > limit)) {
    progress(`FAILED: ${what} took ${Math.round(median(values))} ms, more than ${limit}`);
    process.exitCode = 1;
  }
}
