import type { Client } from '../api/client.js';
import { Refusal } from '../api/problem.js';
import { runDocument } from '../api/run-document.js';
import { viewerDocument } from '../generated/documents.js';
import { type CommonOptions, openContext } from '../context.js';

/** What a key may read. */
export interface Access {
  readonly webhooks: boolean;
  readonly orders: boolean;
}

/** Prints the service, the profile and what its key may read. */
export async function whoami(options: CommonOptions): Promise<void> {
  const { client, print, session } = openContext(options);
  const { viewer } = await runDocument(client, viewerDocument, {});
  print.value({
    url: session.url,
    profile: session.profile ?? 'none (SIGNALPOST_API_KEY)',
    // The last four characters tell keys apart and help no thief.
    key: `…${session.key.slice(-4)}`,
    account: viewer.account.id,
    account_name: viewer.account.name,
    member: viewer.member.email,
    role: viewer.member.role,
    ...viewer.permissions,
  });
}

/** Asks one page of each area. @throws Refusal 401 for a key that the service does not know */
export async function probeAccess(client: Client): Promise<Access> {
  const allowed = async (path: string) => {
    try {
      await client.call({ path });
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.status === 403) return false;
      throw error;
    }
  };
  const webhooks = await allowed('/v1/webhooks/endpoints?limit=1');
  const orders = await allowed('/v1/commerce/orders?per_page=1');
  return { webhooks, orders };
}
