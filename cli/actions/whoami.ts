import type { Client } from '../api/client.js';
import { Refusal } from '../api/problem.js';
import { type Answer, resultOf, runDocument } from '../api/run-document.js';
import { viewerDocument } from '../generated/documents.js';
import { type CommonOptions, openContext } from '../context.js';

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
    // Absent in the portal only, which has no keys.
    member: viewer.member?.email,
    role: viewer.member?.role,
    ...viewer.permissions,
  });
}

/** Asks whether the service knows the key. @throws Failure 3 if not */
export async function checkKey(client: Client): Promise<void> {
  try {
    await client.call({ path: '/v1/webhooks/endpoints?limit=1' });
  } catch (error) {
    if (!(error instanceof Refusal) || ![403, 404].includes(error.status)) throw error;
    if (error.status === 403) return;
    // The internal listener has no /v1.
    const body = { query: '{ __typename }' };
    resultOf(await client.call<Answer<object>>({ method: 'POST', path: '/graphql', body }));
  }
}
