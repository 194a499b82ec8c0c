import type { StreamClient } from './stream-client.js';

const atOnce = 10;

/** Looks up what each client may read now, and cuts those that may read nothing. */
export async function recheckClients(clients: readonly StreamClient[]): Promise<void> {
  for (let start = 0; start < clients.length; start += atOnce) {
    await Promise.all(clients.slice(start, start + atOnce).map((client) => client.recheck()));
  }
}
