import { Command } from 'commander';
import { version } from './version.js';

/** Adds options, examples and action to a command, or its subcommands. */
type Define = (command: Command) => void;

interface Entry {
  readonly usage: string;
  readonly description: string;
  readonly load: () => Promise<Define>;
  readonly hidden?: boolean;
}

const account = () => import('./commands/account.js');
const commerce = () => import('./commands/commerce.js');
const completion = () => import('./completion.js');

/**
 * The commands in the order of the help. The file of each is loaded only when a word names it, so that
 * `--help` and completion stay fast.
 */
const commands: readonly Entry[] = [
  {
    usage: 'login',
    description: 'Stores a live key in a profile. Prompts for it, or reads it from stdin.',
    load: async () => (await account()).defineLogin,
  },
  {
    usage: 'logout',
    description: 'Removes a profile from this machine. The key stays valid.',
    load: async () => (await account()).defineLogout,
  },
  {
    usage: 'profiles',
    description: 'Lists the profiles on this machine.',
    load: async () => (await account()).defineProfiles,
  },
  {
    usage: 'whoami',
    description: 'Shows the service, the account and the key in use.',
    load: async () => (await account()).defineWhoami,
  },
  {
    usage: 'listen',
    description:
      'Prints each event as it is published and forwards it, signed, to your machine. Resumes after restarts, lost connections and sleep.',
    load: async () => (await import('./commands/listen.js')).defineListen,
  },
  {
    usage: 'tail',
    description: 'Prints each delivery attempt as it ends.',
    load: async () => (await import('./commands/tail.js')).defineTail,
  },
  {
    usage: 'trigger <type>',
    description:
      'Sends test events with example data or your own, to one endpoint or only to listen.',
    load: async () => (await import('./commands/trigger.js')).defineTrigger,
  },
  {
    usage: 'events',
    description: 'Lists and shows the events of the last 30 days.',
    load: async () => (await import('./commands/events.js')).defineEvents,
  },
  {
    usage: 'recover [endpoint]',
    description: 'Sends failed and missed events to an endpoint. Defaults to the only endpoint.',
    load: async () => (await import('./commands/recover.js')).defineRecover,
  },
  {
    usage: 'open <id>',
    description: 'Opens the dashboard page of an endpoint, delivery, event or recovery.',
    load: async () => (await import('./commands/open.js')).defineOpen,
  },
  {
    usage: 'endpoints',
    description: 'Manages webhook endpoints.',
    load: async () => (await import('./commands/endpoints.js')).defineEndpoints,
  },
  {
    usage: 'deliveries',
    description: 'Lists, shows and replays delivery attempts.',
    load: async () => (await import('./commands/deliveries.js')).defineDeliveries,
  },
  {
    usage: 'event-types',
    description: 'Shows and changes the catalogue of event types.',
    load: async () => (await import('./commands/event-types.js')).defineEventTypes,
  },
  {
    usage: 'checkouts',
    description: 'Lists and shows checkouts.',
    load: async () => (await commerce()).defineCheckouts,
  },
  {
    usage: 'orders',
    description: 'Lists and shows orders.',
    load: async () => (await commerce()).defineOrders,
  },
  {
    usage: 'payments',
    description: 'Lists and shows payments.',
    load: async () => (await commerce()).definePayments,
  },
  {
    usage: 'refunds',
    description: 'Lists and shows refunds.',
    load: async () => (await commerce()).defineRefunds,
  },
  {
    usage: 'verify',
    description:
      'Checks a webhook signature offline and explains why it is wrong. Exits with 1 if it is.',
    load: async () => (await import('./commands/verify.js')).defineVerify,
  },
  {
    usage: 'completion <shell>',
    description: 'Prints the completion script for a shell.',
    load: async () => (await completion()).defineCompletion,
  },
  {
    usage: 'complete',
    description: 'Prints what may follow the given words.',
    load: async () => (await completion()).defineComplete,
    hidden: true,
  },
];

const exitCodesHelp = `
Exit codes:
  0 success            1 refused or failed   2 wrong usage
  3 not signed in      4 unreachable         5 events may be missing (listen, tail)
  130 Ctrl-C`;

/**
 * Declares all commands, and defines those that `words` name.
 * @param words the arguments of the process; without them, every command is defined
 */
export async function createProgram(words?: readonly string[]): Promise<Command> {
  const program = new Command('signalpost')
    .description('Signalpost: webhooks and checkouts from the command line.')
    .version(version, '--version', 'print the version')
    // Otherwise the --version of a command, such as that of an event type, would print it, too.
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('(use --help to list the options)')
    // A command that is not loaded has no options yet, so the list shows none.
    .configureHelp({
      subcommandTerm: (command) =>
        `${command.name()} ${command.usage().replace(/^\[options\] ?(?:\[command\] ?)?/, '')}`.trimEnd(),
    })
    .addHelpText('after', exitCodesHelp);

  for (const { usage, description, load, hidden = false } of commands) {
    const command = program.command(usage, { hidden }).description(description);
    if (words?.includes(command.name()) ?? true) (await load())(command);
  }

  return program;
}
