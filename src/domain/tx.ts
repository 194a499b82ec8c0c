import type { EntityManager } from 'typeorm';
import type { DomainRules } from './rules.js';
import type { Wakeup } from './wakeup.js';

/** SQL that each connection prepares once under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Access to PostgreSQL outside a transaction: every statement sees what is committed. */
export interface Read {
  readonly manager: EntityManager;
  readonly rules: DomainRules;
  /** Rows come with the columns' own names; `timestamptz` as Date, `bytea` as Buffer. */
  sql<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
}

/** One unit of work: a transaction, one reading of the database's clock, and the wake-ups it owes. */
export interface Tx extends Read {
  readonly now: Date;
  /** Records that it turns from failed to abandoned; counted after the commit. */
  abandoned(records: number): void;
  /** Sent after the commit; a wake-up that gets lost makes its work late, the poller finds it. */
  wake(wakeup: Wakeup): void;
}

/** How {@link Transact} begins. */
export interface TransactOptions {
  /** Takes this advisory lock with the first statement; held by another: {@link LockNotAvailable}. */
  readonly lock?: bigint;
  /**
   * Names what the work may have to wait for, such as an account's rows: of one name few run at once,
   * the others wait before they take a connection.
   * Refused after a while: {@link SemaphoreRejected}.
   */
  readonly semaphoreKey?: string;
  /** Once it is aborted the work is given up: it gets no connection, and nothing is committed. */
  readonly signal?: AbortState;
}

/** The part of an AbortSignal that work asks: whether its caller still waits. */
export type AbortState = Pick<AbortSignal, 'aborted'>;

/** Runs `work` in a READ COMMITTED transaction; commits when it resolves, rolls back when it throws. */
export type Transact = <T>(work: (tx: Tx) => Promise<T>, options?: TransactOptions) => Promise<T>;

/** Too many want the same turn; the same request may succeed in a few seconds. */
export class SemaphoreRejected extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SemaphoreRejected';
  }
}

/** The caller of the work was answered meanwhile: the work was rolled back, or never begun. */
export class TransactionAborted extends Error {
  constructor() {
    super('the caller no longer waits');
    this.name = 'WorkAborted';
  }
}

/** @throws WorkAborted once `signal` is aborted */
export function throwIfAborted(signal: AbortState | undefined): void {
  if (signal?.aborted) throw new TransactionAborted();
}

/** Somebody else holds the advisory lock that a transaction asked for. */
export class LockNotAvailable extends Error {
  constructor() {
    super('the advisory lock is taken');
    this.name = 'LockTaken';
  }
}
