import { join } from 'node:path';
import { readIfPresent } from './private-file.js';

/** The file with the certificate of the CA for receivers on this machine. */
export function authorityFile(dataDir: string): string {
  return join(dataDir, 'receiver-ca.pem');
}

/** The file with the private key of that CA. */
export function authorityKeyFile(dataDir: string): string {
  return join(dataDir, 'receiver-ca-key.pem');
}

/** The path of the CA certificate; undefined unless certificate and key both exist. */
export function existingReceiverAuthority(dataDir: string): string | undefined {
  const path = authorityFile(dataDir);
  const files = [path, authorityKeyFile(dataDir)];
  return files.every((file) => readIfPresent(file) !== undefined) ? path : undefined;
}
