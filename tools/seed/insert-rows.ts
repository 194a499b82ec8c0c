import type { Statement, Tx } from '../../src/domain/tx.js';

type Table =
  | 'offer'
  | 'checkout'
  | 'order'
  | 'payment'
  | 'refund'
  | 'invoice'
  | 'endpoint'
  | 'event'
  | 'delivery'
  | 'delivery_evidence'
  | 'delivery_statistics_delta';

/** Inserts any number of rows into one table with one statement; property names become columns. */
export async function insertRows(tx: Tx, table: Table, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.sql(insertStatement(table), [JSON.stringify(rows.map(columnsOf))]);
}

function insertStatement(table: Table): Statement {
  const text = `insert into "${table}" select * from json_populate_recordset(null::"${table}", $1)`;
  return { name: `seed-${table}`, text };
}

/** The columns of an entity as JSON, in the formats that json_populate_recordset parses. */
function columnsOf(row: object): Record<string, unknown> {
  const columns = Object.entries({ ...row, ...('totals' in row ? (row.totals as object) : {}) })
    .filter(([name]) => name !== 'totals')
    .map(([name, value]: [string, unknown]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value,
    ]);
  return Object.fromEntries(columns) as Record<string, unknown>;
}
