import type { Command } from 'commander';
import { isolatedBatch, releaseIsolated } from '../../src/domain/delivery/isolation.js';
import { adminAction, subCommand } from './admin-action.js';

/** Adds `deliveries`. */
export function addDeliveryCommands(program: Command): void {
  const deliveries = program
    .command('deliveries')
    .description('Manages deliveries that are not sent yet');
  subCommand(
    deliveries,
    'release-isolated',
    'Releases all isolated deliveries from isolation',
  ).action(
    adminAction(async (database) => {
      let released = 0;
      // Small transactions, so that no worker waits for a lock of this command.
      for (let batch = isolatedBatch; batch >= isolatedBatch; released += batch) {
        batch = await database.transact(releaseIsolated);
      }
      const line = `Released ${released} isolated deliveries. Workers send them within a second.`;
      return { value: { released }, lines: [line] };
    }),
  );
}
