import { Credential } from '../account/credential.entity.js';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from '../typeorm.js';

/** A browser in which the holder of an internal credential is signed in to the pages of operators. */
@Entity('operator_session')
@Index('operator_session_by_credential', ['credentialId', 'id'])
@Index('operator_session_by_age', ['createdAt'])
export class OperatorSession {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @ForeignKey(() => Credential, { onDelete: 'CASCADE' })
  @Column({ type: 'text', collation: 'C' })
  credentialId!: string;

  /** Of the cookie's value, which only the browser keeps. */
  @Column({ type: 'bytea', unique: true })
  tokenSha256!: Buffer;

  /** The User-Agent at sign-in, truncated. */
  @Column('text')
  userAgent!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** At most a minute late. */
  @Column({ type: 'timestamptz', precision: 3 })
  lastUsedAt!: Date;
}
