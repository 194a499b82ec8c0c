import { Column, ForeignKey, PrimaryColumn } from '../typeorm.js';
import { Account } from './account.entity.js';

/** The columns of rows that an account owns. */
export abstract class Owned {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @ForeignKey(() => Account)
  @Column({ type: 'text', collation: 'C' })
  accountId!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
