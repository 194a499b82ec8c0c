/** The result of an attempt to send a mail. */
export type NoticeOutcome =
  /** The mail server accepted it. */
  | { readonly kind: 'sent' }
  /** The worker retries it later. */
  | (Reason & { readonly kind: 'failed' })
  /** The recipient does not exist, or the offer has ended; a retry would change neither. */
  | (Reason & { readonly kind: 'refused' });

interface Reason {
  /** Only codes, so that logs can have it. */
  readonly reason: string;
  /** For operators who read the row; it may name the recipient, so logs must not have it. */
  readonly detail: string;
}
