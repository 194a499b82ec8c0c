import { setTimeout as pause } from 'node:timers/promises';
import { arrangeAccount, arrangeEndpoints, arrangeToken, eventType } from './arrange.js';
import type { Ground } from './bench-service.js';
import type { Arrivals } from './parties/receiver.js';
import type { Published } from './parties/publisher.js';
import { startParty } from './party.js';
import { quantile } from './statistics.js';

/** From the answer that accepts an event to its arrival at the receiver; one figure a round. */
export interface LatencyFigures {
  /** Events a second that one API process accepts while one worker delivers them. */
  readonly accepted: number[];
  /** At half of that: events a second, and milliseconds until they arrived. */
  readonly perSecond: number[];
  readonly p50: number[];
  readonly p99: number[];
}

const connections = 50;
const limitMs = 60_000;
const pollMs = 50;

/** Publishes events of 1 KiB over the internal GraphQL, each to one endpoint. */
export async function benchLatency(
  ground: Ground,
  rounds: number,
  forMs: number,
  progress: (line: string) => void,
): Promise<LatencyFigures> {
  const receiver = await startParty('receiver', { ...ground.certificate, notes: true });
  const account = await arrangeAccount(ground);
  await arrangeEndpoints(ground, account, [`https://localhost:${receiver.port}/`]);
  const token = await arrangeToken(ground, account, 'internal');
  const api = await ground.startApi();
  const worker = await ground.startWorker();
  const publisher = await startParty('publisher', {
    origin: `http://127.0.0.1:${api.port}`,
    ...{ token, account, eventType, connections },
  });
  const figures: LatencyFigures = { accepted: [], perSecond: [], p50: [], p99: [] };
  const untilIdle = async () => {
    const begun = performance.now();
    while ((await ground.query('select 1 from chain limit 1')).length > 0) {
      if (performance.now() - begun > limitMs) throw new Error('deliveries did not end');
      await pause(pollMs);
    }
    return receiver.ask<Arrivals>({});
  };
  await publisher.ask<Published>({ forMs });
  await untilIdle();
  for (let round = 1; round <= rounds; round += 1) {
    const most = await publisher.ask<Published>({ forMs });
    await untilIdle();
    const half = await publisher.ask<Published>({ forMs, perSecond: most.perSecond / 2 });
    const { arrivals } = await untilIdle();
    const waits = Object.entries(half.accepted).map(([id, at]) => {
      const arrived = arrivals[id];
      if (arrived === undefined) throw new Error(`${id} did not arrive`);
      // It may arrive before the answer is read.
      return Math.max(0, arrived - at);
    });
    figures.accepted.push(most.perSecond);
    figures.perSecond.push(half.perSecond);
    figures.p50.push(quantile(waits, 0.5));
    figures.p99.push(quantile(waits, 0.99));
    progress(`accept to received, round ${round} of ${rounds}`);
  }
  for (const each of [publisher, worker, api, receiver]) await each.end();
  return figures;
}
