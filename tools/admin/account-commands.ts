import { Argument, type Command, Option } from 'commander';
import type { CredentialInput, CredentialView } from '../../src/domain/account/credentials.js';
import { keyLevels, levels, type Role, roles } from '../../src/domain/account/permission.js';
import { credentialKinds } from '../../src/domain/account/token.js';
import type { ErasureView } from '../../src/domain/erasure/erasures.js';
import type { EraseAccountOptions } from './account-data.js';
import { adminAction, subCommand } from './admin-action.js';

const loadAccounts = () => import('../../src/domain/account/accounts.js');
const loadCredentials = () => import('../../src/domain/account/credentials.js');

/** Adds `accounts` and `members`. */
export function addAccountCommands(program: Command): void {
  const accounts = program
    .command('accounts')
    .description('Manages accounts, which own everything else');
  subCommand(accounts, 'create', 'Creates an account')
    .requiredOption('--name <name>', 'name of the account')
    .action(
      adminAction(async (database, { name }: { name: string }) => {
        const { createAccount } = await loadAccounts();
        const account = await database.transact((tx) => createAccount(tx, { name }));
        return { value: account, lines: [`${account.id}  ${account.name}`] };
      }),
    );

  subCommand(accounts, 'list', 'Lists every account, oldest first').action(
    adminAction(async (database) => {
      const all = await (await loadAccounts()).listAccounts(database.read);
      return { value: all, lines: all.map(({ id, name }) => `${id}  ${name}`) };
    }),
  );

  subCommand(
    accounts,
    'traceparent <id>',
    'Sets whether receivers of the account get the traceparent of the publisher',
  )
    .addOption(
      new Option('--send <on|off>', 'on or off').choices(['on', 'off']).makeOptionMandatory(),
    )
    .action(
      adminAction(async (database, { send }: { send: string }, id) => {
        const { setSendsTraceparent } = await loadAccounts();
        const account = await database.transact((tx) => setSendsTraceparent(tx, id, send === 'on'));
        return { value: account, lines: [`${account.id}  traceparent ${send}`] };
      }),
    );

  subCommand(accounts, 'export <id>', 'Writes everything that an account owns to a file, as NDJSON')
    .requiredOption('--output <file>', 'path of a new file')
    .action(
      adminAction(async (database, { output }: { output: string }, id) => {
        const { exportAccount } = await import('../../src/domain/account/export-account.js');
        const { writeExport } = await import('./account-data.js');
        const tables = await writeExport(exportAccount(database.read, id), output);
        const lines = Object.entries(tables).map(([table, rows]) => `${table}  ${rows}`);
        return { value: tables, lines };
      }),
    );

  subCommand(accounts, 'erase <id>', 'Erases an account; its books stay, without personal data')
    .option('--confirm <id>', 'the id again; without it the command asks')
    .option('--dry-run', 'count the rows and erase nothing')
    .action(
      adminAction(async (database, options: EraseAccountOptions, id) => {
        const { eraseAccount } = await import('./account-data.js');
        return eraseAccount(database, options, id);
      }),
    );

  const members = program.command('members').description('Manages the members of an account');
  subCommand(members, 'create', 'Creates a member')
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--email <email>', 'email address of the member')
    .addOption(
      new Option('--role <role>', 'role of the member').choices(roles).makeOptionMandatory(),
    )
    .action(
      adminAction(async (database, input: { account: string; email: string; role: Role }) => {
        const { createMember } = await loadAccounts();
        const member = await database.transact((tx) => createMember(tx, input));
        return { value: member, lines: [`${member.id}  ${member.email}  ${member.role}`] };
      }),
    );

  subCommand(members, 'list', 'Lists the members of an account, oldest first')
    .requiredOption('--account <id>', 'the account')
    .action(
      adminAction(async (database, { account }: { account: string }) => {
        const all = await (await loadAccounts()).listMembers(database.read, account);
        return {
          value: all,
          lines: all.map(({ id, email, role }) => `${id}  ${email}  ${role}`),
        };
      }),
    );
}

