import { MemoryStore } from './memory-store.js';
import { type Parts, withStore } from './parts.js';
import type { ChainRow, EndpointRow } from './rows.js';

/** Bugs of cancellations that are owed. */
export const bugsOfOwing: Readonly<Record<string, Parts>> = {
  'cancellations that nobody owes beyond what is cancelled at once': withStore(
    class extends MemoryStore {
      protected override owe = () => undefined;
    },
  ),
  'a claim at an endpoint that owes cancellations': withStore(
    class extends MemoryStore {
      protected override mayClaim(endpoint: EndpointRow, chain: ChainRow) {
        return super.mayClaim({ ...endpoint, cancellingSince: null }, chain);
      }
    },
  ),
  'an owed cancellation of what was published since': withStore(
    class extends MemoryStore {
      protected override isOwed = () => true;
    },
  ),
  'an owed cancellation that forgets what its endpoint takes again': withStore(
    class extends MemoryStore {
      protected override isOwed(endpoint: EndpointRow, chain: ChainRow) {
        return super.isOwed({ ...endpoint, cancelBefore: null, cancelTypes: null }, chain);
      }
    },
  ),
  'owed cancellations that are never over': withStore(
    class extends MemoryStore {
      override cancelOwed(...args: Parameters<MemoryStore['cancelOwed']>) {
        const [{ endpointId, since }, after] = args;
        return super.cancelOwed({ endpointId, since: new Date(since.getTime() + 1) }, after);
      }
    },
  ),
};
