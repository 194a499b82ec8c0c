import { runCommand } from '../command-line.js';
import { createAdminProgram } from './program.js';

await runCommand(() => createAdminProgram().parseAsync());
