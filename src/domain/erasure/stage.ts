import type { Tx } from '../tx.js';
import type { Erasure } from './erasure.entity.js';

/** What a stage needs to know of its erasure. */
export type ErasureJob = Pick<Erasure, 'id' | 'accountId' | 'kind' | 'email' | 'includeInvoices'>;

/** Rows by table. */
export type RowCounts = Readonly<Record<string, number>>;

/** What one step of a stage did. */
export interface StageStep {
  /** The rows that it erased. */
  readonly counts: RowCounts;
  /** Where the next step of the stage begins; null at its end. */
  readonly next: readonly string[] | null;
  /** Whether the next step needs rows that other sessions hold. */
  readonly isBlocked?: boolean;
}

/** A part of an erasure that runs in bounded steps, each in one transaction. */
export interface Stage {
  readonly name: string;
  run(tx: Tx, job: ErasureJob, place: readonly string[] | null): Promise<StageStep>;
}
