import type { Database } from '../../src/database/database.js';
import { extendLeases } from '../../src/domain/delivery/sql/extend-leases.js';
import { deleteLeases } from '../../src/domain/delivery/sql/delete-leases.js';
import { promoteDue } from '../../src/domain/delivery/sql/promote.js';
import { deferClaim, releaseClaims } from '../../src/domain/delivery/sql/release.js';
import { releaseAmbiguous } from '../../src/domain/delivery/sql/release-ambiguous.js';
import { recordBatch } from '../../src/domain/delivery/sql/record-results.js';
import type { WorkerIdentity } from '../../src/domain/worker/heartbeats.js';
import type { ClaimStore } from './claim-manager.js';

/**
 * The statements of {@link ClaimStore} on PostgreSQL.
 * @param worker the process whose heartbeat a poll writes
 */
export function createClaimStore(
  { read, transact }: Pick<Database, 'read' | 'transact'>,
  worker?: WorkerIdentity,
): ClaimStore {
  return {
    recordResults: (ended) => recordBatch({ read, transact }, ended),
    extend: (tokens, leaseMs) => extendLeases(read, tokens, leaseMs),
    release: (claims) => releaseClaims(read, claims),
    defer: (claim) => deferClaim(read, claim),
    releaseAmbiguous: (tokens) => releaseAmbiguous(read, tokens),
    deleteLeases: (tokens) => deleteLeases(read, tokens),
    promote: (endLeases) => promoteDue(read, endLeases, worker),
  };
}
