import { Owned } from '../account/owned.entity.js';
import { Member } from '../account/member.entity.js';
import type { Role } from '../account/permission.js';
import { Check, Column, Entity, ForeignKey, Index } from '../typeorm.js';
import type { PortalTheme } from './portal-theme.js';

/** A browser in which a portal link was used. It acts for a member, or for a role without one. */
@Entity('portal_session')
@Index('portal_session_by_account', ['accountId', 'id'])
@Index('portal_session_by_member', ['memberId'])
@Index('portal_session_by_age', ['createdAt'])
@Check('portal_session_holder_check', '(member_id is null) <> (role is null)')
export class PortalSession extends Owned {
  /** The link that opened it; the row of the link may be gone. */
  @Column({ type: 'text', collation: 'C' })
  linkId!: string;

  @ForeignKey(() => Member, { onDelete: 'CASCADE' })
  @Column({ type: 'text', collation: 'C', nullable: true })
  memberId!: string | null;

  @Column({ type: 'text', nullable: true })
  role!: Role | null;

  /** Of the cookie's value. */
  @Column({ type: 'bytea', unique: true })
  tokenSha256!: Buffer;

  /** Of the token that the page keeps until the cookie has come back; null from then on. */
  @Column({ type: 'bytea', nullable: true, unique: true })
  pageTokenSha256!: Buffer | null;

  @Column({ type: 'jsonb', nullable: true })
  theme!: PortalTheme | null;

  /** The User-Agent, truncated. */
  @Column('text')
  userAgent!: string;

  /** At most a minute late. */
  @Column({ type: 'timestamptz', precision: 3 })
  lastUsedAt!: Date;
}
