import type { StreamKind } from '../domain/stream/changes.js';
import type { StreamItem } from '../domain/stream/items.js';

/** Which items a client wants; a member that is undefined filters nothing. */
export interface StreamFilter {
  readonly kinds: ReadonlySet<StreamKind> | undefined;
  /** Types of events, and of the events of deliveries. */
  readonly types: ReadonlySet<string> | undefined;
  /** Its deliveries, its changes, and events that were not published for another endpoint only. */
  readonly endpoint: string | undefined;
}

/** Whether a client with this filter gets the item. */
export function passes({ kinds, types, endpoint }: StreamFilter, item: StreamItem): boolean {
  if (kinds && !kinds.has(item.kind)) return false;
  const type = typeOf(item);
  if (types && type !== undefined && !types.has(type)) return false;
  return endpoint === undefined || (endpointOf(item) ?? endpoint) === endpoint;
}

function typeOf(item: StreamItem): string | undefined {
  switch (item.kind) {
    case 'event':
      return item.event.type;
    case 'delivery':
      return item.delivery.eventType;
    case 'endpoint':
      return undefined;
  }
}

function endpointOf(item: StreamItem): string | null {
  switch (item.kind) {
    case 'event':
      return item.event.endpointId;
    case 'delivery':
      return item.delivery.endpointId;
    case 'endpoint':
      return item.endpoint.id;
  }
}
