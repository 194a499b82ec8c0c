import { Argument, type Command, Option } from 'commander';
import { createCredential, revokeCredential } from '../../domain/account/credentials.js';
import { type KeyLevel, keyLevels, type Role, roles } from '../../domain/account/permission.js';
import { type CredentialKind, credentialKinds } from '../../domain/account/token.js';
import { adminAction, subCommand } from './admin-action.js';

interface CredentialOptions {
  readonly account: string;
  readonly kind: CredentialKind;
  readonly member?: string;
  readonly role?: Role;
  readonly level?: KeyLevel;
}

/** Adds `credentials`. */
export function addCredentialCommands(program: Command): void {
  const credentials = program.command('credentials').description('API keys and sign-in tokens');
  subCommand(credentials, 'create', 'Makes a credential and shows its token this once')
    .requiredOption('--account <id>', 'the account; for internal, the holder’s')
    .addOption(
      new Option('--kind <kind>', 'where it is accepted')
        .choices(credentialKinds)
        .makeOptionMandatory(),
    )
    .option('--member <id>', 'its holder; without one a member of --role is made')
    .addOption(new Option('--role <role>', 'role of the member that is made').choices(roles))
    .addOption(
      new Option('--level <level>', 'full, or read for a read-only key').choices(keyLevels),
    )
    .action(
      adminAction((database, input: CredentialOptions) =>
        database.transact(async (tx) => {
          const { id, token } = await createCredential(tx, input);
          return { value: { id, token }, lines: [id, token, 'The token is shown this once.'] };
        }),
      ),
    );
  subCommand(credentials, 'revoke', 'Revokes a credential at once')
    .addArgument(new Argument('<id>', 'the credential, crd_…'))
    .action(
      adminAction((database, _options, id) =>
        database.transact(async (tx) => {
          await revokeCredential(tx, null, id);
          return { value: { id, revoked: true }, lines: [`${id} is revoked`] };
        }),
      ),
    );
}
