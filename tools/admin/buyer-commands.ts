import type { Command } from 'commander';
import { adminAction, subCommand } from './admin-action.js';

interface EraseBuyerOptions {
  readonly account: string;
  readonly email: string;
  readonly includeInvoices?: true;
  readonly dryRun?: true;
}

/** Adds `buyers`. */
export function addBuyerCommands(program: Command): void {
  const buyers = program.command('buyers').description('Manages the data of people who pay');
  subCommand(buyers, 'erase', 'Erases the personal data of a buyer of an account')
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--email <address>', 'the address of the buyer')
    .option('--include-invoices', 'also in invoices of the last ten years')
    .option('--dry-run', 'count what would change, and change nothing')
    .action(
      adminAction(async (database, { dryRun, ...input }: EraseBuyerOptions) => {
        const { followErasure, linesOf, requester, resultOf } = await import('./follow-erasure.js');
        if (dryRun) {
          const { countBuyerErasure } = await import('../../src/domain/erasure/run-step.js');
          const counts = await countBuyerErasure(database.transact, input);
          return { value: counts, lines: [...linesOf(counts), 'Nothing was erased.'] };
        }
        const { startBuyerErasure } = await import('../../src/domain/erasure/erasures.js');
        const { id } = await database.transact((tx) => startBuyerErasure(tx, input, requester));
        return resultOf(await followErasure(database, id));
      }),
    );
}
