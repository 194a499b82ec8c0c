import prom = require('prom-client');

/** Registers what the queue answers to the API, also when no worker is there to be scraped. */
export function registerQueueMetrics(
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
