import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { signedHeaders } from '../signed-headers.js';

interface Setup {
  readonly origin: string;
  readonly caFile: string;
  readonly secret: string;
  readonly body: string;
  readonly inFlight: number;
  readonly connections: number;
}

/**
 * The ceiling of the engine: one process that signs in both formats and POSTs through an undici Pool.
 * It has no database and no log.
 */
const setup = JSON.parse(process.argv[2] ?? '{}') as Setup;
const pool = new Pool(setup.origin, {
  connections: setup.connections,
  connect: { ca: readFileSync(setup.caFile) },
});
const body = Buffer.from(setup.body);

async function post(index: number): Promise<void> {
  const id = `evt_${String(index).padStart(24, '0')}`;
  const message = { eventId: id, eventType: 'cart.order.completed', deliveryId: id, body };
  const headers = signedHeaders(setup.secret, { ...message, at: new Date() });
  const response = await pool.request({ path: '/', method: 'POST', headers, body });
  await response.body.dump();
  if (response.statusCode !== 204)
    throw new Error(`Expected status 204, got ${response.statusCode}.`);
}

async function send(count: number): Promise<number> {
  let next = 0;
  const startedAt = performance.now();
  const lane = async () => {
    for (let index = next++; index < count; index = next++) await post(index);
  };
  await Promise.all(Array.from({ length: setup.inFlight }, lane));
  return performance.now() - startedAt;
}

process.on('message', ({ count }: { count: number }) => {
  void send(count).then((elapsedMs) => process.send?.({ elapsedMs }));
});
process.once('disconnect', () => process.exit());
process.send?.({});
