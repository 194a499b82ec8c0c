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
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { isSampled } from './traceparent.js';
import type { NewSpan, OpenSpan, SpanEnd, Tracing, TracingOptions } from './tracing.js';

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
const closeMs = 2_000;
const reportEveryMs = 60_000;
const maxReasonLength = 300;

/**
 * Traces by the SDK of OpenTelemetry. Its own variables (`OTEL_*`) set exporter, batches, sampler and
 * resource. At most 2,048 spans wait (`OTEL_BSP_MAX_QUEUE_SIZE`); more are dropped.
 */
export class OpenTelemetry implements Tracing {
  readonly #provider: BasicTracerProvider;
  readonly #tracer: Tracer;

  constructor({ service, onError }: TracingOptions) {
    reportErrors(onError);
    this.#provider = new BasicTracerProvider({
      resource: defaultResource()
        .merge(resourceFromAttributes({ 'service.name': service }))
        .merge(detectResources({ detectors: [envDetector] })),
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
      // The API has decided for the whole trace; the flag of the event says how.
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
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<void>((resolve) => (timer = setTimeout(resolve, closeMs)));
    // A failure was reported, as those of other exports are.
    const closed = this.#provider.shutdown().catch(() => undefined);
    await Promise.race([closed, tooLate]);
    clearTimeout(timer);
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

/** The SDK reports an export that failed here only, as an error; its warnings are about less. */
function reportErrors(onError: (message: string) => void): void {
  let reportedAt = -Infinity;
  const report = (message: string) => {
    if (performance.now() - reportedAt < reportEveryMs) return;
    reportedAt = performance.now();
    onError(shortReason(message));
  };
  const ignore = () => undefined;
  const logger = { error: report, warn: ignore, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true });
}

/**
 * The SDK writes an error as JSON with its stack and the response of the collector, which may repeat
 * the headers of the request.
 */
function shortReason(message: string): string {
  let reason = message;
  try {
    const { name, code, message: text } = JSON.parse(message) as Partial<Record<string, string>>;
    reason = [name, code, text].filter((each) => each !== undefined).join(' ');
  } catch {
    // A sentence of the SDK.
  }
  return reason.replace(/\/\/[^@\s/]*@/g, '//').slice(0, maxReasonLength);
}
