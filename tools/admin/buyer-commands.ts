import type { Command } from 'commander';
import { startBuyerErasure } from '../../src/domain/erasure/start-erasure.js';
import { adminAction, subCommand } from './admin-action.js';
import { followErasure, requester, resultOf } from './follow-erasure.js';

/** Adds `buyers`. */
export function addBuyerCommands(program: Command): void {
  const buyers = program.command('buyers').description('Manages the data of people who pay');
  subCommand(buyers, 'erase', 'Erases the personal data of a buyer of an account')
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--email <address>', 'the address of the buyer')
    .option('--include-invoices', 'also in invoices of the last ten years')
    .action(
      adminAction(
        async (database, input: { account: string; email: string; includeInvoices?: true }) => {
          const { id } = await database.transact((tx) => startBuyerErasure(tx, input, requester));
          return resultOf(await followErasure(database, id));
        },
      ),
    );
}
