import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { sign } from '../../src/domain/delivery/signature.js';

interface Setup {
  readonly origin: string;
  readonly caFile: string;
  readonly secret: string;
  readonly body: string;
  readonly inFlight: number;
  readonly connections: number;
}

/**
 * The ceiling of the engine: one process that signs both ways and POSTs through an undici Pool,
 * with nothing to remember and nothing to write down.
 */
const setup = JSON.parse(process.argv[2] ?? '{}') as Setup;
const pool = new Pool(setup.origin, {
  connections: setup.connections,
  connect: { ca: readFileSync(setup.caFile) },
});
const body = Buffer.from(setup.body);

async function post(index: number): Promise<void> {
  const id = `evt_${String(index).padStart(24, '0')}`;
  const signatures = sign([setup.secret], id, body, new Date());
  const response = await pool.request({
    path: '/',
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Service-Webhooks/1.0',
      'webhook-id': id,
      'webhook-timestamp': signatures.timestamp,
      'webhook-signature': signatures.standard,
      'x-service-signature': signatures.service,
      'x-service-timestamp': signatures.timestamp,
      'x-service-event-id': id,
      'x-service-event-type': 'cart.order.completed',
      'x-service-delivery-id': id,
      'x-service-attempt': '1',
    },
    body,
  });
  await response.body.dump();
  if (response.statusCode !== 204) throw new Error(`answered ${response.statusCode}`);
}

async function send(count: number): Promise<number> {
  let next = 0;
  const begun = performance.now();
  const lane = async () => {
    for (let index = next++; index < count; index = next++) await post(index);
  };
  await Promise.all(Array.from({ length: setup.inFlight }, lane));
  return performance.now() - begun;
}

process.on('message', ({ count }: { count: number }) => {
  void send(count).then((elapsedMs) => process.send?.({ elapsedMs }));
});
process.once('disconnect', () => process.exit());
process.send?.({});
