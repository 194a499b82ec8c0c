import { Command } from 'commander';
import { addAccountCommands } from './commands/account-commands.js';
import { addCommerceCommands } from './commands/commerce-commands.js';
import { addCompletionCommands } from './commands/completion-commands.js';
import { addDeliveryCommands } from './commands/delivery-commands.js';
import { addEndpointCommands } from './commands/endpoint-commands.js';
import { addEventCommands } from './commands/event-commands.js';
import { addEventTypeCommands } from './commands/event-type-commands.js';
import { addStreamCommands } from './commands/stream-commands.js';
import { addVerifyCommand } from './commands/verify-command.js';
import { version } from './version.js';

const exitCodesHelp = `
Exit codes:
  0 done               1 refused or failed   2 wrong usage
  3 not signed in      4 not reachable       5 events may be missing (listen, tail)
  130 Ctrl-C`;

/** Declares every command. Each loads its code only when it runs. */
export function createProgram(): Command {
  const program = new Command('signalpost')
    .description('Signalpost: webhooks and checkouts from the command line.')
    .version(version, '--version', 'print the version')
    // Otherwise the --version of a command, such as that of an event type, would print it, too.
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('(add --help for the options)')
    .addHelpText('after', exitCodesHelp);
  addAccountCommands(program);
  addStreamCommands(program);
  addEventCommands(program);
  addEndpointCommands(program);
  addDeliveryCommands(program);
  addEventTypeCommands(program);
  addCommerceCommands(program);
  addVerifyCommand(program);
  addCompletionCommands(program);
  return program;
}
