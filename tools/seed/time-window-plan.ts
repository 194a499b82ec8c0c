import type { MakeId } from './open-checkouts.js';

/** The positions and numbers that come next in an account's books. */
export interface NextNumbers {
  readonly order: number;
  readonly payment: number;
  readonly refund: number;
  readonly invoice: number;
  readonly offer: number;
  readonly invoiceNumber: number;
  readonly creditNoteNumber: number;
}

/** A stretch of an account's history: what one batch inserts. */
export interface TimeWindowPlan {
  readonly seed: number;
  readonly account: string;
  /** How many orders. */
  readonly orders: number;
  readonly next: NextNumbers;
  /** When the first order was made. */
  readonly from: Date;
  /** Milliseconds from one order to the next; at least {@link minStepMs}. */
  readonly stepMs: number;
  /** What is later has not happened. */
  readonly now: Date;
  /** Of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly makeId: MakeId;
}

/** Below it the refunds that fall due together would not fit between two orders. */
export const minStepMs = 2_000;

/** The most orders of a stretch, for the same reason. */
export const maxOrders = 500;
