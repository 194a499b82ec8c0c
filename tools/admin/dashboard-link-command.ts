import type { Command } from 'commander';
import { adminAction, subCommand } from './admin-action.js';

/** Adds `dashboard-link`. */
export function addDashboardLinkCommand(program: Command): void {
  subCommand(program, 'dashboard-link', 'Prints a link that signs a member in to the dashboard')
    .requiredOption('--member <id>', 'the member, mem_…')
    .action(
      adminAction(async (database, { member }: { member: string }) => {
        const { printLink } = await import('../../src/domain/session/sign-in-links.js');
        const url = await database.transact((tx) => printLink(tx, member));
        const line = 'It works once, within 15 minutes. Its reader acts as the member.';
        return { value: { url }, lines: [url, line] };
      }),
    );
}
