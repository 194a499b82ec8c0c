import type { Reply } from './rest-client.js';
import { dataOf, toProblem } from './endpoints.js';

/** The position of a page in a commerce list. */
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

/** The ids and the position of a page of a commerce list. */
export function numberedOf(reply: Reply): NumberedBody {
  const ids = dataOf<{ id: string }[]>(reply, 200).map(({ id }) => id);
  return { ids, pagination: (reply.body as { pagination: PaginationBody }).pagination };
}

/** A refund of `/v1`. */
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

/** A payment of `/v1`. */
export interface PaymentBody {
  readonly id: string;
  readonly order: string;
  readonly status: string;
  readonly amount_minor_units: number;
  readonly refunded_minor_units: number;
  readonly buyer_email: string;
  readonly created_at: string;
  readonly cash_flow_at: string | null;
}

/** An invoice or a credit note of `/v1`. */
export interface InvoiceBody {
  readonly id: string;
  readonly number: string;
  readonly type: string;
  readonly issued_at: string;
  readonly refund: string | null;
  readonly totals: Readonly<Record<string, number>>;
  readonly pdf_url: string;
}

/** The code of a problem other than validation_failed. */
export function codeOf(reply: Reply, status: number): string {
  return toProblem(reply, status).code;
}
