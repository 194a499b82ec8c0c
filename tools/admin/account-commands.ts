import { type Command, Option } from 'commander';
import { type Role, roles } from '../../src/domain/account/permission.js';
import { adminAction, subCommand } from './admin-action.js';
import type { EraseAccountOptions } from './erase-account.js';

const loadAccounts = () => import('../../src/domain/account/accounts.js');

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
        const { setSendsTraceparent } = await import('../../src/domain/account/accounts.js');
        const account = await database.transact((tx) => setSendsTraceparent(tx, id, send === 'on'));
        return { value: account, lines: [`${account.id}  traceparent ${send}`] };
      }),
    );
  subCommand(accounts, 'export <id>', 'Writes everything that an account owns to a file, as NDJSON')
    .requiredOption('--output <file>', 'the file; it must not exist')
    .action(
      adminAction(async (database, { output }: { output: string }, id) => {
        const { exportAccount } = await import('../../src/domain/account/export-account.js');
        const { writeExport } = await import('./write-export.js');
        const tables = await writeExport(exportAccount(database.read, id), output);
        const lines = Object.entries(tables).map(([table, rows]) => `${table}  ${rows}`);
        return { value: tables, lines };
      }),
    );

  subCommand(accounts, 'erase <id>', 'Erases an account; books stay without personal data')
    .option('--confirm <id>', 'the id again; without it the command asks')
    .option('--dry-run', 'count the rows and erase nothing')
    .action(
      adminAction(async (database, options: EraseAccountOptions, id) => {
        const { eraseAccount } = await import('./erase-account.js');
        return eraseAccount(database, options, id);
      }),
    );

  const members = program.command('members').description('Manages the people of an account');
  subCommand(members, 'create', 'Creates a member')
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--email <email>', 'the member’s address')
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
