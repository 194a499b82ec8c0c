import { Argument, Command, Option } from 'commander';
import { ownEnvironment, type ServiceConfig } from '../config.js';
import type { Database } from '../database/database.js';
import { createAccount, createMember } from '../domain/account/accounts.js';
import { createCredential, revokeCredential } from '../domain/account/credentials.js';
import { keyLevels, roles, type KeyLevel, type Role } from '../domain/account/permission.js';
import { credentialKinds, type CredentialKind } from '../domain/account/token.js';
import { resealSecrets, secretsByKey } from '../domain/endpoint/secrets.js';
import { listCatalogue, retireEventType, unlistEventType } from '../domain/event/event-types.js';
import { withDatabase } from '../launcher/with-database.js';
import { createLogger } from '../log.js';
import { openDatabase } from '../runtime.js';
import { examine } from './doctor.js';
import { findingLines } from './finding.js';
import { integer } from './option-types.js';
import { runCommand } from './run-command.js';
import { seedAccount, seedLines, type SeedOptions, seedSizes } from './seed-account.js';

/** What a sub-command answers: one JSON value, and the lines that say the same to a person. */
interface Answer {
  readonly value: unknown;
  readonly lines: readonly string[];
  /** The command did its work and found something wrong. */
  readonly failed?: boolean;
}

const program = new Command('admin')
  .description(
    'Manages accounts, credentials, the event catalogue and keys, and fills accounts; on a running or a stopped service.',
  )
  .showHelpAfterError();

const accounts = program.command('accounts').description('The tenants of the service');
sub(accounts, 'create', 'Makes an account')
  .requiredOption('--name <name>', 'what people call it')
  .action(
    run((database, { name }: { name: string }) =>
      database.transact(async (tx) => {
        const account = await createAccount(tx, { name });
        return { value: account, lines: [`${account.id}  ${account.name}`] };
      }),
    ),
  );

const members = program.command('members').description('The people of an account');
sub(members, 'create', 'Makes a member')
  .requiredOption('--account <id>', 'the account')
  .requiredOption('--email <email>', 'the member’s address')
  .addOption(
    new Option('--role <role>', 'what the member may do').choices(roles).makeOptionMandatory(),
  )
  .action(
    run((database, input: { account: string; email: string; role: Role }) =>
      database.transact(async (tx) => {
        const member = await createMember(tx, input);
        return { value: member, lines: [`${member.id}  ${member.email}  ${member.role}`] };
      }),
    ),
  );

const credentials = program.command('credentials').description('API keys and sign-in tokens');
sub(credentials, 'create', 'Makes a credential and shows its token this once')
  .requiredOption('--account <id>', 'the account; for internal, the holder’s')
  .addOption(
    new Option('--kind <kind>', 'where it is accepted')
      .choices(credentialKinds)
      .makeOptionMandatory(),
  )
  .option('--member <id>', 'its holder; without one a member of --role is made')
  .addOption(new Option('--role <role>', 'role of the member that is made').choices(roles))
  .addOption(new Option('--level <level>', 'full, or read for a read-only key').choices(keyLevels))
  .action(
    run((database, input: CredentialOptions) =>
      database.transact(async (tx) => {
        const { id, token } = await createCredential(tx, input);
        return {
          value: { id, token },
          lines: [id, token, 'The token is shown this once.'],
        };
      }),
    ),
  );
sub(credentials, 'revoke', 'Revokes a credential at once')
  .addArgument(new Argument('<id>', 'the credential, crd_…'))
  .action(
    run((database, _options, id) =>
      database.transact(async (tx) => {
        await revokeCredential(tx, null, id);
        return { value: { id, revoked: true }, lines: [`${id} is revoked`] };
      }),
    ),
  );

const eventTypes = program.command('event-types').description('The catalogue of events');
sub(eventTypes, 'list', 'Lists every event type').action(
  run(async (database) => {
    const types = await listCatalogue(database.read);
    return { value: types, lines: types.map((type) => `${type.id}  ${catalogueState(type)}`) };
  }),
);
sub(eventTypes, 'retire', 'Takes no new subscriptions from now on; cannot be undone')
  .addArgument(new Argument('<id>', 'the event type'))
  .action(
    run((database, _options, id) =>
      database.transact(async (tx) => {
        await retireEventType(tx, id);
        return {
          value: { id, retired: true },
          lines: [`${id} is no longer offered for new subscriptions`],
        };
      }),
    ),
  );
