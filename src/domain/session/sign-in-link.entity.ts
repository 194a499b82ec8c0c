import { Account } from '../account/account.entity.js';
import { Member } from '../account/member.entity.js';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from '../typeorm.js';

/**
 * A link that opens one session: mailed and bound to the browser that asked, made for the browser that
 * comes back from the OpenID provider, or printed by an operator. A request for an address without a member makes a row without a member.
 */
@Entity('sign_in_link')
@Index('sign_in_link_by_browser', ['browserSha256', 'id'])
@Index('sign_in_link_by_address', ['addressSha256', 'createdAt'])
@Index('sign_in_link_by_account', ['accountId', 'id'])
@Index('sign_in_link_by_member', ['memberId'])
@Index('sign_in_link_by_age', ['createdAt'])
@Check('sign_in_link_member_check', '(account_id is null) = (member_id is null)')
@Check(
  'sign_in_link_code_check',
  `(code_sha256 is null) = (address_sha256 is null)
     and (code_sha256 is null or browser_sha256 is not null)`,
)
export class SignInLink {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @ForeignKey(() => Account)
  @Column({ type: 'text', collation: 'C', nullable: true })
  accountId!: string | null;

  @ForeignKey(() => Member, { onDelete: 'CASCADE' })
  @Column({ type: 'text', collation: 'C', nullable: true })
  memberId!: string | null;

  @Column({ type: 'bytea', unique: true })
  tokenSha256!: Buffer;

  /** Of the code in the mail; null in other links. */
  @Column({ type: 'bytea', nullable: true })
  codeSha256!: Buffer | null;

  /** Of the cookie of the browser that asked; null in a printed link. */
  @Column({ type: 'bytea', nullable: true })
  browserSha256!: Buffer | null;

  /** Of the form in which the address is compared; null in links without a mail. Limits the mails to an address. */
  @Column({ type: 'bytea', nullable: true })
  addressSha256!: Buffer | null;

  /**
   * The networks of the client that asked for a mail, narrowest first. Null in links without a mail, and in
   * those of the release before.
   */
  @Column({ type: 'text', array: true, nullable: true })
  networks!: string[] | null;

  /** Of the browser that asked for a mail, if it had signed the address in before. */
  @Column({ type: 'bytea', nullable: true })
  knownBrowserSha256!: Buffer | null;

  /** Wrong codes that the browser sent. */
  @Column({ type: 'smallint', default: 0 })
  tries!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  usedAt!: Date | null;
}
