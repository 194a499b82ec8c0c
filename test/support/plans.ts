import pg from 'pg';
import type { Database } from '../../src/database/database.js';
import type { TestDatabase } from './database.js';

/** A node of a plan in `EXPLAIN (FORMAT JSON)`. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Total Cost': number;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/** The work of PostgreSQL for one statement. */
export interface LoggedPlan {
  readonly text: string;
  /** The cost that the planner estimated; the same for a reused plan. */
  readonly cost: number;
  /** Tables with a sequential scan. */
  readonly scanned: readonly string[];
  /** Rows read from tables and indexes, including filtered ones. */
  readonly rows: number;
  /** Pages of tables and indexes, from memory or disk. */
  readonly blocks: number;
}

/**
 * Server settings for a superuser's connection that report the plan of each statement as it ran. A
 * prepared statement shows the plan that it really has, and no statement runs twice.
 */
export const explaining: Readonly<Record<string, string>> = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_level': 'notice',
  'auto_explain.log_format': 'json',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
};

type Emit = (this: pg.Client, name: string, ...given: unknown[]) => boolean;

/** Runs `work`. @returns the plans of all statements on connections with {@link explaining} */
export async function plansOf(work: () => Promise<unknown>): Promise<LoggedPlan[]> {
  const seen: LoggedPlan[] = [];
  const prototype = pg.Client.prototype as unknown as { emit: Emit };
  const own = Object.getOwnPropertyDescriptor(prototype, 'emit');
  const { emit } = prototype;
  prototype.emit = function (name, ...given) {
    const [notice] = given as [{ readonly message?: string }?];
    const [, json] = /^duration: [\d.]+ ms {2}plan:\n([^]*)$/.exec(notice?.message ?? '') ?? [];
    if (name === 'notice' && json !== undefined) seen.push(planOf(json));
    return emit.call(this, name, ...given);
  };
  try {
    await work();
  } finally {
    if (own) Object.defineProperty(prototype, 'emit', own);
    else delete (prototype as Partial<typeof prototype>).emit;
  }
  return seen;
}

/** The tables and partitions of at least 50 pages, which no statement should read whole. */
export async function bigTables(test: TestDatabase): Promise<ReadonlySet<string>> {
  const rows = await test.query<{ name: string }>(
    `select relname as name from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace
        and pg_relation_size(oid) >= 50 * current_setting('block_size')::int`,
  );
  return new Set(rows.map(({ name }) => name));
}

function planOf(json: string): LoggedPlan {
  const { 'Query Text': text, Plan: plan } = JSON.parse(json) as {
    readonly 'Query Text': string;
    readonly Plan: PlanNode;
  };
  const nodes = nodesOf(plan);
  return {
    text,
    cost: plan['Total Cost'],
    scanned: nodes.flatMap((node) =>
      node['Node Type'] === 'Seq Scan' && node['Actual Loops'] > 0
        ? [node['Relation Name'] ?? '']
        : [],
    ),
    rows: nodes.reduce((sum, node) => sum + rowsOf(node), 0),
    blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
  };
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

function rowsOf(node: PlanNode): number {
  // The rows of a bitmap index scan are counted at the heap scan.
  if (node['Node Type'] === 'Bitmap Index Scan' || !node['Node Type'].endsWith('Scan')) return 0;
  if (node['Relation Name'] === undefined) return 0;
  const { 'Rows Removed by Filter': filtered = 0 } = node;
  const { 'Rows Removed by Index Recheck': rechecked = 0 } = node;
  return Math.round((node['Actual Rows'] + filtered + rechecked) * node['Actual Loops']);
}

/** The most that a statement may read. */
export interface Allowance {
  readonly rows: number;
  readonly blocks: number;
}

/** The statements that read a table of `big` whole, or more than `most`. */
export function excessesOf(
  plans: readonly LoggedPlan[],
  big: ReadonlySet<string>,
  most: Allowance,
): string[] {
  return plans.flatMap(({ text, scanned, rows, blocks }) => {
    const whole = scanned.filter((table) => big.has(table));
    const start = startOf(text);
    return [
      ...whole.map((table) => `reads all of ${table}: ${start}`),
      ...(rows > most.rows ? [`reads ${rows} rows: ${start}`] : []),
      ...(blocks > most.blocks ? [`touches ${blocks} pages: ${start}`] : []),
    ];
  });
}

function startOf(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').slice(0, 160);
}

/** The prepared statements of `database` that PostgreSQL planned again since `before`. */
export async function replannedOf(
  { read }: Database,
  before: readonly LoggedPlan[],
  plans: readonly LoggedPlan[],
): Promise<string[]> {
  const known = new Set(before.map(({ text, cost }) => `${cost} ${text}`));
  const prepared = await read.sql<{ text: string; age: number }>(
    {
      name: 'test_prepared',
      text: `select statement as text, extract(epoch from now() - prepare_time)::int as age
               from pg_prepared_statements`,
    },
    [],
  );
  return plans.flatMap(({ text, cost }) => {
    if (known.has(`${cost} ${text}`)) return [];
    // The age shows whether it is the same connection as before.
    return prepared
      .filter((each) => each.text === text)
      .map(({ age }) => `prepared ${age} s ago: ${startOf(text)}`);
  });
}