sub(eventTypes, 'unlist', 'Takes it out of the catalogue; cannot be undone')
  .addArgument(new Argument('<id>', 'the event type'))
  .action(
    run((database, _options, id) =>
      database.transact(async (tx) => {
        await unlistEventType(tx, id);
        return { value: { id, unlisted: true }, lines: [`${id} is no longer listed`] };
      }),
    ),
  );

const keys = program.command('keys').description('The keys that seal signing secrets');
sub(keys, 'rotate', 'Seals every stored secret with the newest key of SECRET_KEY').action(
  run(async (database, _options, _argument, config) => {
    const resealed = await resealAll(database);
    const [newest = '', ...older] = config.secretKeys.map(({ id }) => id);
    const inUse = await secretsByKey(database.read);
    const unused = older.filter((id) => !inUse.has(id));
    const needed = [...inUse.keys()].filter((id) => id !== newest);
    return {
      value: { newest, resealed, unused, needed },
      lines: [
        `${resealed} secrets were sealed anew with key ${newest}.`,
        ...(unused.length > 0 ? [`Nothing is sealed any more with: ${unused.join(', ')}`] : []),
        ...(needed.length > 0
          ? [
              `Still needed: ${needed.join(', ')}. Restart every process with the new ring, then repeat.`,
            ]
          : []),
      ],
      failed: needed.length > 0,
    };
  }),
);

sub(program, 'seed', 'Fills an account with made-up data: half a year of a shop')
  .addOption(
    new Option('--size <size>', 'how much: 500 or 100,000 orders')
      .choices(Object.keys(seedSizes))
      .makeOptionMandatory(),
  )
  .option('--account <id>', 'the account; without one it is made')
  .addOption(
    new Option('--seed <n>', 'another number, another shop')
      .argParser(integer(0, 2_147_483_647))
      .default(1),
  )
  .action(
    run(async (database, options: SeedOptions) => {
      const filled = await seedAccount(database, options);
      return { value: filled, lines: seedLines(filled), failed: !filled.complete };
    }),
  );

sub(
  program,
  'doctor',
  'Examines settings, database, migrations, connections, keys, queue and mail',
).action(async ({ json }: { json?: true }) => {
  const findings = await examine(ownEnvironment);
  print(
    {
      value: findings,
      lines: findingLines(findings),
      failed: findings.some(({ level }) => level === 'error'),
    },
    json,
  );
});

interface CredentialOptions {
  readonly account: string;
  readonly kind: CredentialKind;
  readonly member?: string;
  readonly role?: Role;
  readonly level?: KeyLevel;
}

function sub(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option('--json', 'print one JSON value on the last line');
}

type Work<Options> = (
  database: Database,
  options: Options,
  argument: string,
  config: ServiceConfig,
) => Promise<Answer>;

/** Commander's action: opens the database, does the work, prints its answer, sets the exit code. */
function run<Options>(work: Work<Options>): (...parameters: unknown[]) => Promise<void> {
  return async (...parameters) => {
    const command = parameters.at(-1) as Command;
    const options = command.opts<Options & { json?: true }>();
    const argument = command.args[0] ?? '';
    const answer = await withDatabase(async (config) => {
      const database = await openDatabase(config, {
        name: 'admin',
        log: createLogger('admin', 'silent'),
      });
      try {
        return await work(database, options, argument, config);
      } finally {
        await database.close();
      }
    });
    print(answer, options.json);
  };
}

function print({ value, lines, failed }: Answer, json: true | undefined): void {
  process.stdout.write(`${json ? JSON.stringify(value) : lines.join('\n')}\n`);
  if (failed) process.exitCode = 1;
}

/** In small transactions, so that nothing waits for it. */
async function resealAll(database: Database): Promise<number> {
  const batch = 200;
  let resealed = 0;
  for (;;) {
    const count = await database.transact((tx) => resealSecrets(tx, batch));
    resealed += count;
    if (count < batch) return resealed;
  }
}

function catalogueState(type: {
  acceptsNewSubscriptions: boolean;
  sent: boolean;
  listed: boolean;
}): string {
  const states = [
    type.listed ? undefined : 'unlisted',
    type.acceptsNewSubscriptions ? undefined : 'not offered',
    type.sent ? 'sent' : 'not sent',
  ];
  return states.filter((state) => state !== undefined).join(', ');
}

await runCommand(() => program.parseAsync());
