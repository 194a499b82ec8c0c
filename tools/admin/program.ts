// `npm run admin`: the commands of operators, for a running or a stopped service.
//
// Each command is declared here or in a file for its noun, and loads what it does only when it runs: `--help` and
// completion must be fast. A command changes the database as the service does, in transactions of the domain, so a
// crash leaves only whole transactions.
import { Argument, Command, Option } from 'commander';
import { isolatedBatch, releaseIsolated } from '../../src/domain/delivery/isolation.js';
import { readVersion } from '../../src/process/version.js';
import { integer } from '../command-line.js';
import { type Finding, findingLines } from '../doctor/finding.js';
import {
  addAccountCommands,
  addBuyerCommands,
  addCredentialCommands,
  addDashboardLinkCommand,
  addErasureCommands,
} from './account-commands.js';
import { adminAction, printResult, subCommand } from './admin-action.js';
import type { BackupOptions } from './backup.js';
import { addEventTypeCommands } from './event-type-commands.js';
import { addKeyCommands } from './key-commands.js';
import type { SeedOptions } from './seed-account.js';

/** The installed command, which runs this program as `signalpost-server admin`. */
const serverCommand = 'signalpost-server';

/** The other subcommands of the installed command. */
const serverSubcommands = {
  api: 'runs the API',
  worker: 'runs a worker',
  migrate: 'migrates the schema',
  doctor: 'checks settings, database and queue',
};

/** The number of orders of an account after seeding. */
const seedSizes = { small: 500, large: 100_000 } as const;

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

/** Adds `doctor`, which opens the database itself, because it reports why that fails. */
function addDoctorCommand(program: Command): void {
  subCommand(
    program,
    'doctor',
    'Checks settings, database, migrations, connections, keys, queue, mail, egress, fonts and payments',
  )
    .option('--receiver <host>', 'open a connection to this receiver, as a delivery would')
    .action(async ({ json, receiver }: { json?: true; receiver?: string }) => {
      const { processEnvironment } = await import('../../src/config/config.js');
      const { runDoctor } = await import('../doctor/doctor.js');
      const report = (findings: readonly Finding[]) =>
        printResult(
          {
            value: findings,
            lines: findingLines(findings),
            failed: findings.some(({ level }) => level === 'error'),
          },
          json,
        );
      await runDoctor(processEnvironment, report, undefined, receiver);
    });
}

/** Adds `backup`, which does not migrate, because people back up before they upgrade. */
function addBackupCommand(program: Command): void {
  subCommand(
    program,
    'backup',
    'Dumps the database to a file, with a pg_dump that matches the server',
  )
    .requiredOption('--output <file>', 'path of a new file')
    .option('--pg-dump <file>', 'path of pg_dump; defaults to a matching one on this machine')
    .action(async ({ json, ...options }: BackupOptions & { json?: true }) => {
      const { processEnvironment } = await import('../../src/config/config.js');
      const { backUp } = await import('./backup.js');
      printResult(await backUp(options, processEnvironment), json);
    });
}

interface SeedCommandOptions extends Omit<SeedOptions, 'orders'> {
  readonly size: keyof typeof seedSizes;
}

/** Adds `seed`. */
function addSeedCommand(program: Command): void {
  subCommand(program, 'seed', 'Fills an account with half a year of made-up data of a shop')
    .addOption(
      new Option('--size <size>', 'number of orders: small is 500, large is 100,000')
        .choices(Object.keys(seedSizes))
        .default('small'),
    )
    .option('--account <id>', 'the account; defaults to a new one')
    .addOption(
      new Option('--seed <n>', 'seed of the random data; the same seed creates the same shop')
        .argParser(integer(0, 2_147_483_647))
        .default(1),
    )
    .action(
      adminAction(async (database, { size, ...options }: SeedCommandOptions) => {
        const { seedAccount, seedLines } = await import('./seed-account.js');
        const filled = await seedAccount(database, { ...options, orders: seedSizes[size] });
        return { value: filled, lines: seedLines(filled), failed: !filled.complete };
      }),
    );
}

/** Adds `deliveries`. */
function addDeliveryCommands(program: Command): void {
  const deliveries = program.command('deliveries').description('Manages pending deliveries');
  subCommand(deliveries, 'release-isolated', 'Releases all isolated deliveries').action(
    adminAction(async (database) => {
      let released = 0;
      // Small transactions, so that no worker waits for a lock of this command.
      for (let batch = isolatedBatch; batch >= isolatedBatch; released += batch) {
        batch = await database.transact(releaseIsolated);
      }

      const line = `Released ${released} isolated deliveries. Workers send them within a second.`;
      return { value: { released }, lines: [line] };
    }),
  );
}

/** Adds `completion <shell>`, and the hidden command that its scripts call. */
function addCompletionCommands(program: Command): void {
  program
    .command('completion')
    .description(`Prints the completion script of ${serverCommand} for a shell`)
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { completionScript } = await import('../../cli/completion.js');
      const ask = `${serverCommand} admin complete`;
      process.stdout.write(completionScript(serverCommand, shell, ask));
    });

  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (words: string[]) => {
      const { candidates } = await import('../../cli/completion.js');
      const root = new Command(serverCommand).addCommand(program);
      for (const [name, description] of Object.entries(serverSubcommands)) {
        root.command(name).description(description);
      }
      for (const { word, description } of candidates(root, words)) {
        process.stdout.write(`${word}\t${description}\n`);
      }
    });
}
