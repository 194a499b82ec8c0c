import type { DashboardFigures } from './dashboard.js';
import { spread } from './statistics.js';

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
