import type { Reply } from './rest-client.js';
import { dataOf, toProblem } from './endpoints.js';

/** Where a page stands in a commerce list. */
export interface PaginationBody {
  readonly total_pages: number;
  readonly current_page: number;
  readonly per_page: number;
  readonly total_count: number;
}

/** A page of a commerce list. */
export interface NumberedBody {
  readonly ids: readonly string[];
  readonly pagination: PaginationBody;
}

/** The ids on a page of a commerce list, and where it stands. */
export function numberedOf(reply: Reply): NumberedBody {
  const ids = dataOf<{ id: string }[]>(reply, 200).map(({ id }) => id);
  return { ids, pagination: (reply.body as { pagination: PaginationBody }).pagination };
}

/** A refund, as the interface has it. */
export interface RefundBody {
  readonly id: string;
  readonly payment: string;
  readonly order: string;
  readonly status: string;
  readonly currency: string;
  readonly amount_minor_units: number;
  readonly reason: string | null;
  readonly note: string | null;
  readonly created_at: string;
  readonly cash_flow_at: string | null;
}

/** A payment, as the interface has it. */
export interface PaymentBody {
  readonly id: string;
  readonly order: string;
  readonly status: string;
  readonly amount_minor_units: number;
  readonly refunded_minor_units: number;
  readonly created_at: string;
  readonly cash_flow_at: string | null;
}

/** An invoice or a credit note, as the interface has it. */
export interface InvoiceBody {
  readonly id: string;
  readonly number: string;
  readonly type: string;
  readonly refund: string | null;
  readonly totals: Readonly<Record<string, number>>;
  readonly pdf_url: string;
}

/** The code of a refusal that is no validation_failed. */
export function codeOf(reply: Reply, status: number): string {
  return toProblem(reply, status).code;
}
