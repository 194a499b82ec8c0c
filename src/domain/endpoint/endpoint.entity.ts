import { Owned } from '../account/account.entity.js';
import type { DisabledReason } from '../transaction/rules.js';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from '../transaction/typeorm.js';

/** An HTTPS address that receives the events of the types it subscribes to. */
@Entity('endpoint')
@Index('endpoint_of_account', ['accountId', 'id'], { where: 'deleted_at is null' })
@Index('endpoint_changed', { synchronize: false })
@Index('endpoint_deleted_by_account', ['accountId', 'id'], { where: 'deleted_at is not null' })
@Index('endpoint_by_deletion', ['deletedAt'], { where: 'deleted_at is not null' })
@Index('endpoint_cancelling', ['id'], { where: 'cancelling_since is not null' })
@Check('endpoint_event_types_check', 'cardinality(event_types) > 0')
@Check(
  'endpoint_disabled_reason_check',
  `disabled_reason in ('consecutive_failures', 'receiver_gone')`,
)
@Check('endpoint_max_per_second_check', 'max_per_second between 1 and 1000')
@Check('endpoint_header_names_check', 'cardinality(header_names) between 1 and 10')
@Check('endpoint_ordering_check', `ordering = 'subject'`)
export class Endpoint extends Owned {
  @Column('text')
  url!: string;

  @Column('boolean')
  active!: boolean;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column('text')
  notificationEmail!: string;

  @Column({ type: 'text', array: true })
  eventTypes!: string[];

  /** Since when it subscribes to types that it did not begin with: a time by type; null for none. */
  @Column({ type: 'jsonb', nullable: true })
  subscribedSince!: Readonly<Record<string, string>> | null;

  /** Its rate limit: requests a second, evenly spaced; null for none. */
  @Column({ type: 'smallint', nullable: true })
  maxPerSecond!: number | null;

  /** A schedule of the settings; null for the default one, which also stands for a name that the settings lack. */
  @Column({ type: 'text', nullable: true })
  retrySchedule!: string | null;

  /** Whether it gets the events of a subject one at a time (`subject`); null for no order. */
  @Column({ type: 'text', nullable: true })
  ordering!: Ordering | null;

  /** Which events it gets, as its account wrote it (filter.ts); null for all of its types. */
  @Column({ type: 'text', nullable: true })
  filter!: string | null;

  /** The filter as a jsonpath. */
  @Column({ type: 'jsonpath' as 'text', nullable: true })
  filterPath!: string | null;

  /** When the filter was last set, changed or removed; null if it never had one. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  filterChangedAt!: Date | null;

  @Column({ type: 'text', nullable: true })
  disabledReason!: DisabledReason | null;

  /** When the current run of failed attempts began; null while there is none. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  failingSince!: Date | null;

  /** Failed attempts in that run. */
  @Column({ type: 'integer', default: 0 })
  failureCount!: number;

  /** When its last run of failed attempts ended, or its rate limit was removed; null for neither. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  resumedAt!: Date | null;

  /** Warnings of that run that its owner got: at a quarter and at three quarters of its time. */
  @Column({ type: 'smallint', default: 0 })
  warnings!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt!: Date;

  /** Set once. The row stays at least as long as its delivery records. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deletedAt!: Date | null;

  /**
   * Set while the endpoint has a cancellation backlog, to the `updatedAt` of the change that caused
   * it. Claims skip the endpoint meanwhile.
   */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  cancellingSince!: Date | null;

  /**
   * Set with `cancellingSince` when the endpoint was disabled or deleted. Pending deliveries up to
   * this time are cancelled, even if the endpoint is enabled again before that is done.
   */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  cancelBefore!: Date | null;

  /**
   * Set with `cancellingSince` when types were unsubscribed: a time by type. Pending deliveries of
   * the type up to that time are cancelled, even if the type is subscribed again before that is
   * done.
   */
  @Column({ type: 'jsonb', nullable: true })
  cancelTypes!: Readonly<Record<string, string>> | null;

  /** The names of its static headers, whose values are sealed in {@link EndpointSecret}; null for none. */
  @Column({ type: 'text', array: true, nullable: true })
  headerNames!: string[] | null;

  /** Scheme, host and port to which they are sent; null when their values are gone. */
  @Column({ type: 'text', nullable: true })
  headersOrigin!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  headersSetAt!: Date | null;

  /** The transaction of the last change that moved `updatedAt`, for the stream. A trigger sets it. */
  @Column({ type: 'xid8' as 'bigint', nullable: true, default: () => 'pg_current_xact_id()' })
  xid!: string | null;
}

/** What an endpoint gets in order. */
export const orderings = ['subject'] as const;
export type Ordering = (typeof orderings)[number];

/** The fields of an endpoint that its account sets. */
export const settableFields = [
  'url',
  'active',
  'description',
  'notificationEmail',
  'eventTypes',
] as const satisfies readonly (keyof Endpoint)[];

/** The fields of an endpoint's current run of failed attempts. */
export const healthFields = [
  'failingSince',
  'failureCount',
  'warnings',
] as const satisfies readonly (keyof Endpoint)[];

/**
 * The fields of an endpoint that responses may contain. Its account and its health stay inside.
 * Each further field would cost every request about a microsecond.
 */
export const shownFields = [
  'id',
  ...settableFields,
  'maxPerSecond',
  'disabledReason',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof Endpoint)[];

/** A name in {@link settableFields}. */
export type SettableField = (typeof settableFields)[number];

/** An endpoint with its {@link shownFields}. */
export type EndpointView = Pick<Endpoint, (typeof shownFields)[number]>;

/** A signing secret, a private key, or the static headers, sealed with a key of the ring and bound to their endpoint's id. */
@Entity('endpoint_secret')
@Check('endpoint_secret_kind_check', `kind in ('signing', 'headers', 'ed25519')`)
@Check('endpoint_secret_public_key_check', `(kind = 'ed25519') = (public_key is not null)`)
@Index('endpoint_secret_by_endpoint', ['endpointId', 'id'])
export class EndpointSecret {
  /** A later secret of an endpoint has a greater id. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @ForeignKey(() => Endpoint)
  @Column({ type: 'text', collation: 'C' })
  endpointId!: string;

  @Column({ type: 'text', default: 'signing' })
  kind!: 'signing' | 'headers' | 'ed25519';

  @Column('text')
  keyId!: string;

  @Column('bytea')
  sealed!: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** When an older secret stops signing; null for the newest one, and for headers. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;

  /** Of a private key: what anybody may know. */
  @Column({ type: 'text', nullable: true })
  publicKey!: string | null;
}

/** The send times of an endpoint that has, or had, a rate limit (ADR 0034). */
@Entity('endpoint_rate')
export class EndpointRate {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  endpointId!: string;

  /** The first send time that no worker has reserved; a time that has passed stands for now. */
  @Column('timestamptz')
  nextAt!: Date;
}
