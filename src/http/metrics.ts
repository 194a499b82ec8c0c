import { collectProcessMetrics } from '../process/process-metrics.js';
import type { MetricReading } from '../telemetry/metric-reading.js';
import { type EngineReading, registerEngineMetrics } from './engine-metrics.js';
import type { ForwardedForProblem } from './forwarded-for-warning.js';
import { registerQueueMetrics } from './queue-metrics.js';
import { createStreamMetrics, type StreamMetrics, type StreamStatus } from './stream-metrics.js';
import prom = require('prom-client');

/** Counts one response. */
export type Observe = (operation: string, status: number, seconds: number) => void;

/** The Prometheus metrics of the API process. */
export interface Metrics extends StreamMetrics {
  readonly observe: Observe;
  /** Counts events that were published and committed. */
  readonly accepted: (events: number) => void;
  /** Counts an event that was published although its data breaks its schema. */
  readonly schemaMismatch: (type: string) => void;
  /** Counts deliveries that a change of an endpoint turned from failed to abandoned. */
  readonly abandoned: (records: number) => void;
  /** Counts a request whose X-Forwarded-For was not used. */
  readonly forwardedFor: (problem: ForwardedForProblem) => void;
  /** Counts an error in a response of internal GraphQL. */
  readonly graphqlError: (code: string) => void;
  /** Returns the metrics in the Prometheus text format. */
  readonly print: () => Promise<string>;
  readonly contentType: string;
  /** Returns the metrics for other formats. */
  readonly read: () => Promise<readonly MetricReading[]>;
}

/** Values read at each scrape. */
export interface Gauges {
  /** Wake-ups not yet taken by a worker, by kind. */
  readonly depths: () => Promise<Readonly<Record<string, number>>>;
  /** Changes that wait for a slot of their account. */
  readonly waiting: () => number;
  readonly streams: StreamStatus;
  /** Workers and backlog, as PostgreSQL knows them. */
  readonly engine: () => Promise<EngineReading>;
  /** Statements that PostgreSQL refused to write. */
  readonly refusedWrites: () => number;
}

export function createMetrics(gauges: Gauges): Metrics {
  const { depths, waiting, streams, engine, refusedWrites } = gauges;
  const register = new prom.Registry();
  const registers = [register];
  collectProcessMetrics(register);
  const requests = new prom.Counter({
    name: 'signalpost_http_requests_total',
    help: 'Responses of the public listener, by operation and status.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const seconds = new prom.Histogram({
    name: 'signalpost_http_request_seconds',
    help: 'Seconds from the headers of a request to its response.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 20],
    registers,
  });
  const accepted = new prom.Counter({
    name: 'signalpost_events_accepted_total',
    help: 'Events that this process has published and committed.',
    registers,
  });
  const mismatches = new prom.Counter({
    name: 'signalpost_event_schema_mismatches_total',
    help: 'Published events whose data breaks a schema that only warns, by event type.',
    labelNames: ['type'],
    registers,
  });
  const graphqlErrors = new prom.Counter({
    name: 'signalpost_graphql_errors_total',
    help: 'Errors in responses of internal GraphQL, by code.',
    labelNames: ['code'],
    registers,
  });
  const deliveries = new prom.Counter({
    name: 'signalpost_deliveries_total',
    help: 'Failed deliveries that became abandoned because their endpoint changed.',
    labelNames: ['status'],
    registers,
  });
  const forwardedFor = {
    ignored: new prom.Counter({
      name: 'signalpost_forwarded_for_ignored_total',
      help: 'Requests whose X-Forwarded-For was ignored, because TRUSTED_PROXIES is 0.',
      registers,
    }),
    invalid: new prom.Counter({
      name: 'signalpost_forwarded_for_invalid_total',
      help: 'Requests whose X-Forwarded-For has text in place of the address of the client.',
      registers,
    }),
  };
  new prom.Gauge({
    name: 'signalpost_changes_waiting',
    help: 'Changes that wait for a slot of their account.',
    registers,
    collect() {
      this.set(waiting());
    },
  });
  new prom.Counter({
    name: 'signalpost_writes_refused_total',
    help: 'Statements that PostgreSQL refused because its disk is full or fails, or because it is read-only.',
    registers,
    collect() {
      this.reset();
      this.inc(refusedWrites());
    },
  });
  registerQueueMetrics(registers, depths);
  registerEngineMetrics(registers, engine);
  return {
    observe: (operation, status, durationSeconds) => {
      requests.inc({ operation, status });
      seconds.observe({ operation }, durationSeconds);
    },
    accepted: (events) => accepted.inc(events),
    schemaMismatch: (type) => mismatches.inc({ type }),
    abandoned: (records) => deliveries.inc({ status: 'abandoned' }, records),
    forwardedFor: (problem) => forwardedFor[problem].inc(),
    graphqlError: (code) => graphqlErrors.inc({ code }),
    ...createStreamMetrics(registers, streams),
    print: () => register.metrics(),
    contentType: register.contentType,
    read: () => register.getMetricsAsJSON(),
  };
}
