import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** The stand-in for somebody's server: reads the body, answers 204, nothing else. */
const { cert, key } = JSON.parse(process.argv[2] ?? '{}') as { cert: string; key: string };
const server = createServer({ cert, key, keepAlive: true }, (request, response) => {
  request.resume().once('end', () => response.writeHead(204).end());
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
);
process.once('disconnect', () => process.exit());
