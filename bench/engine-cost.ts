import { countStatements, type BenchService } from './bench-service.js';
import { processorMs } from './cpu-time.js';

/** Processor time of one delivery in µs, by process. */
export type ProcessorCosts = Readonly<Record<string, number>>;

/** Sums the processor time of some processes over turns of work. */
export class ProcessorMeter {
  readonly #pids: Readonly<Record<string, number>>;
  readonly #usedMs = new Map<string, number>();
  #count = 0;

  /** @param pids the pid of each process, by name */
  constructor(pids: Readonly<Record<string, number>>) {
    this.#pids = pids;
  }

  /** Runs `work`, which does something `count` times, and measures the processes meanwhile. */
  async during<Result>(count: number, work: () => Promise<Result>): Promise<Result> {
    const before = this.#read();
    const result = await work();
    const after = this.#read();
    for (const [name, ms] of after) {
      const spent = ms - (before.get(name) ?? 0);
      this.#usedMs.set(name, (this.#usedMs.get(name) ?? 0) + spent);
    }
    this.#count += count;
    return result;
  }

  /** µs per item, by process; empty without /proc. */
  costs(): ProcessorCosts {
    const each = [...this.#usedMs].map(([name, ms]) => [name, (ms * 1_000) / this.#count] as const);
    return Object.fromEntries(each);
  }

  #read(): Map<string, number> {
    const read = Object.entries(this.#pids).flatMap(([name, pid]) => {
      const ms = processorMs(pid);
      return ms === undefined ? [] : [[name, ms] as const];
    });
    return new Map(read);
  }
}

/** The work of PostgreSQL for one delivery. */
export interface DatabaseCosts {
  readonly statements: number;
  readonly walBytes: number;
  /** The most frequent statements. */
  readonly most: readonly StatementCost[];
}

/** One statement: how often it runs, and how long it executes in µs, for one item. */
export interface StatementCost {
  readonly text: string;
  readonly calls: number;
  readonly microseconds: number;
}

/** Counts the work of PostgreSQL while `work` does something `count` times. */
export async function countDatabaseWork(
  query: BenchService['query'],
  count: number,
  work: () => Promise<unknown>,
): Promise<DatabaseCosts> {
  await query('create extension if not exists pg_stat_statements');
  await countStatements(query, true);
  await query('select pg_stat_statements_reset()');
  const [before] = await query<{ bytes: string }>(wal);
  await work();
  const [after] = await query<{ bytes: string }>(wal);
  const statements = await query<StatementCost>(
    `select left(regexp_replace(query, '\\s+', ' ', 'g'), 120) as text, calls / $1::float8 as calls,
            total_exec_time * 1000 / $1::float8 as microseconds
       from pg_stat_statements where query !~* 'pg_stat_|^select .* from pending_delivery'
      order by pg_stat_statements.calls desc`,
    [count],
  );
  await countStatements(query, false);
  return {
    statements: statements.reduce((sum, { calls }) => sum + calls, 0),
    walBytes: (Number(after?.bytes) - Number(before?.bytes)) / count,
    most: statements.slice(0, 12),
  };
}

/** Counts the work of PostgreSQL for each of the items that `work` returns the number of. */
export async function countWorkOfEach(
  query: BenchService['query'],
  work: () => Promise<number>,
): Promise<DatabaseCosts> {
  let count = Number.NaN;
  const { statements, walBytes, most } = await countDatabaseWork(query, 1, async () => {
    count = await work();
  });
  return {
    statements: statements / count,
    walBytes: walBytes / count,
    most: most.map(({ text, calls, microseconds }) => {
      return { text, calls: calls / count, microseconds: microseconds / count };
    }),
  };
}

const wal = "select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes";
