import { Command } from 'commander';
import { addAccountCommands } from './admin/account-commands.js';
import { addCredentialCommands } from './admin/credential-commands.js';
import { addDeliveryCommands } from './admin/delivery-commands.js';
import { addDoctorCommand } from './admin/doctor-command.js';
import { addEventTypeCommands } from './admin/event-type-commands.js';
import { addKeyCommands } from './admin/key-commands.js';
import { addSeedCommand } from './admin/seed-command.js';
import { runCommand } from './run-command.js';

const program = new Command('admin')
  .description(
    'Manages accounts, credentials, the event catalogue and keys, and seeds accounts. Works on a running or a stopped service.',
  )
  .showHelpAfterError();
addAccountCommands(program);
addCredentialCommands(program);
addEventTypeCommands(program);
addKeyCommands(program);
addDeliveryCommands(program);
addSeedCommand(program);
addDoctorCommand(program);

await runCommand(() => program.parseAsync());
