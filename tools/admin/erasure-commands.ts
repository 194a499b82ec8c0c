import type { Command } from 'commander';
import type { ErasureView } from '../../src/domain/erasure/erasures.js';
import { adminAction, subCommand } from './admin-action.js';

interface EraseBuyerOptions {
  readonly account: string;
  readonly email: string;
  readonly includeInvoices?: true;
  readonly dryRun?: true;
}

const loadErasures = () => import('../../src/domain/erasure/erasures.js');

/** Adds `buyers`. */
export function addBuyerCommands(program: Command): void {
  const buyers = program.command('buyers').description('Manages the personal data of buyers');
  subCommand(buyers, 'erase', 'Erases the personal data of a buyer of an account')
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--email <address>', 'the address of the buyer')
    .option('--include-invoices', 'erase it in invoices of the last ten years, too')
    .option('--dry-run', 'count what would change, and change nothing')
    .action(
      adminAction(async (database, { dryRun, ...input }: EraseBuyerOptions) => {
        const { finishErasure, linesOf, requester } = await import('./account-data.js');
        if (dryRun) {
          const { countBuyerErasure } = await import('../../src/domain/erasure/run-step.js');
          const counts = await countBuyerErasure(database.transact, input);
          return { value: counts, lines: [...linesOf(counts), 'Nothing was erased.'] };
        }
        const { startBuyerErasure } = await import('../../src/domain/erasure/erasures.js');
        const { id } = await database.transact((tx) => startBuyerErasure(tx, input, requester));
        return finishErasure(database, id);
      }),
    );
}

/** Adds `erasures`. */
export function addErasureCommands(program: Command): void {
  const erasures = program.command('erasures').description('Shows erasures');
  subCommand(erasures, 'list', 'Lists the latest 100 erasures, newest first').action(
    adminAction(async (database) => {
      const { data } = await (await loadErasures()).listErasures(database.read, { limit: 100 });
      return { value: data, lines: data.map(erasureLine) };
    }),
  );

  subCommand(erasures, 'show <id>', 'Shows one erasure').action(
    adminAction(async (database, _options, id) => {
      const erasure = await (await loadErasures()).getErasure(database.read, id);
      const rows = Object.entries(erasure.counts).map(([table, count]) => `  ${table}  ${count}`);
      return { value: erasure, lines: [erasureLine(erasure), ...rows] };
    }),
  );
}

function erasureLine({ id, kind, accountId, status, requestedBy, createdAt }: ErasureView): string {
  return [id, kind, accountId, status, createdAt.toISOString(), requestedBy].join('  ');
}
