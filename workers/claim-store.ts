import type { Database } from '../src/database/database.js';
import { extendLeases } from '../src/domain/delivery/extend-leases.js';
import { forgetLeases } from '../src/domain/delivery/forget-leases.js';
import { promoteDue } from '../src/domain/delivery/promote.js';
import { deferClaim, releaseClaims } from '../src/domain/delivery/release.js';
import { releaseUnheard } from '../src/domain/delivery/release-unheard.js';
import { settle } from '../src/domain/delivery/settle.js';
import type { ClaimStore } from './held-claims.js';

/** What {@link HeldClaims} asks of PostgreSQL. */
export function claimStoreIn({ read, transact }: Pick<Database, 'read' | 'transact'>): ClaimStore {
  return {
    settle: (ended) => transact((tx) => settle(tx, ended)),
    extend: (tokens, leaseMs) => extendLeases(read, tokens, leaseMs),
    release: (claims) => releaseClaims(read, claims),
    defer: (claim) => deferClaim(read, claim),
    releaseUnheard: (tokens) => releaseUnheard(read, tokens),
    forgetLeases: (tokens) => forgetLeases(read, tokens),
    promote: (endLeases) => promoteDue(read, endLeases),
  };
}
