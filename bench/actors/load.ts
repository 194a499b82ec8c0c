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
  /** Used in turn, one per request. */
  readonly tokens: readonly string[];
  readonly body?: string;
  readonly expect: number;
  /** Requests of this time do not count: connections open and code compiles. */
  readonly warmUpMs?: number;
  readonly forMs: number;
  /** Constant rate; latency includes the wait for a connection. Defaults to as fast as possible. */
  readonly perSecond?: number;
}

/** Throughput and latency; p50 and p99 in ms. */
export interface Loaded {
  /** Includes the warm-up. */
  readonly requested: number;
  /** Responses after the warm-up. */
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Sends requests over `connections` connections and measures the responses. */
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
 * Resolves at the end of the response. Uses `dispatch`, which costs two thirds of the processor time of
 * `request`; the client shares the cores with the server.
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
        // Without it, undici takes this for a handler of its older interface.
        onRequestStart: () => undefined,
        onResponseStart: (_controller, code) => {
          status = code;
        },
        onResponseData: () => undefined,
        onResponseEnd: () => {
          if (status === expect) resolve();
          else reject(new Error(`Expected status ${expect}, got ${status}.`));
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
