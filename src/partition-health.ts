import { lackingPartitions } from './database/partitions.js';
import type { Read } from './domain/tx.js';
import { DependencyMissing } from './health.js';

/** For readiness: fails while rows of this moment have no partition to be stored in. */
export async function askPartitions(read: Read): Promise<void> {
  const lacking = await lackingPartitions(read);
  if (lacking.length > 0) throw new DependencyMissing(lacking.join(', '));
}
