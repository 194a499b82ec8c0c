/** What a single field, header or state was refused for; the contract lists them (part 3). */
export type IssueCode =
  | 'missing_credential'
  | 'invalid_credential'
  | 'expired_credential'
  | 'revoked_credential'
  | 'credential_kind_not_accepted'
  | 'permission_missing'
  | 'repeated_header'
  | 'invalid_encoding'
  | 'nul_byte'
  | 'required'
  | 'invalid_type'
  | 'invalid_format'
  | 'invalid_value'
  | 'too_long'
  | 'too_few_items'
  | 'out_of_range'
  | 'unknown_property'
  | 'unknown_parameter'
  | 'invalid_cursor'
  | 'event_type_not_offered'
  | 'unknown_event_type'
  | 'endpoint_deleted'
  | 'event_type_not_subscribed'
  | 'payload_expired'
  | 'amount_exceeds_refundable';

/** Causes of operations that only internal tools have; /v1 never meets them. */
export type InternalIssueCode =
  'payment_key_conflict' | 'already_paid' | 'checkout_expired' | 'offer_closed';

/**
 * One refusal inside an error: its cause, or the code of the whole where there is no other; `param`
 * names the refused field as the client sent it.
 */
export interface Issue<Code extends string = IssueCode | InternalIssueCode | ErrorCode> {
  readonly code: Code;
  readonly detail: string;
  readonly param?: string;
}

/** Every code the domain refuses with; the facade gives each a status and a title. */
export type ErrorCode =
  | 'validation_failed'
  | 'not_found'
  | 'forbidden'
  | 'endpoint_limit_reached'
  | 'endpoint_inactive'
  | 'delivery_in_progress'
  | 'delivery_not_replayable'
  | 'payment_not_refundable'
  | 'offer_state_conflict'
  | 'event_key_conflict'
  | 'checkout_not_payable'
  | 'state_conflict'
  | 'replay_unsettled';

/** A refusal the caller can act on; anything else that is thrown is our own fault. */
export class DomainError extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly detail: string,
    readonly errors: readonly Issue[] = [{ code, detail }],
    /** Seconds after which the same request may succeed. */
    readonly retryAfterSeconds?: number,
  ) {
    super(detail);
    this.name = 'DomainError';
  }
}

/** The fields of an input were refused; one entry per refusal. */
export function validationFailed(errors: readonly Issue[]): DomainError {
  return new DomainError('validation_failed', 'One or more fields were refused.', errors);
}

/** The thing does not exist for this account; `what` reads like "webhook endpoint". */
export function notFound(what: string): DomainError {
  return new DomainError('not_found', `No ${what} with this id.`);
}
