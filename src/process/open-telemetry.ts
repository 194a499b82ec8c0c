// The exporters of traces and metrics over OTLP. `telemetry.ts` loads this file, and with it OpenTelemetry, only when
// a collector is named. Exports run in the background: nothing waits for a collector, and a crash loses what was not
// exported yet.
import {
  type Context,
  diag,
  DiagLogLevel,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
  type HrTime,
  ValueType,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import {
  isSampled,
  type ExportOptions,
  type NewSpan,
  type OpenSpan,
  type SpanEnd,
  type Tracing,
} from './tracing.js';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import {
  type ResourceMetrics,
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type HistogramMetricData,
  type MetricData,
} from '@opentelemetry/sdk-metrics';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

/**
 * Traces with the SDK of OpenTelemetry, whose variables (`OTEL_*`) configure exporter, batches, sampler and
 * resource. At most 2,048 spans wait for export (`OTEL_BSP_MAX_QUEUE_SIZE`); more are dropped.
 */
export class OpenTelemetry implements Tracing {
  readonly #provider: BasicTracerProvider;
  readonly #tracer: Tracer;

  constructor({ service, instance, onError }: ExportOptions) {
    reportErrors(onError);
    this.#provider = new BasicTracerProvider({
      resource: resourceOf({ service, instance }),
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
      // The API decides for the whole trace, and the event carries its flag.
      ...(service === 'signalpost-worker' && { sampler: new AlwaysOnSampler() }),
    });
    this.#tracer = this.#provider.getTracer('signalpost');
  }

  begin({ name, kind = 'internal', parent, link, startMs }: NewSpan): OpenSpan | undefined {
    const span = this.#tracer.startSpan(
      name,
      {
        kind: kinds[kind],
        ...(startMs !== undefined && { startTime: startMs }),
        ...(link !== undefined && { links: [linkTo(link)] }),
      },
      traceContext(parent),
    );
    return span.isRecording() ? new RecordedSpan(span) : undefined;
  }

  async close(): Promise<void> {
    await closeInTime(() => this.#provider.shutdown());
  }
}

class RecordedSpan implements OpenSpan {
  readonly traceparent: string;
  readonly #span: Span;

  constructor(span: Span) {
    const { traceId, spanId } = span.spanContext();
    this.traceparent = `00-${traceId}-${spanId}-01`;
    this.#span = span;
  }

  end({ attributes, failed = false, endMs, name }: SpanEnd = {}): void {
    if (name !== undefined) this.#span.updateName(name);
    if (attributes) this.#span.setAttributes({ ...attributes });
    if (failed) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end(endMs);
  }
}

function traceContext(parent: string | undefined): Context {
  return parent === undefined
    ? ROOT_CONTEXT
    : trace.setSpanContext(ROOT_CONTEXT, spanContextOf(parent));
}

function linkTo(traceparent: string): Link {
  return { context: spanContextOf(traceparent) };
}

function spanContextOf(traceparent: string): SpanContext {
  const [, traceId = '', spanId = ''] = traceparent.split('-');
  return { traceId, spanId, traceFlags: isSampled(traceparent) ? 1 : 0, isRemote: true };
}

/** Only here does the SDK report a failed export, as an error; its warnings are less important. */
function reportErrors(onError: (message: string) => void): void {
  const report = onceAMinute(onError);
  const error = (message: string) => report(shortReason(parsed(message)));
  const ignore = () => undefined;
  const logger = { error, warn: ignore, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true });
}

/** The SDK logs an error as JSON, with its stack and the response of the collector. */
function parsed(message: string): Partial<Record<'name' | 'code' | 'message', string>> {
  try {
    return JSON.parse(message) as Record<string, string>;
  } catch {
    // Not an error but a sentence of the SDK.
    return { message };
  }
}

/** One metric of a registry of prom-client, as `getMetricsAsJSON` returns it. */
export interface MetricReading {
  readonly name: string;
  readonly help: string;
  /** `counter`, `gauge` or `histogram`; the types of prom-client call it a number. */
  readonly type: unknown;
  readonly values: readonly MetricValue[];
}

/** One value with its labels. Those of histograms name their series, such as `…_bucket`. */
interface MetricValue {
  readonly value: number;
  readonly labels: Readonly<Partial<Record<string, string | number>>>;
  readonly metricName?: string;
}

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
interface CountingTime {
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

/** Returns the attributes of this process. `OTEL_RESOURCE_ATTRIBUTES` takes precedence. */
function resourceOf({
  service,
  instance,
}: {
  readonly service: string;
  readonly instance: string;
}): Resource {
  const attributes = { 'service.name': service, 'service.instance.id': instance };
  return defaultResource()
    .merge(resourceFromAttributes(attributes))
    .merge(detectResources({ detectors: [envDetector] }));
}

const reportEveryMs = 60_000;
const maxReasonLength = 300;

/** Reports at most one message per minute and drops the others. */
function onceAMinute(report: (message: string) => void): (message: string) => void {
  let reportedAt = -Infinity;
  return (message) => {
    if (performance.now() - reportedAt < reportEveryMs) return;
    reportedAt = performance.now();
    report(message);
  };
}

/** Returns why an export failed, without the response of the collector, which may repeat secret headers. */
function shortReason({ name, code, message }: FailureOfExport): string {
  const reason = [name, code, message].filter((part) => part !== undefined).join(' ');
  return reason.replace(/\/\/[^@\s/]*@/g, '//').slice(0, maxReasonLength);
}

interface FailureOfExport {
  readonly name?: string;
  readonly code?: string | number;
  readonly message?: string;
}

const closeMs = 2_000;

/** Waits for `close`, for at most two seconds. Its failures were already reported. */
async function closeInTime(close: () => Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<void>((resolve) => (timer = setTimeout(resolve, closeMs)));
  await Promise.race([close().catch(() => undefined), tooLate]);
  clearTimeout(timer);
}
