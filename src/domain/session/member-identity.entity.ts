import { Account } from '../account/account.entity.js';
import { Member } from '../account/member.entity.js';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from '../typeorm.js';

/** Who a member is at an OpenID provider. It is written at the first sign-in by a verified address. */
@Entity('member_identity')
@Index('member_identity_by_subject', ['issuer', 'subject'])
@Index('member_identity_by_member', ['memberId', 'issuer'])
@Check('member_identity_subject_check', `subject ~ '^[ -~]{1,255}$'`)
export class MemberIdentity {
  @ForeignKey(() => Account)
  @PrimaryColumn({ type: 'text', collation: 'C' })
  accountId!: string;

  @ForeignKey(() => Member, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text', collation: 'C' })
  memberId!: string;

  /** The provider's URL. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  issuer!: string;

  /** The provider's name for the person, which it gives to no other. */
  @Column({ type: 'text', collation: 'C' })
  subject!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
