import type { Command } from 'commander';
import { ownEnvironment } from '../../config.js';
import { findingLines } from '../finding.js';
import { printAnswer, subCommand } from './admin-action.js';

/** Adds `doctor`, which opens no database: it says why it cannot be opened. */
export function addDoctorCommand(program: Command): void {
  subCommand(
    program,
    'doctor',
    'Checks settings, database, migrations, connections, keys, queue, mail, fonts and payments',
  ).action(async ({ json }: { json?: true }) => {
    const { examine } = await import('../doctor.js');
    const findings = await examine(ownEnvironment);
    printAnswer(
      {
        value: findings,
        lines: findingLines(findings),
        failed: findings.some(({ level }) => level === 'error'),
      },
      json,
    );
  });
}
