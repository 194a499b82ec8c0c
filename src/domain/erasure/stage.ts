// A stage of an erasure: the part for one table, which it works through in bounded steps.
//
// A step is one transaction: it finds the end of its window, erases the rows up to there, and its caller (run-step.ts)
// stores that position with it. So no step takes long or holds many locks, and none is lost or repeated after a crash.
import { orderInAccount, rowsOfAccount, type KeyColumn } from '../account/owned-tables.js';
import { singleRow } from '../transaction/rows.js';
import type { Tx } from '../transaction/tx.js';
import { mailboxOf } from '../values/email.js';
import type { Erasure } from './erasure.entity.js';

/** What a stage needs to know about its erasure. */
export type ErasureJob = Pick<Erasure, 'id' | 'accountId' | 'kind' | 'email' | 'includeInvoices'>;

/** Numbers of rows by table. */
export type RowCounts = Readonly<Record<string, number>>;

/** The step to take next. */
export interface Step {
  readonly job: ErasureJob;
  /** Where it begins; null at the beginning of its stage. */
  readonly place: readonly string[] | null;
}

/** The result of a step. */
export interface StepResult {
  /** The rows that it erased. */
  readonly counts: RowCounts;
  /** Where the next step of the stage begins; null at its end. */
  readonly next: readonly string[] | null;
  /** Whether the next step needs rows that other sessions hold. */
  readonly isBlocked?: boolean;
}

/** A part of an erasure that runs in bounded steps, each in one transaction. */
export interface Stage {
  readonly name: string;
  run(tx: Tx, step: Step): Promise<StepResult>;
}

/** Rows `r` of an account in a table, sorted by a key. */
export interface TableRows {
  readonly table: string;
  readonly key: readonly KeyColumn[];
  /** In SQL: a further condition, such as that of a partial index. */
  readonly where?: string;
  /** In SQL: a further condition with the address of the buyer as `$4`, in the form that `mailboxOf` returns. */
  readonly buyer?: string;
}

/** A stage that erases the rows of one table. */
interface TableStage extends TableRows {
  /** Defaults to the name of the table. */
  readonly name?: string;
  /** In SQL: an address of the rows. `$4` of the statement has the spellings that mean the buyer. */
  readonly address?: string;
  /**
   * Returns the statement of one step for the condition of its rows `r`. The statement returns one row with the number
   * of erased rows by table. With `buyer`, it has the same `$4` as that condition. With `buyer` or `address`, it has
   * the id of the erasure as `$5`.
   */
  readonly sql: (rows: string) => string;
}

/** A range of rows by their key: after `from` (null: from the first row) up to `to` (null: to the last row). */
interface Window {
  readonly from: readonly string[] | null;
  readonly to: readonly string[] | null;
}

/** One step visits at most this many rows. */
const windowSize = 500;

/** Returns the stage that erases the rows of a table. */
export function tableStage(stage: TableStage): Stage {
  const { table, name = table, buyer, address, sql } = stage;
  return {
    name,
    async run(tx, step) {
      const { job } = step;
      const window = await windowOf(tx, stage, step);

      const addresses: unknown[] = [];
      if (buyer !== undefined) addresses.push(mailboxOf(job.email ?? ''), job.id);
      else if (address !== undefined) {
        addresses.push(await spellingsIn(tx, { table, address, job, window }), job.id);
      }

      // Both kinds of erasure have stages of the same name.
      const statement = {
        name: `erasure_${job.kind}_${name}_${window.variant}`,
        text: sql(window.rows),
      };
      const counts = await singleRow<RowCounts>(tx, statement, [...window.values, ...addresses]);

      return { counts, next: window.next };
    },
  };
}

/** Where {@link spellingsIn} looks for the address of a buyer. */
interface AddressSearch {
  readonly table: string;
  /** In SQL: the address of the rows. */
  readonly address: string;
  readonly job: ErasureJob;
  readonly window: StepWindow;
}

/** Returns the spellings of the address of the buyer in the rows of a step. */
async function spellingsIn(
  tx: Tx,
  { table, address, job, window }: AddressSearch,
): Promise<string[]> {
  const { rows, values, variant } = window;
  const mailbox = mailboxOf(job.email ?? '');
  const local = (text: string) => `split_part(${text}, '@', 1)`;
  const addresses = await tx.sql<{ readonly address: string }>(
    {
      name: `erasure_${job.kind}_spellings_${table}_${variant}`,
      text: `
        select distinct ${address} as address from "${table}" r
         where ${rows} and lower(${local(address)} collate "C") = ${local('$4::text')}`,
    },
    [...values, mailbox],
  );

  return addresses
    .map(({ address: spelling }) => spelling)
    .filter((spelling) => mailboxOf(spelling) === mailbox);
}

