import { mkdirSync, realpathSync } from 'node:fs';

/** Makes `dataDir` when missing; returns its path without links, so that one folder has one name. */
export function ensureDataDir(dataDir: string): string {
  // Made by root it must let the user through that PostgreSQL runs as; its secrets are 0600.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  mkdirSync(dataDir, { recursive: true, mode });
  return realpathSync(dataDir);
}
