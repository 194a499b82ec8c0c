import type { Command } from 'commander';
import { leaf } from './leaf.js';
import type { ApplyOptions } from '../actions/catalogue-file.js';
import type { EventTypeOptions } from '../actions/event-types.js';
import type { CommonOptions } from '../context.js';

const loadFile = () => import('../actions/catalogue-file.js');
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
  leaf(
    types,
    'diff <file>',
    'Shows how the catalogue differs from a file; exits with 1 if it does. Needs a profile of the internal listener.',
    ['event-types diff catalogue.yaml --profile operator'],
  ).action(async (path: string, options: CommonOptions) =>
    (await loadFile()).diffCatalogue(path, options),
  );
  leaf(
    types,
    'apply <file>',
    'Puts every event type of a file, or none; removes no type. Needs a profile of the internal listener.',
    ['event-types apply catalogue.yaml --dry-run --profile operator'],
  )
    .option('--dry-run', 'check the file and show the changes, without making them')
    .action(async (path: string, options: ApplyOptions) =>
      (await loadFile()).applyCatalogueFile(path, options),
    );
}
