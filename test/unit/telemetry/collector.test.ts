import { expect } from 'chai';
import { hasCollector } from '../../../src/telemetry/open-exporters.js';

const all = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
const traces = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' };
const metrics = { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://collector:4318/v1/metrics' };

describe('the variables of OpenTelemetry', () => {
  for (const [what, environment, expected] of [
    ['nothing', {}, ''],
    ['an endpoint of both', all, 'TRACES METRICS'],
    ['an empty endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }, ''],
    ['an endpoint of traces', traces, 'TRACES'],
    ['an endpoint of metrics', metrics, 'METRICS'],
    ['no exporter of traces', { ...all, OTEL_TRACES_EXPORTER: 'none' }, 'METRICS'],
    ['no exporter of metrics', { ...all, OTEL_METRICS_EXPORTER: 'none' }, 'TRACES'],
    ['Prometheus only', { ...all, OTEL_METRICS_EXPORTER: 'prometheus' }, 'TRACES'],
    ['two exporters', { ...all, OTEL_METRICS_EXPORTER: 'prometheus, otlp' }, 'TRACES METRICS'],
    ['an SDK that is off', { ...all, OTEL_SDK_DISABLED: 'TRUE' }, ''],
  ] as const) {
    it(`with ${what}: ${expected === '' ? 'export nothing' : `export ${expected}`}`, () => {
      const found = (['TRACES', 'METRICS'] as const).filter((signal) =>
        hasCollector(environment, signal),
      );
      expect(found.join(' ')).to.equal(expected);
    });
  }
});
