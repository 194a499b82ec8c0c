import { run } from '../../src/database/round-trips.js';
import { sendSignal, type WakeupKind } from '../../src/domain/wakeup.js';
import { openQueuePool } from '../../src/queue/queue-pool.js';

/** Sends signals as a process does. */
export interface Signals {
  readonly signal: (kind: WakeupKind) => Promise<void>;
  close(): Promise<void>;
}

/** Opens a connection that sends signals. */
export function openSignals(databaseUrl: string): Signals {
  const queuePool = openQueuePool(databaseUrl, 1, () => undefined);
  return {
    signal: (kind) => sendSignal({ sql: (...query) => run(queuePool.pool, ...query) }, kind),
    close: () => queuePool.close(),
  };
}
