import { makeSecret } from '../src/domain/endpoint/secrets.js';
import { withServerSettings } from '../src/database/address.js';
import { apiNodeOptions, workerNodeOptions } from '../tools/launcher/child-process.js';
import { type Actor, startActor } from './actor.js';
import type { BenchProcess, BenchService } from './bench-service.js';
import { createBenchToken, createSubscribers, eventType } from './fixtures.js';
import type { Parties } from './whole-turn.js';

/** A service that takes turns with another one. Without load it is idle. */
export interface Side {
  readonly parties: Parties;
  readonly end: () => Promise<void>;
}

type Receiver = Actor & { readonly port: number };

/** The two processes of a service. */
interface Pair {
  readonly api: Pick<BenchProcess, 'pid' | 'port' | 'end'>;
  readonly worker: Pick<BenchProcess, 'pid' | 'end'>;
  readonly recorded?: Parties['recorded'];
}

const connections = 50;
/** The channel on which the hand-written route notifies the hand-written worker. */
const channel = 'due';

/** Starts Signalpost. */
export async function startSignalpost(service: BenchService, receiver: Receiver): Promise<Side> {
  return startSide(service, receiver, {
    api: await service.startApi(),
    worker: await service.startWorker(),
  });
}

/**
 * Starts a minimal service: a route that commits groups and notifies, and a worker that takes, sends and
 * records.
 * @param service its own: each NOTIFY wakes all who listen in the same database
 */
export async function startHandWritten(service: BenchService, receiver: Receiver): Promise<Side> {
  const { caFile, logFile } = service;
  const databaseUrl = withServerSettings(service.urlOf('API'));
  const route = { databaseUrl, pool: 10, logFile, grouped: true, channel };
  const origin = `https://localhost:${receiver.port}`;
  const worker = await startActor(
    'bare-worker',
    {
      databaseUrl: service.urlOf('worker'),
      logFile,
      caFile,
      channel,
      origin,
      connections,
      secret: makeSecret(),
    },
    workerNodeOptions,
  );

  return startSide(service, receiver, {
    api: await startActor('plain-intake', route, apiNodeOptions),
    worker,
    recorded: () => worker.ask({}),
  });
}

/** Adds 20 accounts with one endpoint each, and a client that publishes for them. */
async function startSide(
  service: BenchService,
  receiver: Receiver,
  { api, worker, recorded }: Pair,
): Promise<Side> {
  const accounts = await createSubscribers(service, receiver.port);
  const token = await createBenchToken(service, accounts[0] ?? '', 'internal');
  const publisher = await startActor('publisher', {
    origin: `http://127.0.0.1:${api.port}`,
    token,
    accounts,
    eventType,
    connections,
  });

  const pids = {
    API: api.pid,
    worker: worker.pid,
    PostgreSQL: service.postgresPid,
    ...(service.redisPid !== undefined && { Redis: service.redisPid }),
  };

  return {
    parties: { service, publisher, receiver, pids, ...(recorded && { recorded }) },
    async end() {
      for (const each of [publisher, worker, api]) await each.end();
    },
  };
}
