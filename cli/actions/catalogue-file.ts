import { readFile } from 'node:fs/promises';
import { applyCatalogue, type CatalogueChanges } from '../api/apply-catalogue.js';
import { type CommonOptions, openContext } from '../context.js';
import { exitCodes, Failure } from '../failure.js';

export interface ApplyOptions extends CommonOptions {
  readonly dryRun?: boolean;
}

/** Prints how the catalogue differs from a file. @throws Failure 1 if it does */
export async function diffCatalogue(path: string, options: CommonOptions): Promise<void> {
  const { client, print } = openContext(options);
  const found = await applyCatalogue(client, await textOf(path), true);
  const lines = [
    ...linesOf(found),
    ...found.missing.map((id) => `${id}: is not in the file, and stays`),
  ];
  print.lines(lines.length > 0 ? lines : ['Nothing differs.'], found);
  if (lines.length > 0) process.exitCode = exitCodes.refused;
}

/** Puts every event type of a file, or none, and prints what changed. */
export async function applyCatalogueFile(path: string, options: ApplyOptions): Promise<void> {
  const { client, print } = openContext(options);
  const { dryRun = false } = options;
  const { changed, ...found } = await applyCatalogue(client, await textOf(path), dryRun);
  const lines = linesOf({ changed, ...found });
  print.lines(lines.length > 0 ? lines : ['Nothing changes.'], {
    changed,
    dry_run: dryRun,
  });
}

function linesOf({ changed }: CatalogueChanges): string[] {
  return changed.flatMap(({ id, changes }) => changes.map((change) => `${id}: ${change}`));
}

function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(`Cannot read ${path}: ${reason}`, exitCodes.usage, { cause: error });
  });
}
