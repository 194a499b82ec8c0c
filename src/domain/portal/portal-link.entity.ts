import { Owned } from '../account/owned.entity.js';
import { Member } from '../account/member.entity.js';
import type { Role } from '../account/permission.js';
import { Check, Column, Entity, ForeignKey, Index } from '../typeorm.js';
import type { PortalTheme } from './portal-theme.js';

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

  /** Of a link without a member. */
  @Column({ type: 'text', nullable: true })
  role!: Role | null;

  /**
   * The member who made it; null for an operator. The link goes when this member is removed or no longer
   * administers the account.
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
