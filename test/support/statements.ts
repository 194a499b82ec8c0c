import pg from 'pg';

/** A statement that was sent to PostgreSQL. */
export interface SentStatement {
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
