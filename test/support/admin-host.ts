import { createAdminProgram } from '../../tools/admin/program.js';
import { runCommand } from '../../tools/command-line.js';
import { type AdminCommand, endOfOutput } from './admin.js';

// Runs commands as tools/admin/main.ts does, one after the other.
process.on('message', ({ args, environment }: AdminCommand) => {
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, environment);
  process.exitCode = 0;
  void runCommand(() => createAdminProgram().parseAsync(args, { from: 'user' })).then(() => {
    process.stderr.write(endOfOutput);
    process.stdout.write(`${process.exitCode ?? 0}${endOfOutput}`);
  });
});
process.once('disconnect', () => process.exit());
