import { attributesOf } from './otlp-attributes.js';
import { bytes, double, fieldsOf, type Fields, integer, messages, packed } from './protobuf.js';

/** One export of the metrics of one process. */
export interface ExportedMetrics {
  readonly service: string;
  readonly instance: string;
  readonly metrics: readonly ExportedMetric[];
}

/** A metric that was exported. */
export interface ExportedMetric {
  readonly name: string;
  /** `sum` is one that only grows, since the start of the process; so are those of a histogram. */
  readonly kind: 'gauge' | 'sum' | 'histogram' | 'other';
  /** The samples by name and labels, as `/metrics` writes them. */
  readonly samples: Readonly<Record<string, number>>;
  readonly startNs: bigint;
  readonly endNs: bigint;
}

const cumulative = 2n;

/** Reads `ExportMetricsServiceRequest` (opentelemetry-proto, metrics/v1/metrics.proto). */
export function metricsOf(request: Buffer): ExportedMetrics[] {
  return messages(fieldsOf(request), 1).map((resourceMetrics) => {
    const [resource = new Map<number, never[]>()] = messages(resourceMetrics, 1);
    const names = attributesOf(resource, 1);
    return {
      service: String(names['service.name']),
      instance: String(names['service.instance.id']),
      metrics: messages(resourceMetrics, 2).flatMap((scope) => messages(scope, 2).map(metricOf)),
    };
  });
}

function metricOf(metric: Fields): ExportedMetric {
  const name = bytes(metric, 1).toString();
  const [[gauge], [sum], [histogram]] = [5, 7, 9].map((field) => messages(metric, field)) as [
    ...[Fields[], Fields[], Fields[]],
  ];
  const data = gauge ?? sum ?? histogram ?? new Map<number, never[]>();
  const grows = integer(data, 2) === cumulative && (histogram || integer(data, 3) === 1n);
  const points = messages(data, 1);
  const [first = new Map<number, never[]>()] = points;
  return {
    name,
    kind: gauge ? 'gauge' : !grows ? 'other' : sum ? 'sum' : 'histogram',
    samples: Object.fromEntries(
      points.flatMap((point) => (histogram ? buckets(name, point) : [number(name, point)])),
    ),
    startNs: integer(first, 2),
    endNs: integer(first, 3),
  };
}

function number(name: string, point: Fields): [string, number] {
  return [sampleName(name, attributesOf(point, 7)), double(integer(point, 4))];
}

function buckets(name: string, point: Fields): [string, number][] {
  const labels = attributesOf(point, 9);
  const bounds = packed(point, 7).map((bits) => String(double(bits)));
  let below = 0;
  const counts = packed(point, 6).map((count): [string, number] => {
    const le = bounds.shift() ?? '+Inf';
    return [sampleName(`${name}_bucket`, { ...labels, le }), (below += Number(count))];
  });
  return [
    ...counts,
    [sampleName(`${name}_sum`, labels), double(integer(point, 5))],
    [sampleName(`${name}_count`, labels), Number(integer(point, 4))],
  ];
}

/** Names a sample by its metric and its labels in the order of the alphabet. */
export function sampleName(
  name: string,
  labels: Readonly<Record<string, string | number>>,
): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return `${name}{${pairs.sort().join()}}`;
}
