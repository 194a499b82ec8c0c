import { collectProcessMetrics } from '../../process/telemetry.js';
import type { MetricReading } from '../../process/open-telemetry.js';
import type { ForwardedForProblem } from '../client-address.js';

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
  /** Adds what each scrape reads; until then, the gauges show a process that has not started. */
  readonly setSources: (sources: MetricSources) => void;
  /** Returns the metrics in the Prometheus text format. */
  readonly print: () => Promise<string>;
  readonly contentType: string;
  /** Returns the metrics for other formats. */
  readonly read: () => Promise<readonly MetricReading[]>;
}

/** Values read at each scrape. */
interface MetricSources {
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

const notStarted: MetricSources = {
  depths: () => Promise.reject(new Error('The queue is not connected yet.')),
  waiting: () => 0,
  streams: () => ({ open: 0, lagSeconds: 0 }),
  engine: () => Promise.reject(new Error('The database is not open yet.')),
  refusedWrites: () => 0,
};

export function createMetrics(): Metrics {
  let sources = notStarted;
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
      this.set(sources.waiting());
    },
  });

  new prom.Counter({
    name: 'signalpost_writes_refused_total',
    help: 'Statements that PostgreSQL refused because its disk is full or fails, or because it is read-only.',
    registers,
    collect() {
      this.reset();
      this.inc(sources.refusedWrites());
    },
  });

  registerQueueMetrics(registers, () => sources.depths());
  registerEngineMetrics(registers, () => sources.engine());

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
    ...createStreamMetrics(registers, () => sources.streams()),
    setSources: (running) => (sources = running),
    print: () => register.metrics(),
    contentType: register.contentType,
    read: () => register.getMetricsAsJSON(),
  };
}

/** What the API shows of the workers, also when none runs. */
interface EngineReading {
  readonly workersAlive: number;
  /** Pending deliveries that are due and not claimed. */
  readonly ready: number;
  readonly oldestDueSeconds: number;
  readonly oldestBacklogSeconds: number;
}

const engineGauges = {
  signalpost_workers_alive: [
    'Workers that polled within the last 30 seconds.',
    ({ workersAlive }: EngineReading) => workersAlive,
  ],
  signalpost_pending_deliveries_ready: [
    'Pending deliveries that are due and not claimed.',
    ({ ready }: EngineReading) => ready,
  ],
  signalpost_oldest_due_seconds: [
    'Lag: time since the oldest pending delivery became due, for active endpoints that do not fail.',
    ({ oldestDueSeconds }: EngineReading) => oldestDueSeconds,
  ],
  signalpost_backlog_oldest_seconds: [
    'Time since the oldest pending delivery of any endpoint became due.',
    ({ oldestBacklogSeconds }: EngineReading) => oldestBacklogSeconds,
  ],
} as const;

const maxAgeMs = 5_000;

/**
 * Registers what PostgreSQL knows of the workers; an alert needs it most when no worker is there to
 * be scraped. Read at most every 5 seconds. While PostgreSQL does not answer, only the gauge that says
 * so has a value.
 */
function registerEngineMetrics(
  registers: prom.Registry[],
  read: () => Promise<EngineReading>,
): void {
  let reading: Promise<EngineReading | undefined> = Promise.resolve(undefined);
  let readAt = -Infinity;
  const latest = () => {
    if (performance.now() - readAt >= maxAgeMs) {
      readAt = performance.now();
      reading = read().catch(() => undefined);
    }
    return reading;
  };

  new prom.Gauge({
    name: 'signalpost_postgresql_up',
    help: 'Whether PostgreSQL answers.',
    registers,
    async collect() {
      this.set((await latest()) ? 1 : 0);
    },
  });

  for (const [name, [help, valueOf]] of Object.entries(engineGauges)) {
    new prom.Gauge({
      name,
      help,
      registers,
      async collect() {
        this.reset();
        const current = await latest();
        // reset() leaves 0, which would mean "no worker".
        if (current) this.set(valueOf(current));
        else this.remove();
      },
    });
  }
}

/** Registers what the queue answers to the API, also when no worker is there to be scraped. */
function registerQueueMetrics(
  registers: prom.Registry[],
  depths: () => Promise<Readonly<Record<string, number>>>,
): void {
  let reading: Promise<Readonly<Record<string, number>> | undefined> | undefined;
  // Both gauges of a scrape share one reading.
  const latest = () =>
    (reading ??= depths()
      .catch(() => undefined)
      .finally(() => (reading = undefined)));

  new prom.Gauge({
    name: 'signalpost_queue_up',
    help: 'Whether the queue answers.',
    registers,
    async collect() {
      this.set((await latest()) ? 1 : 0);
    },
  });

  new prom.Gauge({
    name: 'signalpost_queue_depth',
    help: 'Wake-ups that no worker has taken yet; absent while the queue is unavailable.',
    labelNames: ['kind'],
    registers,
    async collect() {
      this.reset();
      for (const [kind, depth] of Object.entries((await latest()) ?? {})) this.set({ kind }, depth);
    },
  });
}

/** The counters of the live stream. */
interface StreamMetrics {
  /** Counts a stream that the service ended. */
  readonly streamCut: (reason: string) => void;
  /** Counts a stream that began with a position. */
  readonly streamResumed: () => void;
}

/** What the gauges of the live stream read at each scrape. */
type StreamStatus = () => { readonly open: number; readonly lagSeconds: number };

/** Registers the metrics of the live stream. */
function createStreamMetrics(registers: prom.Registry[], streams: StreamStatus): StreamMetrics {
  const cut = new prom.Counter({
    name: 'signalpost_streams_cut_total',
    help: 'Streams that the service ended, by reason.',
    labelNames: ['reason'],
    registers,
  });

  const resumed = new prom.Counter({
    name: 'signalpost_streams_resumed_total',
    help: 'Streams that began with a position.',
    registers,
  });

  new prom.Gauge({
    name: 'signalpost_streams',
    help: 'Open streams.',
    registers,
    collect() {
      this.set(streams().open);
    },
  });

  new prom.Gauge({
    name: 'signalpost_stream_lag_seconds',
    help: 'Age of the oldest row that open streams may still lack, also of one in an open transaction; 0 without streams.',
    registers,
    collect() {
      this.set(streams().lagSeconds);
    },
  });

  return {
    streamCut: (reason) => cut.inc({ reason }),
    streamResumed: () => resumed.inc(),
  };
}
