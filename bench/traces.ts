import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BenchService } from './bench-service.js';
import { bodyOf } from './due-deliveries.js';
import { type EvidenceFigures, meterTurn } from './evidence.js';
import { createBenchAccount, createBenchEndpoints } from './fixtures.js';

const endpointCount = 200;
const body = bodyOf(1_024);
/** One event in so many is recorded. */
const sampleEvery = 100;

const sampleStatement = `
  with numbered as (select id, row_number() over () as n from event where traceparent is null)
  update event e
     set traceparent = '00-' || md5(e.id) || '-' || substr(md5(e.id || 'span'), 1, 16) || '-01'
    from numbered n where n.id = e.id and n.n % ${sampleEvery} = 0`;

/**
 * Measures a worker that exports traces of one event in a hundred and one that exports none, in turns.
 * @param count attempts per turn
 */
export async function benchTraces(
  service: BenchService,
  rounds: number,
  count: number,
  progress: (line: string) => void,
): Promise<EvidenceFigures> {
  let exports = 0;
  const collector = createServer((request, response) => {
    exports += 1;
    request.resume().on('end', () => response.end());
  });

  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));

  const { port } = collector.address() as AddressInfo;
  const workers = {
    with: await service.startWorker([], {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    }),
    without: await service.startWorker(),
  };

  const sides = ['with', 'without'] as const;
  for (const side of sides) process.kill(workers[side].pid, 'SIGSTOP');

  const account = await createBenchAccount(service);
  const urls = Array.from({ length: endpointCount }, () => `${service.receiverOrigin}/`);
  const endpoints = await createBenchEndpoints(service, account, urls);
  const figures: EvidenceFigures = { with: [], without: [] };
  for (let round = 0; round <= rounds; round += 1) {
    // The side that begins is another one each round.
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const work = { endpoints, body, count, prepare: sampleStatement };
      const cost = await meterTurn(service, workers[side], work);
      if (round > 0) figures[side].push(cost);
    }
    if (round > 0) progress(`traces, round ${round} of ${rounds}`);
  }

  for (const side of sides) {
    process.kill(workers[side].pid, 'SIGCONT');
    await workers[side].end();
  }

  collector.close();
  collector.closeAllConnections();
  if (exports === 0) throw new Error('The worker exported no traces.');

  return figures;
}
