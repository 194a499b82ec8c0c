import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

interface Setup {
  readonly cert: string;
  readonly key: string;
  /** For each share of the responses: its least and its greatest delay in ms. */
  readonly delays?: readonly (readonly [share: number, least: number, most: number])[];
  /** Whether to record when each event arrives. */
  readonly notes?: boolean;
}

/** Arrival of each event in ms since 1970; each message returns those since the last message. */
export interface Arrivals {
  readonly arrivals: Readonly<Record<string, number>>;
}

/** A fake receiver: reads the body and responds 204, at once or after a random delay. */
const { cert, key, delays = [], notes = false } = JSON.parse(process.argv[2] ?? '{}') as Setup;
let arrivals: Record<string, number> = {};

const server = createServer({ cert, key, keepAlive: true }, (request, response) => {
  const id = request.headers['webhook-id'];
  if (notes && typeof id === 'string') arrivals[id] ??= performance.timeOrigin + performance.now();
  const answer = () => response.writeHead(204).end();
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
