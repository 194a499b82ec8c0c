import type { Command } from 'commander';
import { leaf } from './leaf.js';
import type { EventTypeOptions } from '../actions/event-types.js';
import type { CommonOptions } from '../context.js';

const load = () => import('../actions/event-types.js');

/** Adds `event-types …`. */
export function addEventTypeCommands(program: Command): void {
  const types = program
    .command('event-types')
    .description('The catalogue that endpoints subscribe from.');
  leaf(types, 'list', 'Lists the catalogue.', ['event-types list']).action(
    async (options: CommonOptions) => (await load()).listEventTypes(options),
  );
  leaf(types, 'show <type>', 'Shows one event type, its example, or the schema of its data.', [
    'event-types show cart.order.completed',
    'event-types show cart.order.completed --example > order.json',
  ])
    .option('--example', 'print example data, which trigger --data takes')
    .option('--schema', 'print the JSON Schema of the data')
    .option('--version <version>', 'version of the type; defaults to v1')
    .action(async (type: string, options: EventTypeOptions) =>
      (await load()).showEventType(type, options),
    );
  types.addHelpText(
    'after',
    '\nOperators change the catalogue: npm run admin -- event-types --help',
  );
}
