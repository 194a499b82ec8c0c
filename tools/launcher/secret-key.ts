import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readIfPresent, writePrivateFile } from './private-file.js';

/** The file with the key ring of the embedded default. Created when missing, never changed after. */
export function secretKeyFile(dataDir: string): string {
  const path = join(dataDir, 'secret-key');
  if (readIfPresent(path) === undefined) {
    writePrivateFile(path, `k1:${randomBytes(32).toString('base64')}\n`);
  }
  return path;
}
