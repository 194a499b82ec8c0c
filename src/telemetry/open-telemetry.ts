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
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { closeInTime, onceAMinute, shortReason, resourceOf } from './exporting.js';
import {
  isSampled,
  type ExportOptions,
  type NewSpan,
  type OpenSpan,
  type SpanEnd,
  type Tracing,
} from './tracing.js';

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
      contextOf(parent),
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

function contextOf(parent: string | undefined): Context {
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
