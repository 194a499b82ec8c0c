import { Command } from 'commander';
import { readVersion } from '../../src/process/version.js';
import { addAccountCommands } from './account-commands.js';
import { addBackupCommand } from './backup-command.js';
import { addBuyerCommands } from './buyer-commands.js';
import { addCompletionCommands } from './completion-commands.js';
import { addCredentialCommands } from './credential-commands.js';
import { addDashboardLinkCommand } from './dashboard-link-command.js';
import { addDeliveryCommands } from './delivery-commands.js';
import { addDoctorCommand } from './doctor-command.js';
import { addErasureCommands } from './erasure-commands.js';
import { addEventTypeCommands } from './event-type-commands.js';
import { addKeyCommands } from './key-commands.js';
import { addSeedCommand } from './seed-command.js';

/** Declares the commands of operators. Each opens the database only when it runs. */
export function createAdminProgram(): Command {
  const program = new Command('admin')
    .description(
      'Manages accounts, credentials, the event catalogue and keys, signs members in, seeds accounts, and backs up the database. Works on a running or a stopped service.',
    )
    .version(readVersion(), '--version', 'print the version')
    .showHelpAfterError();
  addAccountCommands(program);
  addCredentialCommands(program);
  addDashboardLinkCommand(program);
  addEventTypeCommands(program);
  addKeyCommands(program);
  addDeliveryCommands(program);
  addBuyerCommands(program);
  addErasureCommands(program);
  addSeedCommand(program);
  addBackupCommand(program);
  addDoctorCommand(program);
  addCompletionCommands(program);
  return program;
}
