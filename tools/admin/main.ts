import { runCommand } from '../command-line/run-command.js';
import { createAdminProgram } from './program.js';

await runCommand(() => createAdminProgram().parseAsync());
