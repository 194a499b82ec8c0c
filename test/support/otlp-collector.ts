import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

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
  close(): Promise<void>;
}

/** Starts a collector on a free port of the loopback interface. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const spans: ExportedSpan[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') spans.push(...spansOf(Buffer.concat(chunks)));
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ url: `http://127.0.0.1:${port}`, spans },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The fields of a protobuf message by number: numbers as bigint, everything else as bytes. */
type Fields = ReadonlyMap<number, readonly (bigint | Buffer)[]>;

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
    ...{ service, name: bytes(span, 5).toString() },
    ...{ trace: hex(span, 1), id: hex(span, 2), parent: hex(span, 4) },
    links: messages(span, 13).map((link) => `${hex(link, 1)} ${hex(link, 2)}`),
    ...{ startNs: integer(span, 7), endNs: integer(span, 8) },
    attributes: attributesOf(span, 9),
    failed: status !== undefined && integer(status, 3) === 2n,
  };
}

function attributesOf(fields: Fields, number: number): Record<string, string | number> {
  return Object.fromEntries(
    messages(fields, number).map((pair) => {
      const [value = new Map<number, Buffer[]>()] = messages(pair, 2);
      const text = value.get(1)?.[0];
      return [
        bytes(pair, 1).toString(),
        Buffer.isBuffer(text) ? text.toString() : Number(integer(value, 3)),
      ];
    }),
  );
}

function messages(fields: Fields, number: number): Fields[] {
  return (fields.get(number) ?? []).map((value) => fieldsOf(value as Buffer));
}

function bytes(fields: Fields, number: number): Buffer {
  return (fields.get(number)?.[0] ?? Buffer.alloc(0)) as Buffer;
}

function integer(fields: Fields, number: number): bigint {
  return (fields.get(number)?.[0] ?? 0n) as bigint;
}

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
    const [number, type] = [tag >> 3, tag & 7];
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
