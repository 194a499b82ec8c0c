/** Why the service rejects a field, a header or a state. docs/contract.md lists the public codes. */
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

/** Causes that only internal operations return, and `/v1` never. */
export type InternalIssueCode =
  | 'payment_key_conflict'
  | 'already_paid'
  | 'checkout_expired'
  | 'offer_closed'
  | 'too_many_items'
  | 'not_published'
  | 'schema_mismatch'
  | 'schema_too_slow'
  | 'unknown_event_version'
  | 'breaking_schema_change'
  | 'recovery_key_conflict'
  | 'recovery_active'
  | 'recovery_limit_reached'
  | 'recovery_ended';

/**
 * One problem in an error. `code` is its cause, or the code of the whole error if there is no finer cause. `param` is
 * the name of the field, as the public interface spells it.
 */
export interface Issue<Code extends string = IssueCode | InternalIssueCode | ErrorCode> {
  readonly code: Code;
  readonly detail: string;
  readonly param?: string;
}

/** The codes of a {@link DomainError}. The REST interface maps each to a status and a title. */
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
  | 'pending_limit_reached'
  | 'test_limit_reached'
  | 'checkout_not_payable'
  | 'state_conflict'
  | 'replay_unsettled';

/** An error that the caller can act on. Any other error is an internal error. */
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

/** Returns the error for an invalid input, with one entry for each problem. */
export function validationFailed(errors: readonly Issue[]): DomainError {
  return new DomainError('validation_failed', 'One or more fields were refused.', errors);
}

/**
 * Returns the error for an id that the account does not have.
 * @param what a noun such as "webhook endpoint"
 */
export function notFound(what: string): DomainError {
  return new DomainError('not_found', `No ${what} with this id.`);
}
