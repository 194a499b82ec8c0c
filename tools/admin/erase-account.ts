import { createInterface } from 'node:readline/promises';
import type { Database } from '../../src/database/database.js';
import { countRows } from '../../src/domain/erasure/account-stages.js';
import { startAccountErasure } from '../../src/domain/erasure/erasures.js';
import { OperatorError } from '../../src/process/explain-error.js';
import type { CommandResult } from './admin-action.js';
import { followErasure, linesOf, requester, resultOf } from './follow-erasure.js';

export interface EraseAccountOptions {
  /** The id again. Defaults to asking for it on a terminal. */
  readonly confirm?: string;
  readonly dryRun?: true;
}

/**
 * Erases an account, or with `dryRun` counts its rows.
 * @throws OperatorError when the id was not repeated
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
    throw new OperatorError('The id was not repeated, so nothing was erased. Use --confirm <id>.');
  }
  const erasure = await database.transact((tx) => startAccountErasure(tx, id, requester));
  return resultOf(await followErasure(database, erasure.id));
}

async function askFor(id: string, counts: Readonly<Record<string, number>>): Promise<string> {
  if (!process.stdin.isTTY) return '';
  process.stderr.write(`${linesOf(counts).join('\n')}\n`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (
      await terminal.question(`This cannot be undone. Repeat the id to erase ${id}: `)
    ).trim();
  } finally {
    terminal.close();
  }
}
