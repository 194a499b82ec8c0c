import type { MetricReading } from './metric-reading.js';
import type { ServiceName } from './tracing.js';

/** Exports the metrics of this process in the background. */
export interface MetricsExport {
  /** Exports the last values, for two seconds at most. */
  close(): Promise<void>;
}

/** What the export of metrics is started with. */
export interface MetricsExportOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly service: ServiceName;
  /** Tells this process from others of the service. */
  readonly instance: string;
  /** When the process began to count, in milliseconds since 1970. */
  readonly startMs: number;
  readonly read: () => Promise<readonly MetricReading[]>;
  /** Called when metrics could not be exported, at most once a minute. */
  readonly onError: (message: string) => void;
}
