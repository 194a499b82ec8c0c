import { Check, Column, Entity, Index } from '../typeorm.js';
import { Owned } from './owned.entity.js';
import type { Role } from './permission.js';

/**
 * A person who acts for an account, or the holder of one credential that was issued without a person. The
 * role limits every credential the member holds.
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

  /** The form in which the address is compared, where PostgreSQL cannot make it; see `storedMailbox`. */
  @Column({ type: 'text', nullable: true })
  mailbox!: string | null;

  @Column('text')
  role!: Role;

  /** False for a member that was made for one credential. */
  @Column({ type: 'boolean', default: true })
  isPerson!: boolean;

  /** When it last opened a session of the dashboard. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  signedInAt!: Date | null;
}
