import { MemoryStore } from './memory-store.js';
import { type Parts, withStore } from './parts.js';
import type { PendingDeliveryRow, EndpointRow } from './rows.js';

/** Bugs of the cancellation backlog. */
export const cancellationBugs: Readonly<Record<string, Parts>> = {
  'a cancellation without a backlog for what exceeds the limit': withStore(
    class extends MemoryStore {
      protected override enqueue = () => undefined;
    },
  ),
  'a claim at an endpoint that owes cancellations': withStore(
    class extends MemoryStore {
      protected override mayClaim(endpoint: EndpointRow, pending: PendingDeliveryRow) {
        return super.mayClaim({ ...endpoint, cancellingSince: null }, pending);
      }
    },
  ),
  'an owed cancellation of what was published since': withStore(
    class extends MemoryStore {
      protected override isPendingCancellation = () => true;
    },
  ),
  'an owed cancellation that forgets what its endpoint takes again': withStore(
    class extends MemoryStore {
      protected override isPendingCancellation(endpoint: EndpointRow, pending: PendingDeliveryRow) {
        return super.isPendingCancellation(
          { ...endpoint, cancelBefore: null, cancelTypes: null },
          pending,
        );
      }
    },
  ),
  'owed cancellations that are never over': withStore(
    class extends MemoryStore {
      override cancelFromBacklog(...args: Parameters<MemoryStore['cancelFromBacklog']>) {
        const [{ endpointId, since }, after] = args;
        return super.cancelFromBacklog({ endpointId, since: new Date(since.getTime() + 1) }, after);
      }
    },
  ),
};
