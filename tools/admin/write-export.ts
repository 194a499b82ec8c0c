import { open, rm } from 'node:fs/promises';
import { errorMessage, OperatorError } from '../../src/process/explain-error.js';
import type { ExportedRow } from '../../src/domain/account/export-account.js';

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
