import { Owned, Member, Credential, Account } from '../account/account.entity.js';
import { Column, Entity, ForeignKey, Index, PrimaryColumn, Check } from '../transaction/typeorm.js';

/** A member who is signed in to the dashboard with one browser. */
@Entity('session')
@Index('session_by_member', ['memberId', 'id'])
@Index('session_by_account', ['accountId', 'id'])
@Index('session_by_age', ['createdAt'])
export class Session extends Owned {
  @ForeignKey(() => Member, { onDelete: 'CASCADE' })
  @Column({ type: 'text', collation: 'C' })
  memberId!: string;

  /** Hash of the cookie, whose value only the browser keeps. */
  @Column({ type: 'bytea', unique: true })
  tokenSha256!: Buffer;

  /** The User-Agent at sign-in, truncated. Members recognise their sessions by it. */
  @Column('text')
  userAgent!: string;

  /** Updated at most once a minute. */
  @Column({ type: 'timestamptz', precision: 3 })
  lastUsedAt!: Date;
}

/** The holder of an internal credential who is signed in to the operator pages with one browser. */
@Entity('operator_session')
@Index('operator_session_by_credential', ['credentialId', 'id'])
@Index('operator_session_by_age', ['createdAt'])
export class OperatorSession {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @ForeignKey(() => Credential, { onDelete: 'CASCADE' })
  @Column({ type: 'text', collation: 'C' })
  credentialId!: string;

  /** Hash of the cookie, whose value only the browser keeps. */
  @Column({ type: 'bytea', unique: true })
  tokenSha256!: Buffer;

  /** The User-Agent at sign-in, truncated. */
  @Column('text')
  userAgent!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** Updated at most once a minute. */
  @Column({ type: 'timestamptz', precision: 3 })
  lastUsedAt!: Date;
}

/**
 * A link that opens one session: mailed and bound to the browser that requested it, created for the browser that
 * comes back from the OpenID provider, or printed by an operator. A request for an address without a member creates
 * a row without a member.
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

  /** Hash of the code in the mail; null in other links. */
  @Column({ type: 'bytea', nullable: true })
  codeSha256!: Buffer | null;

  /** Hash of the cookie of the browser that requested the link; null in a printed link. */
  @Column({ type: 'bytea', nullable: true })
  browserSha256!: Buffer | null;

  /**
   * Hash of the form in which the address is compared; null in links without a mail. Limits the mails to an address.
   */
  @Column({ type: 'bytea', nullable: true })
  addressSha256!: Buffer | null;

  /**
   * The networks of the client that requested a mail, narrowest first. Null in links without a mail, and in
   * those of the previous release.
   */
  @Column({ type: 'text', array: true, nullable: true })
  networks!: string[] | null;

  /** Hash of the id of the browser that requested a mail, if it had signed the address in before. */
  @Column({ type: 'bytea', nullable: true })
  knownBrowserSha256!: Buffer | null;

  /** How many wrong codes the browser has sent. */
  @Column({ type: 'smallint', default: 0 })
  tries!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  usedAt!: Date | null;
}

/** Who a member is at an OpenID provider. It is written at the first sign-in with a verified address. */
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

  /** The provider's permanent name for the person. */
  @Column({ type: 'text', collation: 'C' })
  subject!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
