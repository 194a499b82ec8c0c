import { Account, Owned, Member } from '../account/account.entity.js';
import type { Role } from '../account/permission.js';
import { Column, Entity, ForeignKey, PrimaryColumn, Check, Index } from '../transaction/typeorm.js';
import type { PortalTheme } from './portal-input.js';

/** Who may frame the portal of an account, and how it looks. */
@Entity('portal_settings')
export class PortalSettings {
  @ForeignKey(() => Account)
  @PrimaryColumn({ type: 'text', collation: 'C' })
  accountId!: string;

  @Column({ type: 'jsonb' })
  origins!: readonly string[];

  @Column({ type: 'jsonb' })
  theme!: PortalTheme;

  /** A `data:` URL. */
  @Column({ type: 'text', nullable: true })
  logo!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt!: Date;
}

/** A link that opens one portal session, for a member or for a role. */
@Entity('portal_link')
@Index('portal_link_by_account', ['accountId', 'id'])
@Index('portal_link_by_member', ['memberId'])
@Index('portal_link_by_maker', ['makerId'])
@Index('portal_link_by_age', ['createdAt'])
@Check('portal_link_holder_check', '(member_id is null) <> (role is null)')
export class PortalLink extends Owned {
  @ForeignKey(() => Member, { onDelete: 'CASCADE' })
  @Column({ type: 'text', collation: 'C', nullable: true })
  memberId!: string | null;

  /** The role for which the session acts; null in a link for a member. */
  @Column({ type: 'text', nullable: true })
  role!: Role | null;

  /**
   * The member who created it; null for an operator. The link stops working when this member is removed or no
   * longer administers the account.
   */
  @ForeignKey(() => Member, { onDelete: 'CASCADE' })
  @Column({ type: 'text', collation: 'C', nullable: true })
  makerId!: string | null;

  @Column({ type: 'bytea', unique: true })
  tokenSha256!: Buffer;

  /** What differs from the settings. */
  @Column({ type: 'jsonb', nullable: true })
  theme!: PortalTheme | null;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  usedAt!: Date | null;
}

/** A browser in which a portal link was used. It acts for a member, or for a role without a member. */
@Entity('portal_session')
@Index('portal_session_by_account', ['accountId', 'id'])
@Index('portal_session_by_member', ['memberId'])
@Index('portal_session_by_age', ['createdAt'])
@Check('portal_session_holder_check', '(member_id is null) <> (role is null)')
export class PortalSession extends Owned {
  /** The link that opened it; its row may be deleted. */
  @Column({ type: 'text', collation: 'C' })
  linkId!: string;

  @ForeignKey(() => Member, { onDelete: 'CASCADE' })
  @Column({ type: 'text', collation: 'C', nullable: true })
  memberId!: string | null;

  @Column({ type: 'text', nullable: true })
  role!: Role | null;

  /** Hash of the cookie. */
  @Column({ type: 'bytea', unique: true })
  tokenSha256!: Buffer;

  /** Hash of the token that the page keeps until the cookie has come back; null from then on. */
  @Column({ type: 'bytea', nullable: true, unique: true })
  pageTokenSha256!: Buffer | null;

  @Column({ type: 'jsonb', nullable: true })
  theme!: PortalTheme | null;

  /** The User-Agent, truncated. */
  @Column('text')
  userAgent!: string;

  /** Updated at most once a minute. */
  @Column({ type: 'timestamptz', precision: 3 })
  lastUsedAt!: Date;
}
