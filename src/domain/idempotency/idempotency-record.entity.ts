import { Check, Column, Entity, Index, PrimaryColumn } from '../typeorm.js';

/**
 * The response to the first request with an Idempotency-Key. While `status` is null, the request is a replay whose
 * first attempt has no result yet.
 */
@Entity('idempotency_record')
@Index('idempotency_record_by_expiry', ['expiresAt'])
@Index('idempotency_record_by_pending_delivery', ['pendingDeliveryId'], {
  where: 'pending_delivery_id is not null',
})
@Check('idempotency_record_expiry_check', '(status is null) = (expires_at is null)')
@Check('idempotency_record_pending_check', 'status is not null or pending_delivery_id is not null')
export class IdempotencyRecord {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  accountId!: string;

  @PrimaryColumn('text')
  key!: string;

  @Column('bytea')
  fingerprint!: Buffer;

  /** The pending delivery of a replay. */
  @Column({ type: 'text', collation: 'C', nullable: true })
  pendingDeliveryId!: string | null;

  @Column({ type: 'integer', nullable: true })
  status!: number | null;

  /** The JSON of the response, without `signing_secret`; null for an empty body. */
  @Column({ type: 'text', nullable: true })
  body!: string | null;

  @Column({ type: 'text', nullable: true })
  location!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;
}
