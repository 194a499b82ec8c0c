import type { Command } from 'commander';
import type { Database } from '../../src/database/database.js';
import type { LostSecretsReplaced } from '../../src/domain/endpoint/rotate-secrets.js';
import { resealSecrets, secretsByKey } from '../../src/domain/endpoint/secrets.js';
import { adminAction, subCommand } from './admin-action.js';

/** Adds `keys`. */
export function addKeyCommands(program: Command): void {
  const keys = program
    .command('keys')
    .description('Manages the keys that seal secrets and headers of endpoints');
  subCommand(keys, 'rotate', 'Seals every stored secret with the newest key of SECRET_KEY').action(
    adminAction(async (database, _options, _argument, config) => {
      const { resealed, closed } = await resealAll(database);
      const [newest = '', ...older] = config.secretKeys.map(({ id }) => id);
      const inUse = await secretsByKey(database.read);
      const unused = older.filter((id) => !inUse.has(id));
      const needed = [...inUse.keys()].filter((id) => id !== newest);
      const lines = [`Resealed ${resealed} secrets with key ${newest}.`];

      if (closed.length > 0) lines.push(...closedLines(closed));

      if (unused.length > 0) {
        lines.push(`Keys that are no longer needed: ${unused.join(', ')}`);
      }

      if (needed.length > 0) {
        lines.push(
          `Keys that are still needed: ${needed.join(', ')}. Restart every process with the new key ring, then repeat.`,
        );
      }

      return {
        value: { newest, resealed, closed: closed.length, unused, needed },
        lines,
        failed: needed.length > 0,
      };
    }),
  );

  subCommand(
    keys,
    'replace-lost',
    'Replaces the signing secrets and key pairs of an account that no key of SECRET_KEY opens, shows new secrets once, and deletes such headers',
  )
    .requiredOption('--account <id>', 'the account')
    .action(
      adminAction(async (database, { account }: { account: string }) => {
        const { replaceLostSecrets } = await import('../../src/domain/endpoint/rotate-secrets.js');
        const result = await database.transact((tx) => replaceLostSecrets(tx, account));
        const replaced = result.replaced.map(({ endpoint: { id, url }, signingSecret }) => ({
          id,
          url,
          signingSecret,
        }));
        return {
          value: {
            replaced,
            removed: result.removed,
            publicKeys: result.publicKeys.map(({ endpoint, publicKey }) => ({
              endpoint: endpoint.id,
              publicKey,
            })),
            headers: result.headers,
          },
          lines: replacedLines(account, result),
        };
      }),
    );
}

/** Names only the first ten, because without the key no secret can be opened. */
function closedLines(closed: readonly string[]): string[] {
  const limit = 10;
  const lines = closed.slice(0, limit);
  if (closed.length > limit) lines.push(`… and ${closed.length - limit} more.`);
  return [...lines, 'If the key is lost: docs/operations.md, "The key is lost".'];
}

function replacedLines(
  account: string,
  { replaced, removed, publicKeys, headers }: LostSecretsReplaced,
): string[] {
  if (replaced.length + removed + publicKeys.length + headers.length === 0) {
    return [`SECRET_KEY opens every secret of ${account}, and all headers.`];
  }

  const lines = replaced.map(
    ({ endpoint: { id, url }, signingSecret }) => `${id}  ${signingSecret}  ${url}`,
  );
  lines.push(`Removed ${removed} secrets that no key opens.`);
  if (replaced.length > 0) {
    lines.push('Store each new secret at its receiver now. They are shown only once.');
  }
  for (const { endpoint, publicKey } of publicKeys) {
    lines.push(`${endpoint.id} has a new public key: ${publicKey}`);
  }
  for (const { endpointId, names } of headers) {
    lines.push(
      `${endpointId} gets events without ${names.join(', ')} until its owner sets these headers again.`,
    );
  }
  return lines;
}

/** Reseals in small transactions, so that no other statement waits long for a lock. */
async function resealAll(database: Database): Promise<{ resealed: number; closed: string[] }> {
  const total = { resealed: 0, closed: [] as string[] };
  for (let after: string | undefined = ''; after !== undefined;) {
    const from: string = after;
    const batch = await database.transact((tx) => resealSecrets(tx, 200, from));
    total.resealed += batch.resealed;
    total.closed.push(...batch.closed);
    after = batch.last;
  }
  return total;
}
