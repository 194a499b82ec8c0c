import { countStatements, type BenchService } from './bench-service.js';
import { readdirSync, readFileSync } from 'node:fs';
import { msPerTick, readProcesses } from '../test/support/processor-time.js';

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
    const entries = [...this.#usedMs].map(
      ([name, ms]) => [name, (ms * 1_000) / this.#count] as const,
    );
    return Object.fromEntries(entries);
  }

  #read(): Map<string, number> {
    const read = Object.entries(this.#pids).flatMap(([name, pid]) => {
      const ms = processorMs(pid);
      return ms === undefined ? [] : [[name, ms] as const];
    });
    return new Map(read);
  }
}

/** The sum over all processes in ms, by round. @param costs µs of each process, by round */
export function totalMs(costs: Readonly<Record<string, readonly number[]>>): number[] {
  const series = Object.values(costs);
  return (series[0] ?? []).map((_used, round) => {
    return series.reduce((sum, used) => sum + (used[round] ?? Number.NaN), 0) / 1_000;
  });
}

/** The work of PostgreSQL for one item. */
export interface DatabaseCosts {
  readonly walBytes: number;
  /** By the process that sent them, the queue's among them. */
  readonly statements: Readonly<Record<string, StatementCost>>;
  /** The most frequent ones. */
  readonly most: readonly (StatementCost & { readonly text: string })[];
}

/** How often statements run for one item, and how long they execute in µs. */
interface StatementCost {
  readonly calls: number;
  readonly microseconds: number;
}

const shown = 15;

/** Counts the work of PostgreSQL for each of the items that `work` returns the number of. */
export async function countDatabaseWork(
  query: BenchService['query'],
  work: () => Promise<number>,
): Promise<DatabaseCosts> {
  await query('create extension if not exists pg_stat_statements');
  await countStatements(query, true);
  await query('select pg_stat_statements_reset()');

  const [before] = await query<{ bytes: string }>(wal);
  const items = await work();
  const [after] = await query<{ bytes: string }>(wal);
  const rows = await query<StatementCost & { process: string; text: string }>(
    `select r.rolname as process, left(regexp_replace(s.query, '\\s+', ' ', 'g'), 120) as text,
            s.calls / $1::float8 as calls, s.total_exec_time * 1000 / $1::float8 as microseconds
       from pg_stat_statements s join pg_roles r on r.oid = s.userid
      where r.rolname <> current_user order by s.calls desc`,
    [items],
  );

  await countStatements(query, false);

  const statements: Record<string, StatementCost> = {};

  for (const { process, calls, microseconds } of rows) {
    const sum = statements[process] ?? { calls: 0, microseconds: 0 };
    statements[process] = {
      calls: sum.calls + calls,
      microseconds: sum.microseconds + microseconds,
    };
  }

  const walBytes = (Number(after?.bytes) - Number(before?.bytes)) / items;
  return { walBytes, statements, most: rows.slice(0, shown) };
}

/** The number of statements of all processes. */
export function statementCount(statements: DatabaseCosts['statements']): number {
  return Object.values(statements).reduce((sum, { calls }) => sum + calls, 0);
}

/** Formats statements by process as `API 1.00 × 90 µs`. */
export function statementText(statements: DatabaseCosts['statements']): string {
  const texts = Object.entries(statements)
    .sort()
    .map(
      ([process, { calls, microseconds }]) =>
        `${process} ${calls.toFixed(2)} × ${(microseconds / calls).toFixed(0)} µs`,
    );
  return texts.join(', ');
}

const wal = "select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes";

/**
 * Processor time of a process and its children, user and system, in ms; undefined without /proc.
 */
export function processorMs(pid: number): number | undefined {
  const all = readProcesses();
  if (all.size === 0) return undefined;
  // Children that have ended count with their parent.
  let used = (all.get(pid)?.endedTicks ?? 0) * msPerTick;
  for (const [processId, { parent, ticks }] of all) {
    if (processId === pid || parent === pid) used += scheduledMs(processId) ?? ticks * msPerTick;
  }
  return used;
}

/**
 * Processor time of the threads of one process. A tick is as long as ten events take, and PostgreSQL
 * has many processes. Undefined without statistics of the scheduler.
 */
function scheduledMs(pid: number): number | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((sum, thread) => {
      const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(
        ' ',
      );
      return sum + Number(nanoseconds) / 1_000_000;
    }, 0);
  } catch {
    return undefined;
  }
}
