import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { fetch } from 'undici';
import { recordedAs } from '../support/delivery-records.js';
import { createEndpoint } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import {
  type OtlpCollector,
  startOtlpCollector,
  type ExportedMetric,
  type ExportedMetrics,
  sampleName,
} from '../support/otlp.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type Service, startService } from '../support/service.js';
import { createTenant } from '../support/tenants.js';

type Samples = Readonly<Record<string, number>>;

/** The samples of Prometheus' text format, by name and sorted labels. */
function samplesOf(text: string): Samples {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', list = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      const labels = [...list.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, of]) => [key, of]);
      return [
        sampleName(name, Object.fromEntries(labels) as Record<string, string>),
        Number(value),
      ];
    }),
  );
}

/** The samples that nothing else changes between two readings. */
function ours(samples: Samples): Samples {
  return Object.fromEntries(
    Object.entries(samples).filter(([name]) => name.startsWith('signalpost_')),
  );
}

function samplesIn({ metrics }: ExportedMetrics): Samples {
  return Object.assign({}, ...metrics.map(({ samples }) => samples)) as Samples;
}

const delivered = 'signalpost_deliveries_total{status="success"}';

describe('metrics over OTLP', () => {
  let receiver: Receiver;
  let collector: OtlpCollector;

  before(async () => {
    receiver = await startReceiver();
    collector = await startOtlpCollector();
  });

  after(async () => {
    await receiver.close();
    await collector.close();
  });

  async function deliver(service: Service): Promise<void> {
    const tenant = await createTenant(service);
    await createEndpoint(tenant.rest, { url: receiver.url('/hook') });
    await recordedAs(tenant.rest, await tenant.publish({}), ['success']);
  }

  describe('the export in the background', () => {
    let service: Service;
    let startedAt: number;

    before(async () => {
      startedAt = Date.now();
      service = await startService({
        environment: {
          OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
          OTEL_METRIC_EXPORT_INTERVAL: '200',
        },
      });
      await deliver(service);
    });

    after(() => service.stop());

    const addresses = {
      'signalpost-api': () => service.internalUrl,
      'signalpost-worker': () => service.workers[0]?.healthUrl ?? '',
    };

    for (const name of ['signalpost-api', 'signalpost-worker'] as const) {
      it(`exports the names and values of /metrics from ${name}`, async () => {
        await eventually(async () => {
          const already = collector.metrics.length;
          const response = await fetch(`${addresses[name]()}/metrics`);
          const served = samplesOf(await response.text());
          const exported = await eventually(() => {
            const next = collector.metrics.slice(already).find((batch) => batch.service === name);
            if (!next) throw new Error('nothing was exported since');
            return samplesIn(next);
          }, 'the next export');
          expect(ours(exported)).to.deep.equal(ours(served));
          expect(exported).to.have.all.keys(Object.keys(served));
        }, 'both are the same');
      });
    }

    it('exports the kinds and times that a collector needs to compare them', () => {
      const last = collector.metrics.findLast((batch) => batch.service === 'signalpost-worker');
      const metric = (name: string): ExportedMetric => {
        const exported = last?.metrics.find((candidate) => candidate.name === name);
        if (!exported) throw new Error(`${name} is not exported`);
        return exported;
      };
      const { kind, samples, startNs, endNs } = metric('signalpost_deliveries_total');
      expect([kind, samples[delivered]]).to.deep.equal(['sum', 1]);
      expect(Number(startNs / 1_000_000n)).to.be.within(startedAt - 1_000, Date.now());
      expect(endNs > startNs).to.equal(true);
      expect(metric('signalpost_attempt_duration_seconds').kind).to.equal('histogram');
      expect(metric('signalpost_attempts_limit').kind).to.equal('gauge');
    });

    it('exports under the name of the process that /status shows', async () => {
      const last = collector.metrics.findLast((batch) => batch.service === 'signalpost-worker');
      await eventually(async () => {
        const response = await fetch(`${service.internalUrl}/status`);
        const { workers } = (await response.json()) as { workers: readonly { id: string }[] };
        expect(workers.map(({ id }) => id)).to.deep.equal([last?.instance]);
      }, 'the worker has polled, a second after its start');
    });
  });

  it('exports the metrics a last time when the process stops', async () => {
    const service = await startService({
      environment: { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${collector.url}/v1/metrics` },
    });
    try {
      await deliver(service);

      const already = collector.metrics.length;
      const [worker] = service.workers;
      expect(await worker?.end()).to.equal(0);
      expect(collector.metrics.slice(already).map((batch) => samplesIn(batch)[delivered])).to.eql([
        1,
      ]);

      // Only the traces would have been sent there.
      expect(collector.spans).to.deep.equal([]);
    } finally {
      await service.stop();
    }
  });

  it('loses nothing while a collector refuses the metrics, and logs that once a minute', async () => {
    let refused = 0;
    const server = createServer((request, response) => {
      refused += request.url === '/v1/metrics' ? 1 : 0;
      request.resume().on('end', () => response.writeHead(404).end('secret'));
    });

    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

    const { port } = server.address() as AddressInfo;
    const service = await startService({
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
        OTEL_METRIC_EXPORT_INTERVAL: '100',
      },
    });
    try {
      await deliver(service);

      const complaints = () =>
        service.api.lines.filter((line) => line.includes('could not export metrics'));
      await eventually(() => {
        expect(refused).to.be.at.least(10);
        expect(complaints()).not.to.deep.equal([]);
      }, 'exports are refused');

      const lines = complaints();
      const times = lines.map((line) => new Date((JSON.parse(line) as { time: string }).time));

      // A slow machine may need more than a minute for all this.
      for (const [index, time] of times.slice(1).entries())
        expect(Number(time) - Number(times[index])).to.be.above(59_000);
      expect(lines[0]).to.include('404').and.not.include('secret');
      expect(await service.api.end()).to.equal(0);
    } finally {
      await service.stop();
      server.close();
      server.closeAllConnections();
    }
  });
});
