import { mkdirSync, realpathSync } from 'node:fs';

/** Creates `dataDir` when missing; returns its path without links, so that one folder has one name. */
export function ensureDataDir(dataDir: string): string {
  // A folder of root must let the user of PostgreSQL pass; the secrets in it have mode 0600.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  mkdirSync(dataDir, { recursive: true, mode });
  return realpathSync(dataDir);
}
