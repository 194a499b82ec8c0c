import { readFile, writeFile } from 'node:fs/promises';
import { Argument, type Command } from 'commander';
import type { PutResult } from '../../src/domain/event-type/put-event-types.js';
import { adminAction, subCommand } from './admin-action.js';

/** YAML, schemas and their compiler, which take longer to load than --help may. */
async function load() {
  const [definitions, put] = await Promise.all([
    import('../../src/domain/event-type/definitions.js'),
    import('../../src/domain/event-type/put-event-types.js'),
  ]);
  const { parseCatalogue, parseEventType, printCatalogue } =
    await import('../../src/catalogue/catalogue-file.js');
  return { ...definitions, ...put, parseCatalogue, parseEventType, printCatalogue };
}

/** Adds what puts event types and moves the whole catalogue to `event-types`. */
export function addCatalogueCommands(eventTypes: Command): void {
  subCommand(eventTypes, 'put', 'Adds an event type or changes it, from a file of YAML or JSON')
    .addArgument(new Argument('<file>', 'the event type'))
    .action(
      adminAction(async (database, _options, file) => {
        const { parseEventType, putEventTypes } = await load();
        const input = parseEventType(await textOf(file));
        const changed = await database.transact((tx) => putEventTypes(tx, [input], false));
        return { value: { id: input.id, changed }, lines: linesOf(changed, 'Nothing changes.') };
      }),
    );
  subCommand(eventTypes, 'export', 'Writes the whole catalogue as YAML')
    .addArgument(new Argument('[file]', 'the file to write; otherwise standard output'))
    .action(
      adminAction(async (database, _options, file) => {
        const { printCatalogue, readDefinitions } = await load();
        const types = await readDefinitions(database.read);
        const text = printCatalogue(types);
        const value = { eventTypes: types.length, ...(file !== '' && { file }) };
        if (file === '') return { value, lines: text.trimEnd().split('\n') };
        await writeFile(file, text).catch(unusable(file));
        return { value, lines: [`Wrote ${types.length} event types to ${file}.`] };
      }),
    );
  subCommand(
    eventTypes,
    'diff',
    'Shows how the catalogue differs from a file; exits with 1 if it does',
  )
    .addArgument(new Argument('<file>', 'the catalogue'))
    .action(
      adminAction(async (database, _options, file) => {
        const { applyCatalogue, parseCatalogue } = await load();
        const inputs = parseCatalogue(await textOf(file));
        const value = await database.transact((tx) => applyCatalogue(tx, inputs, true));
        const { changed, missing } = value;
        const lines = [
          ...linesOf(changed),
          ...missing.map((id) => `${id}: is not in the file, and stays`),
        ];
        const failed = lines.length > 0;
        return { value, lines: failed ? lines : ['Nothing differs.'], failed };
      }),
    );
  subCommand(eventTypes, 'apply', 'Puts every event type of a file, or none; removes no type')
    .addArgument(new Argument('<file>', 'the catalogue'))
    .option('--dry-run', 'check the file and show the changes, without making them')
    .action(
      adminAction<{ readonly dryRun?: true }>(async (database, { dryRun = false }, file) => {
        const { applyCatalogue, parseCatalogue } = await load();
        const inputs = parseCatalogue(await textOf(file));
        const { changed } = await database.transact((tx) => applyCatalogue(tx, inputs, dryRun));
        return { value: { changed, dryRun }, lines: linesOf(changed, 'Nothing changes.') };
      }),
    );
}

function linesOf(changed: readonly PutResult[], otherwise?: string): string[] {
  const lines = changed.flatMap(({ id, changes }) => changes.map((change) => `${id}: ${change}`));
  return lines.length === 0 && otherwise !== undefined ? [otherwise] : lines;
}

function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(unusable(file));
}

function unusable(file: string): (error: Error) => Promise<never> {
  return async (error) => {
    const { OperatorError } = await import('../../src/process/explain-error.js');
    throw new OperatorError(`Cannot use ${file}: ${error.message}`);
  };
}
