import { spread } from './statistics.js';
import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createBenchAccount,
  createBenchEndpoints,
  createBenchToken,
  eventType,
  waitUntilIdle,
} from './fixtures.js';
import type { BenchService } from './bench-service.js';
import { countDatabaseWork, statementCount } from './costs.js';
import { peakMiB, residentMiB } from './actor.js';
import { startReceiver } from './receiver.js';
import { sampleOf } from '../test/support/random.js';
import { callGraphql } from '../test/support/tenants.js';

/** One event to many endpoints; times in ms per round. */
export interface FanoutFigures {
  readonly endpoints: number;
  readonly origins: number;
  /** Until the response to the request that publishes it. */
  readonly acceptMs: number[];
  /** From then until the last result is recorded. */
  readonly receivedMs: number[];
  /** Statements of the API for one event, with its transaction and the wake-up. */
  readonly statements: number;
  readonly restMiB: number;
  readonly peakMiB: number;
  /** The most open sockets of the worker, including those to PostgreSQL and the queue. */
  readonly sockets: number;
}

const endpointCount = 10_000;
const originCount = 100;
const pollIntervalMs = 20;

/** Publishes an event of 1 KiB over the internal GraphQL for an account with 10,000 endpoints. */
export async function benchFanout(
  service: BenchService,
  rounds: number,
  progress: (line: string) => void,
): Promise<FanoutFigures> {
  const receiver = await startReceiver(
    service.certificate.cert,
    service.certificate.key,
    originCount,
  );

  const { ports } = receiver;
  const account = await createBenchAccount(service);
  const urls = Array.from(
    { length: endpointCount },
    (_each, place) => `https://localhost:${ports[place % ports.length]}/${place}`,
  );

  await createBenchEndpoints(service, account, urls);

  const token = await createBenchToken(service, account, 'internal');
  const api = await service.startApi();
  const publish = () => publishOne(api.port, token, account);
  await publish();

  const { statements } = await countDatabaseWork(service.query, async () => {
    await publish();
    return 1;
  });

  const worker = await service.startWorker();
  const restMiB = residentMiB(worker.pid);

  await waitUntilIdle(service);

  const acceptMs: number[] = [];
  const receivedMs: number[] = [];
  const looking = new AbortController();
  const sockets = mostSockets(worker.pid, looking.signal);

  for (let round = 1; round <= rounds; round += 1) {
    const startedAt = performance.now();
    await publish();
    const accepted = performance.now();
    await waitUntilIdle(service);
    acceptMs.push(accepted - startedAt);
    receivedMs.push(performance.now() - accepted);
    progress(`one event to ${endpointCount} endpoints, round ${round} of ${rounds}`);
  }

  looking.abort();

  const figures = {
    endpoints: endpointCount,
    origins: ports.length,
    acceptMs,
    receivedMs,
    statements: statementCount(statements),
    restMiB,
    peakMiB: peakMiB(worker.pid),
    sockets: await sockets,
  };

  for (const child of [worker, api, receiver]) await child.end();

  return figures;
}

async function publishOne(port: number, token: string, account: string): Promise<void> {
  const data = sampleOf(eventType);
  const input = { account, type: eventType, subject: 'order:bench', data };
  const internalUrl = `http://127.0.0.1:${port}`;
  await callGraphql({ internalUrl }, token, 'publishEvent', { input });
}

/** Polls the number of sockets of a process until `signal`. @returns the highest number */
async function mostSockets(pid: number, signal: AbortSignal): Promise<number> {
  let most = 0;
  while (!signal.aborted) {
    most = Math.max(most, socketsOf(pid));
    await pause(pollIntervalMs);
  }
  return most;
}

function socketsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(`${folder}/${name}`).startsWith('socket:');
    } catch {
      // The socket was closed after the folder was read.
      return false;
    }
  }).length;
}

/** The column of the ceiling is empty: a fan-out has targets, but no ceiling. */
export function fanoutLine(queue: string, figures: FanoutFigures): string {
  const { endpoints, origins, acceptMs, receivedMs, statements, restMiB, peakMiB } = figures;
  return `| one event to ${endpoints.toLocaleString('en')} endpoints of ${origins} origins, queue on ${queue} | accepted in ${spread(acceptMs)} ms, received and recorded ${spread(receivedMs)} ms later | | | ${statements} statements to accept it; worker ${restMiB} MiB, at most ${peakMiB} MiB and ${figures.sockets} sockets |`;
}
