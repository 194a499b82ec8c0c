import type { Command } from 'commander';
import { printLink } from '../../src/domain/session/print-link.js';
import { adminAction, subCommand } from './admin-action.js';

/** Adds `dashboard-link`. */
export function addDashboardLinkCommand(program: Command): void {
  subCommand(program, 'dashboard-link', 'Prints a link that signs a member in to the dashboard')
    .requiredOption('--member <id>', 'the member, mem_…')
    .action(
      adminAction((database, { member }: { member: string }) =>
        database.transact(async (tx) => {
          const url = await printLink(tx, member);
          const line = 'It works once, within 15 minutes. Its reader acts as the member.';
          return { value: { url }, lines: [url, line] };
        }),
      ),
    );
}
