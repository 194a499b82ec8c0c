import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What machine and client do to latencies: a server whose every request is the same sum. It knows no
 * database and no log, makes hardly any garbage, and shares the cores with nobody but the client.
 */
const numbers = new Float64Array(512).fill(1);
/** A quarter of a millisecond or so, as a request to the API takes. */
const steps = 260_000;

function sum(): number {
  let total = 0;
  for (let step = 0; step < steps; step += 1) total += numbers[step & 511] ?? 0;
  return total;
}

const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ data: sum() }));
});
server.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
);
process.once('disconnect', () => process.exit());
