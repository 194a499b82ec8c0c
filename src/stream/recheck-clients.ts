import type { StreamClient } from './stream-client.js';

const atOnce = 10;

/** Looks up the credential or session of each client again, and cuts those that are refused. */
export async function recheckClients(clients: readonly StreamClient[]): Promise<void> {
  for (let start = 0; start < clients.length; start += atOnce) {
    await Promise.all(
      clients.slice(start, start + atOnce).map(async (client) => {
        // While the database does not answer, nothing new can be streamed either.
        const allowed = client.ended || (await client.owner.isAllowed().catch(() => true));
        if (!allowed) client.cut('credential_revoked');
      }),
    );
  }
}
