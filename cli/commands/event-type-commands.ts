import type { Command } from 'commander';
import { leaf } from './leaf.js';
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
  leaf(types, 'show <type>', 'Shows one event type.', [
    'event-types show cart.order.completed',
  ]).action(async (type: string, options: CommonOptions) =>
    (await load()).showEventType(type, options),
  );
}
