import type { Command } from 'commander';
import type { Database } from '../../src/database/database.js';
import { resealSecrets, secretsByKey } from '../../src/domain/endpoint/secrets.js';
import { adminAction, subCommand } from './admin-action.js';

/** Adds `keys`. */
export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('Manages the keys that seal signing secrets');
  subCommand(keys, 'rotate', 'Seals every stored secret with the newest key of SECRET_KEY').action(
    adminAction(async (database, _options, _argument, config) => {
      const resealed = await resealAll(database);
      const [newest = '', ...older] = config.secretKeys.map(({ id }) => id);
      const inUse = await secretsByKey(database.read);
      const unused = older.filter((id) => !inUse.has(id));
      const needed = [...inUse.keys()].filter((id) => id !== newest);
      const lines = [`Resealed ${resealed} secrets with key ${newest}.`];
      if (unused.length > 0) {
        lines.push(`No longer needed: ${unused.join(', ')}`);
      }
      if (needed.length > 0) {
        lines.push(
          `Still needed: ${needed.join(', ')}. Restart every process with the new key ring, then repeat.`,
        );
      }
      return { value: { newest, resealed, unused, needed }, lines, failed: needed.length > 0 };
    }),
  );
}

/** Reseals in small transactions, so that no other statement waits long for a lock. */
async function resealAll(database: Database): Promise<number> {
  const batch = 200;
  let resealed = 0;
  for (;;) {
    const count = await database.transact((tx) => resealSecrets(tx, batch));
    resealed += count;
    if (count < batch) return resealed;
  }
}
