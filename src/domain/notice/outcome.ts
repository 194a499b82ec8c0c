/** What an attempt to send a notice ended with. */
export type NoticeOutcome =
  /** A mail server has taken it. */
  | { readonly kind: 'sent' }
  /** It is tried again later. */
  | (Reason & { readonly kind: 'failed' })
  /** There is no such recipient, or nothing to tell them any more; trying again changes neither. */
  | (Reason & { readonly kind: 'refused' });

interface Reason {
  /** Codes only, fit for a log. */
  readonly reason: string;
  /** For operators who look at the row; may name the recipient. */
  readonly detail: string;
}