/** Adds `credentials`. */
export function addCredentialCommands(program: Command): void {
  const credentials = program
    .command('credentials')
    .description('Manages API keys and sign-in tokens');
  subCommand(credentials, 'create', 'Creates a credential and shows its token once')
    .requiredOption(
      '--account <id>',
      'the account; for an internal credential, the account of its holder',
    )
    .addOption(
      new Option('--kind <kind>', 'where the credential is accepted')
        .choices(credentialKinds)
        .makeOptionMandatory(),
    )
    .option('--member <id>', 'holder; defaults to a new member with the role of --role')
    .addOption(new Option('--role <role>', 'role of the new member').choices(roles))
    .addOption(
      new Option('--level <level>', 'full, or read for a read-only key').choices(keyLevels),
    )
    .addOption(
      new Option('--webhooks <level>', 'for a restricted key; defaults to none').choices(levels),
    )
    .addOption(
      new Option('--orders <level>', 'for a restricted key; defaults to none').choices(levels),
    )
    .action(
      adminAction(async (database, input: CredentialInput) => {
        const { createCredential } = await loadCredentials();
        const { id, token } = await database.transact((tx) => createCredential(tx, input));
        return {
          value: { id, token },
          lines: [id, token, 'Store the token now: it is shown only once.'],
        };
      }),
    );

  subCommand(credentials, 'list', 'Lists the credentials of an account, oldest first')
    .requiredOption('--account <id>', 'the account')
    .action(
      adminAction(async (database, { account }: { account: string }) => {
        const { listCredentials } = await loadCredentials();
        const all = await listCredentials(database.read, account);
        return { value: all, lines: all.map(credentialLine) };
      }),
    );

  subCommand(credentials, 'revoke', 'Revokes a credential immediately')
    .addArgument(new Argument('<id>', 'the credential, crd_…'))
    .action(
      adminAction(async (database, _options, id) => {
        const { revokeCredential } = await loadCredentials();
        await database.transact((tx) => revokeCredential(tx, null, id));
        return { value: { id, revoked: true }, lines: [`${id} is revoked`] };
      }),
    );
}

function credentialLine(credential: CredentialView): string {
  const { id, kind, last4, level, webhooks, orders, createdAt, expiresAt, revokedAt, lastUsedAt } =
    credential;
  const areas = `webhooks ${webhooks}, orders ${orders}`;
  const state = revokedAt
    ? `revoked ${revokedAt.toISOString()}`
    : expiresAt
      ? `expires ${expiresAt.toISOString()}`
      : `created ${createdAt.toISOString()}`;
  const use = lastUsedAt ? `last used ${lastUsedAt.toISOString()}` : 'not used';
  return [id, `${kind} …${last4}`, level, areas, state, use].join('  ');
}

/** Adds `dashboard-link`. */
export function addDashboardLinkCommand(program: Command): void {
  subCommand(program, 'dashboard-link', 'Prints a link that signs a member in to the dashboard')
    .requiredOption('--member <id>', 'the member, mem_…')
    .action(
      adminAction(async (database, { member }: { member: string }) => {
        const { printLink } = await import('../../src/domain/session/sign-in-links.js');
        const url = await database.transact((tx) => printLink(tx, member));
        const line =
          'It works once and expires after 15 minutes. Whoever opens it acts as the member.';
        return { value: { url }, lines: [url, line] };
      }),
    );
}

interface EraseBuyerOptions {
  readonly account: string;
  readonly email: string;
  readonly includeInvoices?: true;
  readonly dryRun?: true;
}

const loadErasures = () => import('../../src/domain/erasure/erasures.js');

/** Adds `buyers`. */
export function addBuyerCommands(program: Command): void {
  const buyers = program.command('buyers').description('Manages the personal data of buyers');
  subCommand(buyers, 'erase', 'Erases the personal data of a buyer of an account')
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--email <address>', 'the address of the buyer')
    .option('--include-invoices', 'erase it in invoices of the last ten years, too')
    .option('--dry-run', 'count what would change, and change nothing')
    .action(
      adminAction(async (database, { dryRun, ...input }: EraseBuyerOptions) => {
        const { finishErasure, linesOf, requester } = await import('./account-data.js');
        if (dryRun) {
          const { countBuyerErasure } = await import('../../src/domain/erasure/run-step.js');
          const counts = await countBuyerErasure(database.transact, input);
          return { value: counts, lines: [...linesOf(counts), 'Nothing was erased.'] };
        }
        const { startBuyerErasure } = await import('../../src/domain/erasure/erasures.js');
        const { id } = await database.transact((tx) => startBuyerErasure(tx, input, requester));
        return finishErasure(database, id);
      }),
    );
}

/** Adds `erasures`. */
export function addErasureCommands(program: Command): void {
  const erasures = program.command('erasures').description('Shows erasures');
  subCommand(erasures, 'list', 'Lists the latest 100 erasures, newest first').action(
    adminAction(async (database) => {
      const { data } = await (await loadErasures()).listErasures(database.read, { limit: 100 });
      return { value: data, lines: data.map(erasureLine) };
    }),
  );

  subCommand(erasures, 'show <id>', 'Shows one erasure').action(
    adminAction(async (database, _options, id) => {
      const erasure = await (await loadErasures()).getErasure(database.read, id);
      const rows = Object.entries(erasure.counts).map(([table, count]) => `  ${table}  ${count}`);
      return { value: erasure, lines: [erasureLine(erasure), ...rows] };
    }),
  );
}

function erasureLine({ id, kind, accountId, status, requestedBy, createdAt }: ErasureView): string {
  return [id, kind, accountId, status, createdAt.toISOString(), requestedBy].join('  ');
}
