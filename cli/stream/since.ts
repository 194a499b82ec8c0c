import type { Client } from '../api/client.js';
import { runDocument } from '../api/run-document.js';
import { eventTimeDocument } from '../generated/documents.js';

/** The clocks of two processes of the service may differ by less. */
const clockMs = 1_000;

/** Where a stream begins. */
export interface Start {
  /** A duration or a time, as the stream takes it; undefined for now. */
  readonly since: string | undefined;
  /** Whether the stream has not reached its first event yet, so that this one is left out. */
  readonly isEarlier: (event: { readonly id: string; readonly time: string }) => boolean;
}

/**
 * Turns `--since` into the beginning of a stream. The id of an event means its time, and the event
 * itself comes too.
 * @throws Failure for an event that the account does not have, or that is older than 30 days
 */
export async function startOf(client: Client, since: string | undefined): Promise<Start> {
  if (since?.startsWith('evt_') !== true) return { since, isEarlier: () => false };
  const { event } = await runDocument(client, eventTimeDocument, { id: since });
  const first = new Date(event.occurredAt);
  return {
    since: new Date(first.getTime() - clockMs).toISOString(),
    isEarlier: beforeFirst(since, first),
  };
}

/** Once that event came, it leaves out no other, so that an event of a slow transaction is not lost. */
export function beforeFirst(id: string, at: Date): Start['isEarlier'] {
  let reached = false;
  return (event) => {
    reached ||= event.id === id;
    return !reached && Date.parse(event.time) < at.getTime();
  };
}
