import type { ComponentChildren } from 'preact';
import { formatNumber } from '../../texts/format.js';
import { text } from '../../texts/text.js';
import { scaleTop } from './statistics.js';

/** One column: its parts are stacked, the first at the bottom. */
export interface Column {
  readonly key: string;
  /** The time that the column stands for. */
  readonly label: string;
  /** A link to what the column counts. */
  readonly href?: string;
  /** Values in the order of the series; null where nothing was measured. */
  readonly values: readonly (number | null)[];
}

/** A series: the class of its colour, and its name. */
export interface Series {
  readonly kind: 'good' | 'warn' | 'bad' | 'accent' | 'accent-soft';
  readonly label: string;
}

interface ColumnChartProps {
  readonly columns: readonly Column[];
  readonly series: readonly Series[];
  /** Whether each value includes the one before, as percentiles do. Otherwise they add up. */
  readonly nested?: boolean;
  readonly format?: (value: number) => string;
}

/** Columns over time, with the same numbers in a table. */
export function ColumnChart({ columns, series, nested, format = formatNumber }: ColumnChartProps) {
  const heights = columns.map(({ values }) => partsOf(values, nested));
  const sums = heights.map((parts) => parts.reduce((sum, part) => sum + part, 0));
  const top = scaleTop(Math.max(0, ...sums));
  return (
    <figure class="chart">
      <figcaption class="chart-legend small">
        {series.map(({ kind, label }) => (
          <span key={label}>
            <span class={`chart-key chart-${kind}`} aria-hidden="true" /> {label}
          </span>
        ))}
      </figcaption>
      <div class="chart-area" aria-hidden="true">
        <span class="chart-top small soft">{format(top)}</span>
        <div class="chart-columns">
          {columns.map((column, place) => (
            <ColumnBar key={column.key} column={column} title={titleOf(column, series, format)}>
              {[...(heights[place] ?? [])].reverse().map((part, back) => {
                const { kind = 'accent' } = series[series.length - 1 - back] ?? {};
                return (
                  part > 0 && (
                    <span
                      key={kind}
                      class={`chart-part chart-${kind}`}
                      style={{ height: `${(100 * part) / top}%` }}
                    />
                  )
                );
              })}
            </ColumnBar>
          ))}
        </div>
        <div class="chart-scale small soft">
          <span>{columns[0]?.label}</span>
          {columns.length > 1 && <span>{columns.at(-1)?.label}</span>}
        </div>
      </div>
      <ChartTable columns={columns} series={series} format={format} />
    </figure>
  );
}

interface ColumnBarProps {
  readonly column: Column;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A link for the mouse. The table has the same link for the keyboard. */
function ColumnBar({ column: { href }, title, children }: ColumnBarProps) {
  return href === undefined ? (
    <span class="chart-column" title={title}>
      {children}
    </span>
  ) : (
    <a class="chart-column" href={href} title={title} tabIndex={-1}>
      {children}
    </a>
  );
}

type ChartTableProps = Required<Pick<ColumnChartProps, 'columns' | 'series' | 'format'>>;

function ChartTable({ columns, series, format }: ChartTableProps) {
  return (
    <details class="chart-table small">
      <summary>{text.overview.table}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{text.overview.from}</th>
            {series.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...columns].reverse().map(({ key, label, href, values }) => (
            <tr key={key}>
              <th scope="row">{href === undefined ? label : <a href={href}>{label}</a>}</th>
              {values.map((value, place) => (
                <td key={place}>{value === null ? '–' : format(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function partsOf(values: Column['values'], nested = false): readonly number[] {
  const known = values.map((value) => value ?? 0);
  return nested ? known.map((value, place) => value - (known[place - 1] ?? 0)) : known;
}

function titleOf(column: Column, series: readonly Series[], format: (value: number) => string) {
  const values = column.values.map((value, place) => {
    const label = series[place]?.label ?? '';
    return `${label} ${value === null ? '–' : format(value)}`;
  });
  return [column.label, ...values].join('\n');
}
