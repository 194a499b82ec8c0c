/** One metric of a registry of prom-client, as `getMetricsAsJSON` returns it. */
export interface MetricReading {
  readonly name: string;
  readonly help: string;
  /** `counter`, `gauge` or `histogram`; the types of prom-client call it a number. */
  readonly type: unknown;
  readonly values: readonly MetricValue[];
}

/** One value with its labels. Those of histograms name their series, such as `…_bucket`. */
export interface MetricValue {
  readonly value: number;
  readonly labels: Readonly<Partial<Record<string, string | number>>>;
  readonly metricName?: string;
}
