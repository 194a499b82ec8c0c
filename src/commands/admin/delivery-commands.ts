import type { Command } from 'commander';
import { isolatedBatch, releaseIsolated } from '../../domain/delivery/isolated.js';
import { adminAction, subCommand } from './admin-action.js';

/** Adds `deliveries`. */
export function addDeliveryCommands(program: Command): void {
  const deliveries = program.command('deliveries').description('Deliveries that are not sent yet');
  subCommand(
    deliveries,
    'release-isolated',
    'Puts all isolated deliveries back among the others',
  ).action(
    adminAction(async (database) => {
      let released = 0;
      // In small transactions, so that no worker waits for it.
      for (let batch = isolatedBatch; batch >= isolatedBatch; released += batch) {
        batch = await database.transact(releaseIsolated);
      }
      const line = `${released} isolated deliveries were put back. A worker sends them within a second.`;
      return { value: { released }, lines: [line] };
    }),
  );
}
