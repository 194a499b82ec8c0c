import { Argument, type Command } from 'commander';
import {
  listCatalogue,
  retireEventType,
  unlistEventType,
} from '../../src/domain/event-type/event-types.js';
import { adminAction, subCommand } from './admin-action.js';
import { addCatalogueCommands } from './catalogue-commands.js';

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
