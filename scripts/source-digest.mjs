import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * The SHA-256 of all that a compilation reads, with the names of the files.
 * @param {string} root the folder of package.json
 * @param {{ config: string, sources: string[] }} scope paths in it
 */
export function sourceDigest(root, { config, sources }) {
  const files = sources.flatMap((source) => filesBelow(join(root, source))).sort();
  const settings = [config, 'tsconfig.json', 'package-lock.json'].map((name) => join(root, name));
  const hash = createHash('sha256');
  for (const file of [...files, ...settings]) {
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (!lstatSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
