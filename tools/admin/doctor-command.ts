import type { Command } from 'commander';
import { findingLines } from '../doctor/finding.js';
import { printResult, subCommand } from './admin-action.js';

/** Adds `doctor`. It opens the database itself, because it reports why that fails. */
export function addDoctorCommand(program: Command): void {
  subCommand(
    program,
    'doctor',
    'Checks settings, database, migrations, connections, keys, queue, mail, fonts and payments',
  ).action(async ({ json }: { json?: true }) => {
    const { processEnvironment } = await import('../../src/config/config.js');
    const { runDoctor } = await import('../doctor/doctor.js');
    await runDoctor(processEnvironment, (findings) =>
      printResult(
        {
          value: findings,
          lines: findingLines(findings),
          failed: findings.some(({ level }) => level === 'error'),
        },
        json,
      ),
    );
  });
}
