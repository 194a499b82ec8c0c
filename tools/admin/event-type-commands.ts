import { readFile, writeFile } from 'node:fs/promises';
import { Argument, type Command } from 'commander';
import {
  listCatalogue,
  retireEventType,
  unlistEventType,
} from '../../src/domain/event-type/event-types.js';
import type { PutResult } from '../../src/domain/event-type/put-event-types.js';
import { adminAction, subCommand } from './admin-action.js';

/** Adds `event-types`. */
export function addEventTypeCommands(program: Command): void {
  const eventTypes = program.command('event-types').description('Manages the catalogue of events');
  addCatalogueCommands(eventTypes);

  subCommand(eventTypes, 'list', 'Lists every event type').action(
    adminAction(async (database) => {
      const types = await listCatalogue(database.read);
      return { value: types, lines: types.map((type) => `${type.id}  ${stateOf(type)}`) };
    }),
  );

  subCommand(eventTypes, 'retire', 'Closes the type to new subscriptions')
    .addArgument(new Argument('<id>', 'the event type'))
    .action(
      adminAction((database, _options, id) =>
        database.transact(async (tx) => {
          await retireEventType(tx, id);
          const line = `${id} is no longer offered for new subscriptions`;
          return { value: { id, retired: true }, lines: [line] };
        }),
      ),
    );

  subCommand(eventTypes, 'unlist', 'Permanently removes the type from the catalogue')
    .addArgument(new Argument('<id>', 'the event type'))
    .action(
      adminAction((database, _options, id) =>
        database.transact(async (tx) => {
          await unlistEventType(tx, id);
          return { value: { id, unlisted: true }, lines: [`${id} is no longer listed`] };
        }),
      ),
    );
}

/** Adds the commands that put event types and move the whole catalogue to `event-types`. */
function addCatalogueCommands(eventTypes: Command): void {
  subCommand(eventTypes, 'put', 'Adds or changes an event type, from a YAML or JSON file')
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
        const lines = [...linesOf(changed), ...missing.map((id) => `${id}: not in the file, kept`)];
        const failed = lines.length > 0;
        return { value, lines: failed ? lines : ['Nothing differs.'], failed };
      }),
    );

  subCommand(
    eventTypes,
    'apply',
    'Adds or changes all event types of a file, or none of them; removes no type',
  )
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

function stateOf(type: {
  validation: string;
  acceptsNewSubscriptions: boolean;
  sent: boolean;
  listed: boolean;
}): string {
  const states = [
    type.listed ? undefined : 'unlisted',
    type.acceptsNewSubscriptions ? undefined : 'not offered',
    type.sent ? 'sent' : 'not sent',
    type.validation === 'warn' ? 'warns' : undefined,
  ];
  return states.filter((state) => state !== undefined).join(', ');
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

/** Loads YAML, schemas and their compiler, which would take longer than --help may. */
async function load() {
  const [definitions, put] = await Promise.all([
    import('../../src/domain/event-type/definitions.js'),
    import('../../src/domain/event-type/put-event-types.js'),
  ]);
  const { parseCatalogue, parseEventType, printCatalogue } =
    await import('../../src/graphql/resolvers/catalogue-file.js');
  return { ...definitions, ...put, parseCatalogue, parseEventType, printCatalogue };
}
