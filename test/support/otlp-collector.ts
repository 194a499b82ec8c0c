import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { attributesOf } from './otlp-attributes.js';
import { type ExportedMetrics, metricsOf } from './otlp-metrics.js';
import { bytes, fieldsOf, type Fields, integer, messages } from './protobuf.js';

/** A span that was exported. Ids in hexadecimal digits; empty without a parent. */
export interface ExportedSpan {
  readonly service: string;
  readonly name: string;
  readonly trace: string;
  readonly id: string;
  readonly parent: string;
  /** `<trace> <span>` of each. */
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
  /** One for each export of a process. */
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