/** The rows of one step. */
interface StepWindow {
  /** In SQL: the condition of these rows `r`. */
  readonly rows: string;
  /** `$1` to `$3`. */
  readonly values: readonly unknown[];
  /** Distinguishes the statements for the first and the last window of a table. */
  readonly variant: string;
  /** Where the next step begins; null at the end of the table. */
  readonly next: readonly string[] | null;
}

/** Finds the rows of a step: at most `size`, from the place where it begins. */
export async function windowOf(
  tx: Tx,
  tableRows: TableRows,
  { job, place }: Step,
  size = windowSize,
): Promise<StepWindow> {
  const { accountId, email, kind } = job;
  const { table, key, buyer } = tableRows;
  const range = { from: place, to: null };
  const [end] = await tx.sql<{ readonly place: readonly string[] }>(
    {
      name: `erasure_${kind}_window_${table}${buyer ? '_by_address' : ''}_${variantOf(range)}`,
      text: `
        select array[${key.map(({ name }) => `r.${name}::text`).join(', ')}] as place
          from "${table}" r where ${rowsOf(tableRows, range)} and $4::text is not distinct from $4
         order by ${orderOf(tableRows)} offset $5::int - 1 limit 1`,
    },
    [accountId, place, null, email === null ? null : mailboxOf(email), size],
  );

  const next = end?.place ?? null;
  const window = { from: place, to: next };
  return {
    rows: rowsOf(tableRows, window),
    values: [accountId, place, next],
    variant: variantOf(window),
    next,
  };
}

/** Which rows {@link deleteRows} deletes. */
interface RowDeletion {
  readonly table: string;
  /** In SQL: the condition of the rows `r`. */
  readonly rows: string;
  readonly belonging?: readonly BelongingRows[];
}

/** Rows of another table that belong to deleted rows, whose id is in a column. */
export interface BelongingRows {
  readonly table: string;
  readonly column: string;
}

/** In SQL: deletes the rows of a step and the rows that belong to them. */
export function deleteRows({ table, rows, belonging = [] }: RowDeletion): string {
  const parts = belonging.map(
    (child) => `${child.table}_gone as (
        delete from ${child.table} b
         where b.${child.column} = any (array(select r.id from "${table}" r where ${rows})) returning 1), `,
  );
  const counts = belonging.map(
    (child) => `, (select count(*)::int from ${child.table}_gone) as "${child.table}"`,
  );
  return `
      with ${parts.join('')}gone as (delete from "${table}" r where ${rows} returning 1)
      select (select count(*)::int from gone) as "${table}"${counts.join('')}`;
}

/** What {@link replaceColumns} writes. */
interface ColumnReplacement {
  readonly table: string;
  /** In SQL: the condition of the rows `r`. */
  readonly rows: string;
  /** In SQL: the new values by column. */
  readonly values: Readonly<Record<string, string>>;
}

/** In SQL: replaces columns in those rows of a step that still have other values. It compares `json` as text. */
export function replaceColumns({ table, rows, values }: ColumnReplacement): string {
  const columns = Object.entries(values);
  const changes = columns.map(([name, value]) => `${name} = ${value}`).join(', ');
  const differs = columns
    .map(([name, value]) => `r.${name}::text is distinct from (${value})::text`)
    .join(' or ');
  return `
      with changed as (
        update "${table}" r set ${changes} where ${rows} and (${differs}) returning 1)
      select count(*)::int as "${table}" from changed`;
}

// Each kind of window has its own statement, because the planner reads no range if a condition may be null.
function rowsOf(tableRows: TableRows, { from, to }: Window): string {
  const { table: name, key, where = 'true', buyer } = tableRows;
  const places = { after: from ? '$2' : undefined, upTo: to ? '$3' : undefined };
  const rows = buyer
    ? `r.account_id = $1 and ${buyer}${bound(key, '>', places.after)}${bound(key, '<=', places.upTo)}`
    : rowsOfAccount({ name, key }, places);
  const unused = [from ? [] : ['$2::text[] is null'], to ? [] : ['$3::text[] is null']].flat();
  return [rows, where, ...unused].join(' and ');
}

// The index of the rows of a buyer has the address between account and key, so both must be compared by `=`.
function bound(key: TableRows['key'], operator: string, place: string | undefined): string {
  if (place === undefined) return '';
  const values = key.map(({ type }, index) => `(${place}::text[])[${index + 1}]::${type}`);
  return ` and (${columnsOf(key)}) ${operator} (${values.join(', ')})`;
}

function orderOf({ table: name, key, buyer }: TableRows): string {
  return buyer ? columnsOf(key) : orderInAccount({ name, key });
}

function columnsOf(key: TableRows['key']): string {
  return key.map(({ name }) => `r.${name}`).join(', ');
}

function variantOf({ from, to }: Window): string {
  return `${from === null ? 'first' : 'next'}_${to === null ? 'last' : 'full'}`;
}
