import prom = require('prom-client');

/** What the API shows of the workers, also when none runs. */
export interface EngineReading {
  readonly workersAlive: number;
  /** Pending deliveries that are due and not claimed. */
  readonly ready: number;
  readonly oldestDueSeconds: number;
  readonly oldestBacklogSeconds: number;
}

const gauges = {
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
export function registerEngineMetrics(
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
  for (const [name, [help, valueOf]] of Object.entries(gauges)) {
    new prom.Gauge({
      name,
      help,
      registers,
      async collect() {
        this.reset();
        const found = await latest();
        // Without a value the gauge has none: reset() leaves 0, which would mean "no worker".
        if (found) this.set(valueOf(found));
        else this.remove();
      },
    });
  }
}
