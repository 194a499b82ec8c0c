import pg from 'pg';
import type { Database } from '../../src/database/database.js';
import type { TestDatabase } from './database.js';

/** A node of a plan, as `EXPLAIN (FORMAT JSON)` tells it. */
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

/** What PostgreSQL did for one statement. */
export interface LoggedPlan {
  readonly text: string;
  /** What the planner expected it to cost; a plan that is used again expects the same. */
  readonly cost: number;
  /** Tables that were read from their first page to their last. */
  readonly scanned: readonly string[];
  /** What was read of tables and indexes, what was thrown away included. */
  readonly rows: number;
  /** Pages of tables and indexes, in memory or not, read and written. */
  readonly blocks: number;
}

/**
 * Settings of a superuser's connections on which PostgreSQL tells the plan of each statement as it ran
 * it: what was prepared long ago is shown as it was planned then, and nothing runs twice.
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

/** Does `work` and tells the plans of what connections with {@link explaining} ran meanwhile. */
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

/** The tables, partitions on their own, that are too large to be read whole. */
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
  // What a bitmap of an index finds is counted where the table is read.
  if (node['Node Type'] === 'Bitmap Index Scan' || !node['Node Type'].endsWith('Scan')) return 0;
  if (node['Relation Name'] === undefined) return 0;
  const { 'Rows Removed by Filter': filtered = 0 } = node;
  const { 'Rows Removed by Index Recheck': rechecked = 0 } = node;
  return Math.round((node['Actual Rows'] + filtered + rechecked) * node['Actual Loops']);
}

/** What the statements of one piece of work may read. */
export interface Allowance {
  readonly rows: number;
  readonly blocks: number;
}

/** Each statement that reads a table in `big` whole, or more than allowed. */
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

/** What was planned again, or for the first time, since `before`, of what `database` has prepared. */
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
    // The age tells whether it is the connection of then.
    return prepared
      .filter((each) => each.text === text)
      .map(({ age }) => `prepared ${age} s ago: ${startOf(text)}`);
  });
}
