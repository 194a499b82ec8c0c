import pg from 'pg';
import type { TestDatabase } from './database.js';

/** A statement that was sent to PostgreSQL. */
interface SentStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

type Query = (this: pg.Client, ...given: unknown[]) => unknown;

/** Runs `work`. @returns the statements that this process sent to PostgreSQL meanwhile */
export async function statementsOf(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function (...given) {
    sent.push(statementOf(given));
    return query.apply(this, given);
  };

  try {
    await work();
  } finally {
    prototype.query = query;
  }

  return sent;
}

function statementOf([first, second]: readonly unknown[]): SentStatement {
  if (typeof first === 'string') return { text: first, values: listOf(second) };
  const { text, values } = first as { readonly text: string; readonly values?: unknown };
  return { text, values: listOf(values ?? second) };
}

function listOf(values: unknown): readonly unknown[] {
  return Array.isArray(values) ? (values as unknown[]) : [];
}

/** How much PostgreSQL reads. */
interface StatementCost {
  readonly statements: number;
  /** Pages of tables and indexes, from memory or disk. */
  readonly blocks: number;
  /** Rows that the leaves of the plans read, including filtered ones. */
  readonly rows: number;
}

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** Runs `work`, then runs each of its statements again with EXPLAIN ANALYZE. */
export async function costOf(
  test: TestDatabase,
  work: () => Promise<unknown>,
): Promise<StatementCost> {
  const statements = await statementsOf(work);
  let blocks = 0;
  let rows = 0;

  for (const { text, values } of statements) {
    const [explained] = await test.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, buffers, format json) ${text}`,
      [...values],
    );
    const { Plan: plan } = explained!['QUERY PLAN'][0];
    blocks += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    rows += rowsRead(plan);
  }

  return { statements: statements.length, blocks, rows };
}

function rowsRead(plan: Plan): number {
  if (plan.Plans) return plan.Plans.reduce((sum, inner) => sum + rowsRead(inner), 0);
  const { 'Rows Removed by Filter': removed = 0 } = plan;
  return (plan['Actual Rows'] + removed) * plan['Actual Loops'];
}
