// The traces of a process: the interface for recording spans, the `traceparent` header (W3C Trace Context), and the
// spans of commits.

/** Whether a span serves a call, makes a call, or neither. */
type SpanKind = 'server' | 'client' | 'internal';

/** Names and values that describe a span. */
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A span to start. */
export interface NewSpan {
  readonly name: string;
  /** Defaults to `internal`. */
  readonly kind?: SpanKind;
  /** The `traceparent` of the parent span. Without it, a new trace starts. */
  readonly parent?: string | undefined;
  /** The `traceparent` of a span in another trace that caused this one. */
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
  /** Replaces the name that it started with. */
  readonly name?: string;
}

/** A span that has started, in a trace that is recorded. */
export interface OpenSpan {
  /** The parent for spans within this one. */
  readonly traceparent: string;
  end(end?: SpanEnd): void;
}

/** Records spans and exports them in the background. Never throws, and never delays its callers. */
export interface Tracing {
  /** Starts a span. @returns undefined if its trace is not recorded */
  begin(span: NewSpan): OpenSpan | undefined;
  /** Exports the remaining spans, for at most two seconds. */
  close(): Promise<void>;
}

/** The name of a kind of process. */
export type ServiceName = 'signalpost-api' | 'signalpost-worker';

/** The options of an exporter, for traces or metrics. */
export interface ExportOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly service: ServiceName;
  /** Tells this process from the others of its kind. */
  readonly instance: string;
  /** Called when an export failed, at most once a minute. */
  readonly onError: (message: string) => void;
}

/** Returns the log fields that name the span of `traceparent`. */
export function spanNames(traceparent: string | undefined): {
  readonly trace_id?: string;
  readonly span_id?: string;
} {
  if (traceparent === undefined) return {};
  const [, trace_id = '', span_id = ''] = traceparent.split('-');
  return { trace_id, span_id };
}

/** Version 00, with ids that are not zero (W3C Trace Context §3.2). Later versions may append fields. */
const pattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?=$|-)/;
const length = 55;

/**
 * Parses a `traceparent` header (W3C Trace Context §3.2).
 * @returns the 55 characters of version 00; undefined for a header that must be ignored
 */
export function parseTraceparent(
  header: string | readonly string[] | undefined,
): string | undefined {
  if (typeof header !== 'string' || !pattern.test(header)) return undefined;
  if (header.startsWith('00') && header.length !== length) return undefined;
  return `00${header.slice(2, length)}`;
}

/** Returns the same trace with the flag that it is not recorded. */
export function unsampled(traceparent: string): string {
  return `${traceparent.slice(0, -2)}00`;
}

/** Whether the trace is recorded, which the lowest flag says (W3C Trace Context §3.2.2.5). */
export function isSampled(traceparent: string): boolean {
  return (parseInt(traceparent.slice(-1), 16) & 1) === 1;
}

/** An event of a group that is committed. */
interface GroupEvent {
  readonly id: string;
  readonly traceparent?: string | undefined;
}

/**
 * Records a span `commit` in the trace of each event that a group commits. The function that it returns is called when
 * a group is sent, and returns the one to call with the results after the commit.
 */
export function traceCommits(tracing: Tracing) {
  return (events: readonly GroupEvent[]) => {
    const startMs = Date.now();
    const startedAt = performance.now();

    return (results: readonly unknown[]) => {
      const endMs = startMs + performance.now() - startedAt;
      for (const [index, { id, traceparent }] of events.entries()) {
        if (!isCreated(results[index])) continue;
        if (traceparent === undefined || !isSampled(traceparent)) continue;

        const span = tracing.begin({ name: 'commit', parent: traceparent, startMs });
        const attributes = { 'signalpost.event': id, 'signalpost.group.events': events.length };
        span?.end({ attributes, endMs });
      }
    };
  };
}

/** Whether the result of an event says that it was stored now, and not before. */
function isCreated(result: unknown): boolean {
  return (
    typeof result === 'object' && result !== null && 'created' in result && result.created === true
  );
}
