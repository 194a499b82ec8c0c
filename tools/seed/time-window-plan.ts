/** The next positions and numbers in the ledger of an account. */
export interface NextNumbers {
  readonly order: number;
  readonly payment: number;
  readonly refund: number;
  readonly invoice: number;
  readonly offer: number;
  readonly invoiceNumber: number;
  readonly creditNoteNumber: number;
}

/** The plan of one time window, which one batch inserts. */
export interface TimeWindowPlan {
  readonly seed: number;
  readonly account: string;
  readonly orders: number;
  readonly next: NextNumbers;
  /** The time of the first order. */
  readonly from: Date;
  /** Milliseconds from one order to the next; at least {@link minStepMs}. */
  readonly stepMs: number;
  /** No entry is later. */
  readonly now: Date;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

/** The least time between two orders, so that all refunds that fall due together fit in between. */
export const minStepMs = 2_000;

/** The most orders of a time window, for the same reason. */
export const maxOrders = 500;
