// What a function of the domain gets: `Read` for statements outside of a transaction, `Tx` for those inside.
//
// - A Tx reads the clock of PostgreSQL once, so all rows of a change have the same time.
// - Wake-ups, metrics and the audit log follow the commit: a transaction that rolls back leaves none of them.
//
// src/database/database.ts implements both.
import type { EntityManager } from 'typeorm';
import type { Actor } from './actor.js';
import type { DomainRules } from './rules.js';
import type { Wakeup } from './wakeup.js';

/** SQL that each connection prepares once, under this name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A statement with its values. */
export interface Query {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

/** Access to PostgreSQL outside of a transaction: each statement sees what is committed by then. */
export interface Read {
  readonly manager: EntityManager;
  readonly rules: DomainRules;
  /** Returns rows under the names of their columns; `timestamptz` as Date, `bytea` as Buffer. */
  sql<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
}

/** A transaction, with one reading of the clock of the database, and the wake-ups to send after its commit. */
export interface Tx extends Read {
  readonly now: Date;
  /** Who makes the changes; undefined if no caller requested them. */
  readonly actor?: Actor | undefined;
  /** The trace that its events store. */
  readonly traceparent?: string | undefined;
  /** The rows of {@link TransactOptions.firstQuery}; empty without it. */
  readonly firstRows: readonly unknown[];
  /**
   * Sends a statement together with the commit, in one round trip, once the work has resolved. To prevent the commit,
   * the statement must fail.
   * @param refusal turns the error of the statement into the one to throw
   */
  commitWith(query: Query, refusal?: (error: unknown) => unknown): void;
  /** After the commit, counts deliveries that the transaction marks abandoned in the metric. */
  countAbandoned(records: number): void;
  /** Reports that a credential or a role changes. After the commit, this process forgets the look-ups it remembers. */
  credentialsChanged(): void;
  /** Sends a wake-up after the commit. If it gets lost, the next poll finds the work. */
  wake(wakeup: Wakeup): void;
}

/** Options of {@link Transact}. */
export interface TransactOptions {
  /** Who makes the changes, for the audit log. */
  readonly actor?: Actor;
  /** The trace that its events store, already validated. */
  readonly traceparent?: string | undefined;
  /** Takes this advisory lock with the first statement. Throws {@link LockNotAvailable} if another session holds it. */
  readonly lock?: bigint;
  /** Runs after the lock, in the same round trip. `tx.firstRows` has its rows. */
  readonly firstQuery?: Query;
  /**
   * Names the rows that transactions compete for, such as those of an account. Only a few transactions with the same
   * key run at once; the others wait before they take a connection. Throws {@link SemaphoreRejected} if they wait too
   * long.
   */
  readonly semaphoreKey?: string;
  /** Once it is aborted, the transaction takes no connection and commits nothing. */
  readonly signal?: AbortState;
}

/** Whether the caller of a transaction has stopped waiting. */
export type AbortState = Pick<AbortSignal, 'aborted'>;

/** Runs `work` in a READ COMMITTED transaction: commits when it resolves, rolls back when it throws. */
export type Transact = <T>(work: (tx: Tx) => Promise<T>, options?: TransactOptions) => Promise<T>;

/** Too many transactions wait for one semaphore key. The same request may succeed in a few seconds. */
export class SemaphoreRejected extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SemaphoreRejected';
  }
}

/** The caller has stopped waiting. The transaction was rolled back or never began. */
export class TransactionAborted extends Error {
  constructor() {
    super('The caller stopped waiting. The transaction committed nothing.');
    this.name = 'TransactionAborted';
  }
}

/** @throws TransactionAborted once `signal` is aborted */
export function throwIfAborted(signal: AbortState | undefined): void {
  if (signal?.aborted) throw new TransactionAborted();
}

/** Another session holds the advisory lock that the transaction requests. */
export class LockNotAvailable extends Error {
  constructor() {
    super('Another session holds the advisory lock.');
    this.name = 'LockNotAvailable';
  }
}
