import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

interface Setup {
  readonly cert: string;
  readonly key: string;
  /** For each share of the responses: its least and its greatest delay in ms. */
  readonly delays?: readonly (readonly [share: number, least: number, most: number])[];
  /** Responds 500 to every so many requests; 0 for none. Defaults to 0. */
  readonly failEvery?: number;
  /** Whether to record when each event arrives. */
  readonly notes?: boolean;
}

/** Arrival of each event in ms since 1970; each message returns those since the last message. */
export interface Arrivals {
  readonly arrivals: Readonly<Record<string, number>>;
}

/** A fake receiver: reads the body and responds 204, at once or after a random delay. */
const setup = JSON.parse(process.argv[2] ?? '{}') as Setup;
const { cert, key, delays = [], failEvery = 0, notes = false } = setup;
const failure = JSON.stringify({ error: 'x'.repeat(1_000) });
let requests = 0;
let arrivals: Record<string, number> = {};

const server = createServer({ cert, key, keepAlive: true }, (request, response) => {
  const id = request.headers['webhook-id'];
  if (notes && typeof id === 'string') arrivals[id] ??= performance.timeOrigin + performance.now();
  requests += 1;

  const fails = failEvery > 0 && requests % failEvery === 0;
  const answer = () =>
    fails
      ? response.writeHead(500, { 'content-type': 'application/json' }).end(failure)
      : response.writeHead(204).end();

  request.resume().once('end', () => {
    const delayMs = someDelay();
    if (delayMs > 0) setTimeout(answer, delayMs);
    else answer();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
);
process.on('message', () => {
  process.send?.({ arrivals });
  arrivals = {};
});
process.once('disconnect', () => process.exit());

function someDelay(): number {
  let rest = Math.random();
  for (const [share, least, most] of delays) {
    if (rest < share) return least + Math.random() * (most - least);
    rest -= share;
  }
  return 0;
}
