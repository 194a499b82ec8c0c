import { Check, Column, Entity, PrimaryColumn } from '../domain/typeorm.js';

/** Which older versions may run on this schema (ADR 0052); one row. */
@Entity('schema_compatibility')
@Check('schema_compatibility_id_check', 'id')
export class SchemaCompatibility {
  @PrimaryColumn({ type: 'boolean', default: true })
  id!: boolean;

  /** Name of the last migration that a version must know. */
  @Column({ type: 'text', collation: 'C' })
  oldest!: string;
}
