import { Account } from '../account/account.entity.js';
import { Column, Entity, ForeignKey, PrimaryColumn } from '../typeorm.js';
import type { PortalTheme } from './portal-theme.js';

/** Who may frame the portal of an account, and how it looks. */
@Entity('portal_settings')
export class PortalSettings {
  @ForeignKey(() => Account)
  @PrimaryColumn({ type: 'text', collation: 'C' })
  accountId!: string;

  @Column({ type: 'jsonb' })
  origins!: readonly string[];

  @Column({ type: 'jsonb' })
  theme!: PortalTheme;

  /** A `data:` URL. */
  @Column({ type: 'text', nullable: true })
  logo!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt!: Date;
}
