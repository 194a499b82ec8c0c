import { can } from '../../api/session-state.js';
import type { RequestError } from '../../api/request-error.js';
import { useQuery } from '../../api/use-query.js';
import { eventBodyDocument } from '../../generated/documents.js';

interface EventBody {
  /** The text that every attempt sends. */
  readonly body: string | undefined;
  /** Whether the viewer may not read it. */
  readonly hidden: boolean;
  readonly error: RequestError | undefined;
}

/** Reads the body of an event, for those who may read orders. */
export function useEventBody(id: string): EventBody {
  const allowed = can('orders', 'read');
  const { data, error } = useQuery(allowed ? eventBodyDocument : undefined, { id });
  return { body: data?.event.body, hidden: !allowed, error };
}
