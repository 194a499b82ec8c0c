import type { Command } from 'commander';
import { processEnvironment } from '../../src/config/config.js';
import { findingLines } from '../doctor/finding.js';
import { printResult, subCommand } from './admin-action.js';

/** Adds `doctor`, which opens no database: it says why it cannot be opened. */
export function addDoctorCommand(program: Command): void {
  subCommand(
    program,
    'doctor',
    'Checks settings, database, migrations, connections, keys, queue, mail, fonts and payments',
  ).action(async ({ json }: { json?: true }) => {
    const { runDoctor } = await import('../doctor/doctor.js');
    const findings = await runDoctor(processEnvironment);
    printResult(
      {
        value: findings,
        lines: findingLines(findings),
        failed: findings.some(({ level }) => level === 'error'),
      },
      json,
    );
  });
}
