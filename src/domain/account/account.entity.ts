import { Column, Entity, Index, PrimaryColumn, ForeignKey, Check } from '../transaction/typeorm.js';
import type { Role, KeyLevel, Level } from './permission.js';
import type { CredentialKind } from './token.js';

/** The seller; every other row belongs to an account. */
@Entity('account')
// TypeORM cannot describe this index on an expression: see the migration.
@Index('account_by_name', { synchronize: false })
export class Account {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @Column('text')
  name!: string;

  /** How many invoices the account has issued. The next invoice gets the next number, so there are no gaps. */
  @Column({ type: 'integer', default: 0 })
  invoiceCount!: number;

  /** How many credit notes the account has issued, numbered the same way. */
  @Column({ type: 'integer', default: 0 })
  creditNoteCount!: number;

  /** Whether receivers get the trace of an event as `traceparent`. */
  @Column({ type: 'boolean', default: false })
  sendsTraceparent!: boolean;

  /** Whether an endpoint of it has, or had, a filter. Without one, a publish looks for none. */
  @Column({ type: 'boolean', nullable: true })
  hasFilters!: boolean | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** Since when it is erased: it accepts nothing more, and no operation finds it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  erasedAt!: Date | null;
}

/** The columns of rows that an account owns. */
export abstract class Owned {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @ForeignKey(() => Account)
  @Column({ type: 'text', collation: 'C' })
  accountId!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}

/**
 * A person who acts for an account, or the holder of one credential that was issued without a person. The
 * role limits every credential of the member.
 */
@Entity('member')
@Index('member_by_account', ['accountId', 'id'])
@Index('member_people', ['accountId', 'id'], { where: 'is_person' })
// TypeORM cannot describe these indexes on expressions: see the migration.
@Index('member_by_email', { synchronize: false })
@Index('member_by_mailbox', { synchronize: false })
@Index('member_without_mailbox', { synchronize: false })
@Check('member_role_check', `role in ('owner', 'admin', 'developer', 'accountant', 'viewer')`)
export class Member extends Owned {
  @Column('text')
  email!: string;

  /** The form in which the address is compared, if PostgreSQL cannot derive it; see `storedMailbox`. */
  @Column({ type: 'text', nullable: true })
  mailbox!: string | null;

  @Column('text')
  role!: Role;

  /** False for the holder of one credential. */
  @Column({ type: 'boolean', default: true })
  isPerson!: boolean;

  /** When the member last signed in to the dashboard. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  signedInAt!: Date | null;
}

/** A bearer token, stored only as its hash. */
@Entity('credential')
@Index('credential_by_account', ['accountId', 'id'])
@Index('credential_keys', ['accountId', 'id'], {
  where: `kind in ('live', 'legacy') and revoked_at is null`,
})
@Index('credential_by_expiry', ['expiresAt'], { where: 'expires_at is not null' })
@Index('credential_by_member', ['memberId'])
@Check('credential_kind_check', `kind in ('live', 'legacy', 'dashboard', 'internal')`)
@Check('credential_level_check', `level in ('full', 'read', 'restricted')`)
@Check(
  'credential_areas_check',
  `(level = 'restricted') = (webhooks_level is not null)
     and (level = 'restricted') = (orders_level is not null)
     and webhooks_level in ('none', 'read', 'write') and orders_level in ('none', 'read', 'write')`,
)
export class Credential extends Owned {
  @ForeignKey(() => Member)
  @Column({ type: 'text', collation: 'C' })
  memberId!: string;

  @Column('text')
  kind!: CredentialKind;

  @Column('text')
  level!: KeyLevel;

  /** Null unless the key is restricted. */
  @Column({ type: 'text', nullable: true })
  webhooksLevel!: Level | null;

  /** Null unless the key is restricted. */
  @Column({ type: 'text', nullable: true })
  ordersLevel!: Level | null;

  @Column({ type: 'bytea', unique: true })
  tokenSha256!: Buffer;

  /** The last four characters of the token, by which people recognise it. */
  @Column('text')
  last4!: string;

  /** Null if it does not expire. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  revokedAt!: Date | null;

  /** Updated at most once an hour; null before the first use. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt!: Date | null;
}
