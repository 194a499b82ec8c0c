import { type HrTime, ValueType } from '@opentelemetry/api';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type HistogramMetricData,
  type MetricData,
} from '@opentelemetry/sdk-metrics';
import type { MetricReading, MetricValue } from './metric-reading.js';

/** When a process began to count, and when its counts were read. Milliseconds since 1970. */
export interface CountingTime {
  readonly startMs: number;
  readonly endMs: number;
}

type Labels = MetricValue['labels'];
type Histogram = HistogramMetricData['dataPoints'][number]['value'];

/**
 * Writes metrics as those of OpenTelemetry, under the same names: they hold the unit. Counters become
 * monotonic sums since the start of the process. Leaves out metrics without a value.
 */
export function metricDataOf(
  metrics: readonly MetricReading[],
  time: CountingTime,
): readonly MetricData[] {
  return metrics.filter(({ values }) => values.length > 0).map((each) => dataOf(each, time));
}

function dataOf({ name, help, type, values }: MetricReading, time: CountingTime): MetricData {
  const common = {
    descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const numbers = () => values.map(({ labels, value }) => pointOf(labels, value, time));
  switch (type) {
    case 'histogram': {
      const dataPoints = histogramsOf(values).map(([labels, value]) =>
        pointOf(labels, value, time),
      );
      return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints };
    }
    case 'counter': {
      const sum = { dataPointType: DataPointType.SUM, isMonotonic: true } as const;
      return { ...common, ...sum, dataPoints: numbers() };
    }
    default:
      return { ...common, dataPointType: DataPointType.GAUGE, dataPoints: numbers() };
  }
}

/** prom-client writes a histogram as one value for each bucket with all below it, a sum and a count. */
function histogramsOf(values: readonly MetricValue[]): (readonly [Labels, Histogram])[] {
  const series = new Map<string, { labels: Labels; values: MetricValue[] }>();
  for (const each of values) {
    const labels = Object.fromEntries(
      Object.entries(each.labels).filter(([name]) => name !== 'le'),
    );
    const key = JSON.stringify(Object.entries(labels).sort());
    const found = series.get(key) ?? { labels, values: [] };
    found.values.push(each);
    series.set(key, found);
  }
  return [...series.values()].map((each) => [each.labels, histogramOf(each.values)] as const);
}

function histogramOf(values: readonly MetricValue[]): Histogram {
  const buckets = values
    .filter(({ labels }) => labels['le'] !== undefined)
    .map(({ labels, value }) => ({ bound: boundOf(labels['le']), value }))
    .sort((a, b) => a.bound - b.bound);
  const total = (suffix: string) =>
    values.find(({ metricName }) => metricName?.endsWith(suffix))?.value ?? 0;
  return {
    buckets: {
      boundaries: buckets.map(({ bound }) => bound).filter(Number.isFinite),
      counts: buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0)),
    },
    sum: total('_sum'),
    count: total('_count'),
  };
}

function boundOf(le: string | number | undefined): number {
  return le === '+Inf' ? Infinity : Number(le);
}

function pointOf<T>(labels: Labels, value: T, { startMs, endMs }: CountingTime): DataPoint<T> {
  const attributes = Object.fromEntries(
    Object.entries(labels).map(([name, text]) => [name, String(text)]),
  );
  return { startTime: hrTime(startMs), endTime: hrTime(endMs), attributes, value };
}

function hrTime(ms: number): HrTime {
  return [Math.floor(ms / 1_000), Math.floor((ms % 1_000) * 1_000_000)];
}
