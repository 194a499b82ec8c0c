import type { Database } from '../../src/database/database.js';
import { extendLeases } from '../../src/domain/delivery/sql/extend-leases.js';
import type { EndedAttempt } from '../../src/domain/delivery/rules/attempt.js';
import type { Claim } from '../../src/domain/delivery/claim.js';
import { deleteLeases } from '../../src/domain/delivery/sql/delete-leases.js';
import { promoteDue, type Promoted } from '../../src/domain/delivery/sql/promote.js';
import {
  deferClaim,
  type EndpointWait,
  releaseClaims,
} from '../../src/domain/delivery/sql/release.js';
import {
  releaseAmbiguous,
  type ReleasedClaim,
} from '../../src/domain/delivery/sql/release-ambiguous.js';
import { recordBatch, type RecordResult } from '../../src/domain/delivery/sql/record-results.js';
import { poll, type Polled } from '../../src/domain/poll/poll.js';
import type { WorkerIdentity } from '../../src/domain/worker/heartbeats.js';

/** The statements and transactions of a `ClaimManager`. */
export interface ClaimStore {
  readonly recordResults: (ended: readonly EndedAttempt[]) => Promise<RecordResult>;
  /** @returns the tokens of the leases that still exist */
  readonly extend: (tokens: readonly number[], leaseMs: number) => Promise<readonly number[]>;
  readonly release: (claims: readonly Claim[]) => Promise<void>;
  readonly defer: (claim: Claim, endpoint?: EndpointWait) => Promise<void>;
  readonly releaseAmbiguous: (tokens: readonly number[]) => Promise<readonly ReleasedClaim[]>;
  readonly deleteLeases: (tokens: readonly number[]) => Promise<void>;
  /** @param endedBy keeps leases that ended later, in milliseconds since 1970 of PostgreSQL's clock */
  readonly promote: (endedBy: number) => Promise<Promoted>;
  /** @param endedBy as {@link ClaimStore.promote} has it */
  readonly poll: (endedBy: number) => Promise<Polled>;
}

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
    defer: (claim, endpoint) => deferClaim(read, claim, endpoint),
    releaseAmbiguous: (tokens) => releaseAmbiguous(read, tokens),
    deleteLeases: (tokens) => deleteLeases(read, tokens),
    promote: (endedBy) => promoteDue(read, endedBy, worker),
    poll: (endedBy) => poll(read, endedBy, worker),
  };
}
