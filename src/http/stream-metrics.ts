import prom = require('prom-client');

/** The counters of the live stream. */
export interface StreamMetrics {
  /** Counts a stream that the service ended. */
  readonly streamCut: (reason: string) => void;
  /** Counts a stream that began with a position. */
  readonly streamResumed: () => void;
}

/** What the gauges of the live stream read at each scrape. */
export type StreamStatus = () => { readonly open: number; readonly lagSeconds: number };

/** Makes the metrics of the live stream. */
export function createStreamMetrics(
  registers: prom.Registry[],
  streams: StreamStatus,
): StreamMetrics {
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
