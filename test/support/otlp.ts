import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span that was exported. Ids in hexadecimal digits; empty without a parent. */
export interface ExportedSpan {
  readonly service: string;
  readonly name: string;
  readonly trace: string;
  readonly id: string;
  readonly parent: string;
  /** The links as `<trace> <span>`. */
  readonly links: readonly string[];
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly failed: boolean;
}

/** A collector of OTLP over HTTP with protobuf, which keeps what arrives. */
export interface OtlpCollector {
  readonly url: string;
  readonly spans: readonly ExportedSpan[];
  /** One entry for each export of a process. */
  readonly metrics: readonly ExportedMetrics[];
  close(): Promise<void>;
}

/** Starts a collector on a free port of the loopback interface. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const spans: ExportedSpan[] = [];
  const metrics: ExportedMetrics[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') spans.push(...spansOf(Buffer.concat(chunks)));
      if (request.url === '/v1/metrics') metrics.push(...metricsOf(Buffer.concat(chunks)));
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    metrics,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Reads `ExportTraceServiceRequest` (opentelemetry-proto, trace/v1/trace.proto). */
function spansOf(request: Buffer): ExportedSpan[] {
  return messages(fieldsOf(request), 1).flatMap((resourceSpans) => {
    const [resource] = messages(resourceSpans, 1);
    const service = String(resource ? attributesOf(resource, 1)['service.name'] : '');
    return messages(resourceSpans, 2).flatMap((scope) =>
      messages(scope, 2).map((span) => spanOf(service, span)),
    );
  });
}

function spanOf(service: string, span: Fields): ExportedSpan {
  const hex = (fields: Fields, number: number) => bytes(fields, number).toString('hex');
  const [status] = messages(span, 15);
  return {
    service,
    name: bytes(span, 5).toString(),
    trace: hex(span, 1),
    id: hex(span, 2),
    parent: hex(span, 4),
    links: messages(span, 13).map((link) => `${hex(link, 1)} ${hex(link, 2)}`),
    startNs: integer(span, 7),
    endNs: integer(span, 8),
    attributes: attributesOf(span, 9),
    failed: status !== undefined && integer(status, 3) === 2n,
  };
}

/** One export of the metrics of one process. */
export interface ExportedMetrics {
  readonly service: string;
  readonly instance: string;
  readonly metrics: readonly ExportedMetric[];
}

/** A metric that was exported. */
export interface ExportedMetric {
  readonly name: string;
  /** A `sum` only grows, from the start of the process; so do the samples of a histogram. */
  readonly kind: 'gauge' | 'sum' | 'histogram' | 'other';
  /** The samples by name and labels, as `/metrics` writes them. */
  readonly samples: Readonly<Record<string, number>>;
  readonly startNs: bigint;
  readonly endNs: bigint;
}

const cumulative = 2n;

/** Reads `ExportMetricsServiceRequest` (opentelemetry-proto, metrics/v1/metrics.proto). */
function metricsOf(request: Buffer): ExportedMetrics[] {
  return messages(fieldsOf(request), 1).map((resourceMetrics) => {
    const resource = messages(resourceMetrics, 1)[0] ?? noFields;
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
  const [gauge] = messages(metric, 5);
  const [sum] = messages(metric, 7);
  const [histogram] = messages(metric, 9);
  const data = gauge ?? sum ?? histogram ?? noFields;
  const grows = integer(data, 2) === cumulative && (histogram || integer(data, 3) === 1n);
  const points = messages(data, 1);
  const first = points[0] ?? noFields;
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

/** Returns the attributes of a field of OTLP by name. */
function attributesOf(fields: Fields, number: number): Record<string, string | number> {
  return Object.fromEntries(
    messages(fields, number).map((pair) => {
      const value = messages(pair, 2)[0] ?? noFields;
      const text = value.get(1)?.[0];
      return [
        bytes(pair, 1).toString(),
        Buffer.isBuffer(text) ? text.toString() : Number(integer(value, 3)),
      ];
    }),
  );
}

/** The fields of a protobuf message by number: numbers as bigint, everything else as bytes. */
type Fields = ReadonlyMap<number, readonly (bigint | Buffer)[]>;
const noFields: Fields = new Map();

/** Returns the messages of a repeated field. */
function messages(fields: Fields, number: number): Fields[] {
  return (fields.get(number) ?? []).map((value) => fieldsOf(value as Buffer));
}

/** Returns a field of bytes; empty when it is not there. */
function bytes(fields: Fields, number: number): Buffer {
  return (fields.get(number)?.[0] ?? Buffer.alloc(0)) as Buffer;
}

/** Returns a field that holds a number; 0 when it is not there. */
function integer(fields: Fields, number: number): bigint {
  return (fields.get(number)?.[0] ?? 0n) as bigint;
}

/** Reads a message whose schema the caller knows. */
function fieldsOf(message: Buffer): Fields {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };

  const take = (length: number) => message.subarray(at, (at += length));

  while (at < message.length) {
    const tag = Number(varint());
    const number = tag >> 3;
    const type = tag & 7;
    const value =
      type === 0
        ? varint()
        : type === 1
          ? take(8).readBigUInt64LE()
          : take(type === 5 ? 4 : Number(varint()));
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }

  return fields;
}

/** Converts the bits of a number to a double. */
function double(bits: bigint): number {
  const eight = Buffer.alloc(8);
  eight.writeBigUInt64LE(bits);
  return eight.readDoubleLE();
}

/** Returns the numbers of a packed field, 64 bits each. */
function packed(fields: Fields, number: number): bigint[] {
  const all = bytes(fields, number);
  return Array.from({ length: all.length / 8 }, (_each, at) => all.readBigUInt64LE(at * 8));
}
