import { expect } from 'chai';
import { hasCollector, openMetricsExport } from '../../../src/process/telemetry.js';

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

describe('the interval between exports of metrics', () => {
  for (const [text, isRefused] of [
    ['', false],
    ['1', false],
    ['2147483647', false],
    ['0', true],
    ['-5', true],
    ['1.5', true],
    ['60s', true],
    ['2147483648', true],
  ] as const) {
    it(`"${text}" is ${isRefused ? 'replaced by the default, with a message' : 'accepted'}`, async () => {
      const said: string[] = [];
      const metrics = await openMetricsExport({
        environment: {
          OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
          OTEL_METRIC_EXPORT_INTERVAL: text,
        },
        service: 'signalpost-api',
        instance: 'one',
        startMs: 0,
        read: () => Promise.reject(new Error('nothing to read')),
        onError: (message) => said.push(message),
      });

      await metrics?.close();

      const refusals = said.filter((message) => message !== 'Error nothing to read');
      expect(refusals).to.have.lengthOf(isRefused ? 1 : 0);
      if (isRefused)
        expect(refusals[0]).to.match(/^OTEL_METRIC_EXPORT_INTERVAL must be .*; using 60000$/);
    });
  }
});
