import { missingPartitions } from '../database/partitions.js';
import type { Read } from '../domain/tx.js';
import { DependencyMissing } from './health.js';

/**
 * Checks that the current rows have a partition.
 * @throws DependencyMissing with the missing partitions
 */
export async function checkPartitions(read: Read): Promise<void> {
  const missing = await missingPartitions(read);
  if (missing.length > 0) throw new DependencyMissing(missing.join(', '));
}
