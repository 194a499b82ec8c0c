// The work of `accounts export`, `accounts erase` and `buyers erase`, which load it when they run. An erasure is a job of
// the service: workers continue it if the command is interrupted. An export that fails leaves no file.
import { open, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../src/database/database.js';
import type { ExportedRow } from '../../src/domain/account/export-account.js';
import { countRows } from '../../src/domain/erasure/account-stages.js';
import {
  type ErasureView,
  getErasure,
  startAccountErasure,
} from '../../src/domain/erasure/erasures.js';
import { runErasureStep } from '../../src/domain/erasure/run-step.js';
import { errorMessage, OperatorError } from '../../src/process/explain-error.js';
import type { CommandResult } from './admin-action.js';

export interface EraseAccountOptions {
  /** The id again. Defaults to asking for it on a terminal. */
  readonly confirm?: string;
  readonly dryRun?: true;
}

/** The requester in the records of erasures that this command starts. */
export const requester = 'command';

/**
 * Erases an account or, with `dryRun`, counts its rows.
 * @throws OperatorError if the id was not repeated
 */
export async function eraseAccount(
  database: Database,
  { confirm, dryRun }: EraseAccountOptions,
  id: string,
): Promise<CommandResult> {
  const counts = await countRows(database.read, id);
  if (dryRun) return { value: counts, lines: [...linesOf(counts), 'Nothing was erased.'] };
  const repeated = confirm ?? (await askFor(id, counts));
  if (repeated !== id) {
    throw new OperatorError('The id was not confirmed, so nothing was erased. Use --confirm <id>.');
  }
  const erasure = await database.transact((tx) => startAccountErasure(tx, id, requester));
  return finishErasure(database, erasure.id);
}

/** Runs the steps of an erasure, as workers do, until it is completed or has to wait. */
export async function finishErasure(database: Database, id: string): Promise<CommandResult> {
  for (;;) {
    const step = await runErasureStep(database.transact, { id });
    const erasure = step && !step.completed ? undefined : await getErasure(database.read, id);
    if (erasure && (erasure.status === 'completed' || erasure.waiting)) return resultOf(erasure);
    // A worker is running the step.
    if (!step) await delay(100);
  }
}

async function askFor(id: string, counts: Readonly<Record<string, number>>): Promise<string> {
  if (!process.stdin.isTTY) return '';
  process.stderr.write(`${linesOf(counts).join('\n')}\n`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(`This cannot be undone. Type the id to erase ${id}: `)).trim();
  } finally {
    terminal.close();
  }
}

function resultOf(erasure: ErasureView): CommandResult {
  const { id, status, counts } = erasure;
  const outcome =
    status === 'completed'
      ? `${id} is completed.`
      : `${id} has erased these rows. Workers check again in about two minutes, then complete it.`;
  return { value: erasure, lines: [...linesOf(counts), outcome] };
}

/** Returns one line for each table. */
export function linesOf(counts: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts).map(([table, rows]) => `${table}  ${rows}`);
}

/**
 * Writes one line of JSON for each row to a new file that only its owner can read. Removes the file
 * if writing fails.
 * @returns the number of rows by table
 * @throws OperatorError if the file exists or cannot be written
 */
export async function writeExport(
  pages: AsyncIterable<readonly ExportedRow[]>,
  file: string,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const handle = await open(file, 'wx', 0o600).catch((error: unknown) => {
    throw new OperatorError(`Cannot create the file: ${errorMessage(error)}`);
  });
  try {
    for await (const rows of pages) {
      const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
      await handle.appendFile(lines).catch((error: unknown) => {
        throw new OperatorError(`Cannot write the file: ${errorMessage(error)}`);
      });
      for (const { table } of rows) counts[table] = (counts[table] ?? 0) + 1;
    }
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }

  return counts;
}
