import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import {
  type ResourceMetrics,
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type HistogramMetricData,
  type MetricData,
} from '@opentelemetry/sdk-metrics';
import { closeInTime, onceAMinute, shortReason, resourceOf } from './exporting.js';
import type { MetricReading, MetricValue } from './metric-reading.js';
import type { ExportOptions } from './tracing.js';
import { type HrTime, ValueType } from '@opentelemetry/api';

/** The options of the metrics exporter. */
export interface MetricsExportOptions extends ExportOptions {
  /** When the process started to count, in milliseconds since 1970. */
  readonly startMs: number;
  readonly read: () => Promise<readonly MetricReading[]>;
}

/**
 * Exports the metrics of a process with the exporter of OpenTelemetry, which its variables (`OTEL_*`)
 * configure. One export at a time: nothing queues up while the collector is unavailable.
 */
export class MetricsExporter {
  readonly #options: MetricsExportOptions;
  readonly #exporter = new OTLPMetricExporter();
  readonly #resource: ResourceMetrics['resource'];
  readonly #report: (message: string) => void;
  readonly #timer: NodeJS.Timeout;
  #exporting: Promise<void> | undefined;

  constructor(options: MetricsExportOptions, intervalMs: number) {
    this.#options = options;
    this.#resource = resourceOf(options);
    this.#report = onceAMinute(options.onError);
    this.#timer = setInterval(() => void this.#export(), intervalMs).unref();
  }

  /** Exports the last values, for at most two seconds. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await closeInTime(async () => {
      await this.#exporting;
      await this.#export();
      await this.#exporter.shutdown();
    });
  }

  #export(): Promise<void> {
    this.#exporting ??= this.#exportOnce().finally(() => (this.#exporting = undefined));
    return this.#exporting;
  }

  async #exportOnce(): Promise<void> {
    try {
      const { read, startMs } = this.#options;
      const metrics = [...metricDataOf(await read(), { startMs, endMs: Date.now() })];
      await this.#send({
        resource: this.#resource,
        scopeMetrics: [{ scope: { name: 'signalpost' }, metrics }],
      });
    } catch (error) {
      this.#report(error instanceof Error ? shortReason(error) : String(error));
    }
  }

  #send(metrics: ResourceMetrics): Promise<void> {
    return new Promise((resolve, reject) =>
      this.#exporter.export(metrics, ({ error }) => {
        if (error) reject(error);
        else resolve();
      }),
    );
  }
}

/** When a process started to count, and when its counts were read, in milliseconds since 1970. */
export interface CountingTime {
  readonly startMs: number;
  readonly endMs: number;
}

type Labels = MetricValue['labels'];
type Histogram = HistogramMetricData['dataPoints'][number]['value'];

/**
 * Converts metrics to those of OpenTelemetry with the same names, which contain the unit. Counters become
 * monotonic sums since the start of the process. Metrics without a value are left out.
 */
function metricDataOf(
  metrics: readonly MetricReading[],
  time: CountingTime,
): readonly MetricData[] {
  return metrics.filter(({ values }) => values.length > 0).map((metric) => dataOf(metric, time));
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

/** prom-client returns a histogram as one cumulative value per bucket, a sum and a count. */
function histogramsOf(values: readonly MetricValue[]): (readonly [Labels, Histogram])[] {
  const series = new Map<string, { labels: Labels; values: MetricValue[] }>();
  for (const value of values) {
    const labels = Object.fromEntries(
      Object.entries(value.labels).filter(([name]) => name !== 'le'),
    );
    const key = JSON.stringify(Object.entries(labels).sort());
    const entry = series.get(key) ?? { labels, values: [] };
    entry.values.push(value);
    series.set(key, entry);
  }
  return [...series.values()].map((entry) => [entry.labels, histogramOf(entry.values)] as const);
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
