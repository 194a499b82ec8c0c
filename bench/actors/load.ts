import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { runAtConstantRate } from '../constant-rate.js';
import { quantile } from '../statistics.js';

interface Setup {
  readonly connections: number;
}

interface LoadRequest {
  readonly origin: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Of several, each request takes the next. */
  readonly tokens: readonly string[];
  readonly body?: string;
  readonly expect: number;
  /** For so long requests are made that do not count: connections are opened, code is compiled. */
  readonly warmUpMs?: number;
  readonly forMs: number;
  /** Requests are made as often as that, and waiting for a connection counts; else as fast as it goes. */
  readonly perSecond?: number;
}

/** What was answered, and how fast; p50 and p99 in milliseconds. */
export interface Loaded {
  /** All requests, those of the warm-up included. */
  readonly requested: number;
  /** Answers that came in the time that counts. */
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Makes requests over `connections` connections for a while and counts the answers. */
const { connections } = JSON.parse(process.argv[2] ?? '{}') as Setup;

async function load(command: LoadRequest): Promise<Loaded> {
  const { warmUpMs = 0, forMs, perSecond } = command;
  const pool = new Pool(command.origin, { connections });
  const latencies: number[] = [];
  const countsFrom = performance.now() + warmUpMs;
  const until = countsFrom + forMs;
  let requested = 0;
  let inTime = 0;
  const ask = async (dueAt: number) => {
    requested += 1;
    await answered(pool, command, command.tokens[requested % command.tokens.length] ?? '');
    const now = performance.now();
    if (now >= countsFrom && now < until) inTime += 1;
    if (dueAt >= countsFrom) latencies.push(now - dueAt);
  };
  const lane = async () => {
    for (let at = performance.now(); at < until; at = performance.now()) await ask(at);
  };
  if (perSecond !== undefined) await runAtConstantRate(perSecond, warmUpMs + forMs, ask);
  else await Promise.all(Array.from({ length: connections }, lane));
  await pool.close();
  return {
    requested,
    perSecond: (inTime / forMs) * 1_000,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}

/**
 * Resolves when the answer is whole. By `dispatch`, which costs a client on the same cores two thirds of
 * what `request` does.
 */
function answered(
  pool: Pool,
  { path, method, body, expect }: LoadRequest,
  token: string,
): Promise<void> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && {
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    }),
  };
  return new Promise((resolve, reject) => {
    let status = 0;
    pool.dispatch(
      { path, method, headers, ...(body !== undefined && { body }) },
      {
        // Whoever has none is taken for a handler of the older form.
        onRequestStart: () => undefined,
        onResponseStart: (_controller, code) => {
          status = code;
        },
        onResponseData: () => undefined,
        onResponseEnd: () => {
          if (status === expect) resolve();
          else reject(new Error(`answered ${status}`));
        },
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

process.on('message', (command: LoadRequest) => {
  void load(command).then((result) => process.send?.(result));
});
process.once('disconnect', () => process.exit());
process.send?.({});
