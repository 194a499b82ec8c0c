import { missingPartitions } from '../database/partitions.js';
import type { Read } from '../domain/tx.js';
import { DependencyMissing } from './health.js';

/** For readiness: fails while rows of this moment have no partition to be stored in. */
export async function checkPartitions(read: Read): Promise<void> {
  const missing = await missingPartitions(read);
  if (missing.length > 0) throw new DependencyMissing(missing.join(', '));
}
