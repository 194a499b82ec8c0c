// `require`, because Node reads all files of an imported CommonJS package twice (ADR 0020).
import typeorm = require('typeorm');

/** TypeORM's decorators for entities. */
export const { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } = typeorm;

/** TypeORM’s condition for a column that is null. */
export const { IsNull } = typeorm;

/** Creates an instance of an entity. The compiler requires a value for every column. */
export function entityOf<Entity extends object>(
  type: new () => Entity,
  columns: { readonly [Column in keyof Entity]: Entity[Column] },
): Entity {
  return Object.assign(new type(), columns);
}
