import { Owned } from '../account/owned.entity.js';
import { Member } from '../account/member.entity.js';
import { Column, Entity, ForeignKey, Index } from '../typeorm.js';

/** A member who is signed in to the dashboard with one browser. */
@Entity('session')
@Index('session_by_member', ['memberId', 'id'])
@Index('session_by_account', ['accountId', 'id'])
@Index('session_by_age', ['createdAt'])
export class Session extends Owned {
  @ForeignKey(() => Member, { onDelete: 'CASCADE' })
  @Column({ type: 'text', collation: 'C' })
  memberId!: string;

  /** Of the cookie's value, which only the browser keeps. */
  @Column({ type: 'bytea', unique: true })
  tokenSha256!: Buffer;

  /** The User-Agent at sign-in, cut: members recognise their sessions by it. */
  @Column('text')
  userAgent!: string;

  /** At most a minute late. */
  @Column({ type: 'timestamptz', precision: 3 })
  lastUsedAt!: Date;
}
