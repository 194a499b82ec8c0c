import { join } from 'node:path';
import { readIfPresent } from './private-file.js';

/** The file with the certificate of the authority for receivers on this machine. */
export function authorityFile(dataDir: string): string {
  return join(dataDir, 'receiver-ca.pem');
}

/** The file with its key. */
export function authorityKeyFile(dataDir: string): string {
  return join(dataDir, 'receiver-ca-key.pem');
}

/** The path of the certificate; undefined where the authority is not there as a whole. */
export function existingReceiverAuthority(dataDir: string): string | undefined {
  const path = authorityFile(dataDir);
  const files = [path, authorityKeyFile(dataDir)];
  return files.every((file) => readIfPresent(file) !== undefined) ? path : undefined;
}
