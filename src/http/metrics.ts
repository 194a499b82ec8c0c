import prom = require('prom-client');

/** Takes note of one answered request. */
export type Observe = (operation: string, status: number, seconds: number) => void;

/** What the API process tells Prometheus. */
export interface Metrics {
  readonly observe: Observe;
  /** Takes note of events that were published and committed. */
  readonly accepted: (events: number) => void;
  /** Takes note of deliveries that a change of an endpoint turned from failed to abandoned. */
  readonly abandoned: (records: number) => void;
  /** Takes note of a request whose X-Forwarded-For was ignored. */
  readonly forwardedIgnored: () => void;
  /** Takes note of an error that an operation of internal GraphQL was answered with. */
  readonly graphqlError: (code: string) => void;
  /** In the text format of Prometheus. */
  readonly print: () => Promise<string>;
  readonly contentType: string;
}

/** What is asked when metrics are. */
export interface Gauges {
  /** Wake-ups that nobody has taken yet, by kind. */
  readonly depths: () => Promise<Readonly<Record<string, number>>>;
  /** Changes that wait for their turn. */
  readonly waiting: () => number;
}

/** Makes the metrics of one process. */
export function createMetrics({ depths, waiting }: Gauges): Metrics {
  const registers = [new prom.Registry()];
  const [register = new prom.Registry()] = registers;
  prom.collectDefaultMetrics({ register });
  const requests = new prom.Counter({
    name: 'signalpost_http_requests_total',
    help: 'Answered requests of the public interface.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const seconds = new prom.Histogram({
    name: 'signalpost_http_request_seconds',
    help: 'Time from the headers of a request to its response.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 20],
    registers,
  });
  const accepted = new prom.Counter({
    name: 'signalpost_events_accepted_total',
    help: 'Events that this process has published and committed.',
    registers,
  });
  const graphqlErrors = new prom.Counter({
    name: 'signalpost_graphql_errors_total',
    help: 'Errors of operations of internal GraphQL.',
    labelNames: ['code'],
    registers,
  });
  const deliveries = new prom.Counter({
    name: 'signalpost_deliveries_total',
    help: 'Failed deliveries that a change of an endpoint turned to abandoned.',
    labelNames: ['status'],
    registers,
  });
  const forwarded = new prom.Counter({
    name: 'signalpost_forwarded_for_ignored_total',
    help: 'Requests whose X-Forwarded-For was ignored, because TRUSTED_PROXIES is 0.',
    registers,
  });
  new prom.Gauge({
    name: 'signalpost_queue_depth',
    help: 'Wake-ups that no worker has taken yet; absent while the queue is away.',
    labelNames: ['kind'],
    registers,
    async collect() {
      this.reset();
      const found = await depths().catch(() => ({}));
      for (const [kind, depth] of Object.entries(found)) this.set({ kind }, depth);
    },
  });
  new prom.Gauge({
    name: 'signalpost_changes_waiting',
    help: 'Changes that wait for earlier changes of their account.',
    registers,
    collect() {
      this.set(waiting());
    },
  });
  return {
    observe: (operation, status, durationSeconds) => {
      requests.inc({ operation, status });
      seconds.observe({ operation }, durationSeconds);
    },
    accepted: (events) => accepted.inc(events),
    abandoned: (records) => deliveries.inc({ status: 'abandoned' }, records),
    forwardedIgnored: () => forwarded.inc(),
    graphqlError: (code) => graphqlErrors.inc({ code }),
    print: () => register.metrics(),
    contentType: register.contentType,
  };
}
