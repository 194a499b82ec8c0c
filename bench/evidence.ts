import { ratios, spread } from './statistics.js';
import { startActor } from './actor.js';
import type { BenchProcess, BenchService } from './bench-service.js';
import { bodyOf, insertDueSample, createBenchAccount, createBenchEndpoints } from './fixtures.js';
import { ProcessorMeter } from './costs.js';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** µs of processor for one attempt, worker and PostgreSQL together, by round. */
export interface EvidenceFigures {
  readonly with: number[];
  readonly without: number[];
}

/** A worker keeps 100 responses of an endpoint in an hour. */
const endpointCount = 200;
const body = bodyOf(1_024);

/**
 * Measures a worker that keeps evidence and one that does not, in turns. All attempts succeed, or one in
 * ten or in a hundred fails.
 * @param count attempts per turn
 */
export async function benchEvidence(
  service: BenchService,
  rounds: number,
  count: number,
  progress: (line: string) => void,
): Promise<Record<string, EvidenceFigures>> {
  const preload = new URL('actors/without-evidence.js', import.meta.url).href;
  const workers = {
    with: await service.startWorker(),
    without: await service.startWorker(['--import', preload]),
  };

  const sides = ['with', 'without'] as const;
  for (const side of sides) process.kill(workers[side].pid, 'SIGSTOP');

  const results: Record<string, EvidenceFigures> = {};

  for (const [name, failEvery] of Object.entries({
    'all succeed': 0,
    'one in a hundred fails': 100,
    'one in ten fails': 10,
  })) {
    const receiver = await startActor('receiver', { ...service.certificate, failEvery });
    const account = await createBenchAccount(service);
    const url = `https://localhost:${receiver.port}/`;
    const urls = Array.from({ length: endpointCount }, () => url);
    const endpoints = await createBenchEndpoints(service, account, urls);
    const figures: EvidenceFigures = { with: [], without: [] };
    for (let round = 0; round <= rounds; round += 1) {
      // The side that begins is another one each round.
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const cost = await meterTurn(service, workers[side], {
          endpoints,
          body,
          count,
          // What fails is not attempted again.
          prepare: 'update pending_delivery set max_attempts = 1',
        });

        if (round > 0) figures[side].push(cost);

        const isKept = (await takeEvidence(service)) > 0;
        if (isKept !== (side === 'with' && failEvery > 0))
          throw new Error(`The worker ${side} evidence is not what it says.`);
      }

      if (round > 0) progress(`evidence while ${name}, round ${round} of ${rounds}`);
    }

    results[name] = figures;
    await receiver.end();
  }

  for (const side of sides) {
    process.kill(workers[side].pid, 'SIGCONT');
    await workers[side].end();
  }

  return results;
}

/** Deletes the evidence of a turn. @returns of how many attempts it was */
async function takeEvidence(service: BenchService): Promise<number> {
  const [row] = await service.query<{ count: number }>(
    `with gone as (delete from delivery_evidence returning 1)
     select count(*)::int as count from gone`,
  );
  return row?.count ?? 0;
}

/** The attempts of one turn. */
interface Turn {
  readonly endpoints: readonly string[];
  readonly body: string;
  readonly count: number;
  /** A statement that changes what was inserted. */
  readonly prepare: string;
}

/** Lets one worker make the attempts. @returns µs of processor for one of them */
async function meterTurn(
  service: BenchService,
  { pid }: BenchProcess,
  { endpoints, body, count, prepare }: Turn,
): Promise<number> {
  const deliverAll = await insertDueSample(service, endpoints, body, count);
  await service.query(prepare);
  await service.query('vacuum pending_delivery');
  const meter = new ProcessorMeter({ worker: pid, PostgreSQL: service.postgresPid });
  process.kill(pid, 'SIGCONT');
  try {
    await meter.during(count, deliverAll);
  } finally {
    process.kill(pid, 'SIGSTOP');
  }
  return Object.values(meter.costs()).reduce((sum, cost) => sum + cost, 0);
}

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

/** The worker without traces is in the column of the ceiling. */
export function tracesLine({ with: traced, without }: EvidenceFigures): string {
  return `| an attempt with traces of 1 % | ${spread(traced)} µs | ${spread(without)} µs (without) | ${spread(ratios(traced, without), 3)} | processor of worker and PostgreSQL |`;
}

/** The worker without evidence is in the column of the ceiling. */
export function evidenceLine(name: string, figures: EvidenceFigures): string {
  const { with: kept, without } = figures;
  return `| an attempt with evidence, ${name} | ${spread(kept)} µs | ${spread(without)} µs (without) | ${spread(ratios(kept, without), 3)} | processor of worker and PostgreSQL |`;
}
