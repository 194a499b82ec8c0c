import type { Command } from 'commander';
import { printResult, subCommand } from './admin-action.js';
import type { BackupOptions } from './backup.js';

/** Adds `backup`. It does not migrate: people back up before they upgrade. */
export function addBackupCommand(program: Command): void {
  subCommand(program, 'backup', 'Dumps the database to a file, with the pg_dump that fits it')
    .requiredOption('--output <file>', 'the file; it must not exist')
    .option('--pg-dump <file>', 'the program; defaults to the one of this machine that fits')
    .action(async ({ json, ...options }: BackupOptions & { json?: true }) => {
      const { processEnvironment } = await import('../../src/config/config.js');
      const { backUp } = await import('./backup.js');
      printResult(await backUp(options, processEnvironment), json);
    });
}
