import { expect } from 'chai';
import { openMetricsExport } from '../../../src/telemetry/open-exporters.js';

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
    it(`"${text}" is ${isRefused ? 'replaced, and the log says by what' : 'taken'}`, async () => {
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

      const refusals = said.filter((each) => each !== 'Error nothing to read');
      expect(refusals).to.have.lengthOf(isRefused ? 1 : 0);
      if (isRefused)
        expect(refusals[0]).to.match(/^OTEL_METRIC_EXPORT_INTERVAL must be .*; using 60000$/);
    });
  }
});
