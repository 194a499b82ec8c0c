import { Argument, type Command, Option } from 'commander';
import type { CredentialInput, CredentialView } from '../../src/domain/account/credentials.js';
import { keyLevels, levels, roles } from '../../src/domain/account/permission.js';
import { credentialKinds } from '../../src/domain/account/token.js';
import { adminAction, subCommand } from './admin-action.js';

const load = () => import('../../src/domain/account/credentials.js');

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
      new Option('--kind <kind>', 'kind of the credential, which decides where it is accepted')
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
        const { createCredential } = await load();
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
        const { listCredentials } = await import('../../src/domain/account/credentials.js');
        const all = await listCredentials(database.read, account);
        return { value: all, lines: all.map(lineOf) };
      }),
    );
  subCommand(credentials, 'revoke', 'Revokes a credential immediately')
    .addArgument(new Argument('<id>', 'the credential, crd_…'))
    .action(
      adminAction(async (database, _options, id) => {
        const { revokeCredential } = await load();
        await database.transact((tx) => revokeCredential(tx, null, id));
        return { value: { id, revoked: true }, lines: [`${id} is revoked`] };
      }),
    );
}

function lineOf(shown: CredentialView): string {
  const { id, kind, last4, level, webhooks, orders, createdAt, expiresAt, revokedAt, lastUsedAt } =
    shown;
  const areas = `webhooks ${webhooks}, orders ${orders}`;
  const state = revokedAt
    ? `revoked ${revokedAt.toISOString()}`
    : expiresAt
      ? `expires ${expiresAt.toISOString()}`
      : `created ${createdAt.toISOString()}`;
  const use = lastUsedAt ? `last used ${lastUsedAt.toISOString()}` : 'not used';
  return [id, `${kind} …${last4}`, level, areas, state, use].join('  ');
}
