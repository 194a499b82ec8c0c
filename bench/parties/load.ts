import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { runPaced } from '../paced.js';
import { quantile } from '../statistics.js';

interface Setup {
  readonly connections: number;
}

interface Question {
  readonly origin: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly token: string;
  readonly body?: string;
  readonly expect: number;
  readonly forMs: number;
  /** Requests are made as often as that, and waiting for a connection counts; else as fast as it goes. */
  readonly perSecond?: number;
}

/** What was answered, and how fast; p50 and p99 in milliseconds. */
export interface Loaded {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Makes requests over `connections` connections for a while and counts the answers. */
const { connections } = JSON.parse(process.argv[2] ?? '{}') as Setup;

async function load(question: Question): Promise<Loaded> {
  const pool = new Pool(question.origin, { connections });
  const latencies: number[] = [];
  const begun = performance.now();
  const ask = async (dueAt: number) => {
    const response = await pool.request({
      path: question.path,
      method: question.method,
      headers: {
        authorization: `Bearer ${question.token}`,
        ...(question.body !== undefined && {
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        }),
      },
      ...(question.body !== undefined && { body: question.body }),
    });
    await response.body.dump();
    if (response.statusCode !== question.expect) throw new Error(`${response.statusCode}`);
    latencies.push(performance.now() - dueAt);
  };
  const lane = async () => {
    for (let at = begun; at - begun < question.forMs; at = performance.now()) await ask(at);
  };
  if (question.perSecond !== undefined) await runPaced(question.perSecond, question.forMs, ask);
  else await Promise.all(Array.from({ length: connections }, lane));
  const elapsed = performance.now() - begun;
  await pool.close();
  return {
    requests: latencies.length,
    perSecond: (latencies.length / elapsed) * 1_000,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}

process.on('message', (question: Question) => {
  void load(question).then((result) => process.send?.(result));
});
process.once('disconnect', () => process.exit());
process.send?.({});
