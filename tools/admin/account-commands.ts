import { type Command, Option } from 'commander';
import { createAccount, createMember, listAccounts } from '../../src/domain/account/accounts.js';
import { type Role, roles } from '../../src/domain/account/permission.js';
import { adminAction, subCommand } from './admin-action.js';

/** Adds `accounts` and `members`. */
export function addAccountCommands(program: Command): void {
  const accounts = program
    .command('accounts')
    .description('Manages accounts, which own everything else');
  subCommand(accounts, 'create', 'Creates an account')
    .requiredOption('--name <name>', 'name of the account')
    .action(
      adminAction((database, { name }: { name: string }) =>
        database.transact(async (tx) => {
          const account = await createAccount(tx, { name });
          return { value: account, lines: [`${account.id}  ${account.name}`] };
        }),
      ),
    );
  subCommand(accounts, 'list', 'Lists every account, oldest first').action(
    adminAction(async (database) => {
      const all = await listAccounts(database.read);
      return { value: all, lines: all.map(({ id, name }) => `${id}  ${name}`) };
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
      adminAction((database, input: { account: string; email: string; role: Role }) =>
        database.transact(async (tx) => {
          const member = await createMember(tx, input);
          return { value: member, lines: [`${member.id}  ${member.email}  ${member.role}`] };
        }),
      ),
    );
}
