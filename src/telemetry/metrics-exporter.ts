import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { closeInTime } from './close-in-time.js';
import { onceAMinute, shortReason } from './error-report.js';
import { metricDataOf } from './metric-data.js';
import type { MetricReading } from './metric-reading.js';
import { resourceOf } from './resource.js';
import type { ExportOptions } from './tracing.js';

/** What the export of metrics is started with. */
export interface MetricsExportOptions extends ExportOptions {
  /** When the process began to count, in milliseconds since 1970. */
  readonly startMs: number;
  readonly read: () => Promise<readonly MetricReading[]>;
}

/**
 * Exports the metrics of a process by the exporter of OpenTelemetry, whose own variables (`OTEL_*`) set
 * it. One export at a time: nothing waits while the collector is away.
 */
export class MetricsExporter {
  readonly #options: MetricsExportOptions;
  readonly #exporter = new OTLPMetricExporter();
  readonly #resource: ResourceMetrics['resource'];
  readonly #report: (message: string) => void;
  readonly #timer: NodeJS.Timeout;
  #exporting: Promise<void> | undefined;

  constructor(options: MetricsExportOptions, intervalMs: number) {
    this.#options = options;
    this.#resource = resourceOf(options);
    this.#report = onceAMinute(options.onError);
    this.#timer = setInterval(() => void this.#export(), intervalMs).unref();
  }

  /** Exports the last values, for two seconds at most. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await closeInTime(async () => {
      await this.#exporting;
      await this.#export();
      await this.#exporter.shutdown();
    });
  }

  #export(): Promise<void> {
    this.#exporting ??= this.#exportOnce().finally(() => (this.#exporting = undefined));
    return this.#exporting;
  }

  async #exportOnce(): Promise<void> {
    try {
      const { read, startMs } = this.#options;
      const metrics = [...metricDataOf(await read(), { startMs, endMs: Date.now() })];
      await this.#send({
        resource: this.#resource,
        scopeMetrics: [{ scope: { name: 'signalpost' }, metrics }],
      });
    } catch (error) {
      this.#report(error instanceof Error ? shortReason(error) : String(error));
    }
  }

  #send(metrics: ResourceMetrics): Promise<void> {
    return new Promise((resolve, reject) =>
      this.#exporter.export(metrics, ({ error }) => {
        if (error) reject(error);
        else resolve();
      }),
    );
  }
}
