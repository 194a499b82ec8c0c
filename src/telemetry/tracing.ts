/** Who does the work of a span: the side that is called, the side that calls, or neither. */
export type SpanKind = 'server' | 'client' | 'internal';

/** Names and values that describe a span. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A span to begin. */
export interface NewSpan {
  readonly name: string;
  /** Defaults to `internal`. */
  readonly kind?: SpanKind;
  /** The `traceparent` of the span that it is part of. Defaults to a trace of its own. */
  readonly parent?: string | undefined;
  /** The `traceparent` of a span of another trace that it follows from. */
  readonly link?: string | undefined;
  /** Milliseconds since 1970. Defaults to now. */
  readonly startMs?: number;
}

/** How a span ended. */
export interface SpanEnd {
  readonly attributes?: Attributes;
  /** Defaults to false. */
  readonly failed?: boolean;
  /** Milliseconds since 1970. Defaults to now. */
  readonly endMs?: number;
  /** In place of the one that it began with. */
  readonly name?: string;
}

/** A span that has begun, of a trace that is recorded. */
export interface OpenSpan {
  /** For what is part of it. */
  readonly traceparent: string;
  end(end?: SpanEnd): void;
}

/** Records spans and exports them in the background. Never throws, and never delays its callers. */
export interface Tracing {
  /** Begins a span. @returns undefined when its trace is not recorded */
  begin(span: NewSpan): OpenSpan | undefined;
  /** Exports what is left, for two seconds at most. */
  close(): Promise<void>;
}

/** Names the processes of one kind. */
export type ServiceName = 'signalpost-api' | 'signalpost-worker';

/** What the export of traces is started with, and that of metrics. */
export interface ExportOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly service: ServiceName;
  /** Tells this process from others of the service. */
  readonly instance: string;
  /** Called when some could not be exported, at most once a minute. */
  readonly onError: (message: string) => void;
}

/** The members of a log line that name the span of `traceparent`. */
export function spanNames(traceparent: string | undefined): {
  readonly trace_id?: string;
  readonly span_id?: string;
} {
  if (traceparent === undefined) return {};
  const [, trace_id = '', span_id = ''] = traceparent.split('-');
  return { trace_id, span_id };
}
