import { Check, Column, Entity, ForeignKey, Index } from '../typeorm.js';
import { Owned } from './owned.entity.js';
import { Member } from './member.entity.js';
import type { KeyLevel, Level } from './permission.js';
import type { CredentialKind } from './token.js';

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

  /** Only a restricted key has one. */
  @Column({ type: 'text', nullable: true })
  webhooksLevel!: Level | null;

  /** Only a restricted key has one. */
  @Column({ type: 'text', nullable: true })
  ordersLevel!: Level | null;

  @Column({ type: 'bytea', unique: true })
  tokenSha256!: Buffer;

  /** The end of the token, by which people recognise it. */
  @Column('text')
  last4!: string;

  /** Null when it does not expire. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  revokedAt!: Date | null;

  /** At most an hour late; null when it was not used yet. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt!: Date | null;
}
