/** Makes an instance of an entity's class; the compiler requires a value for every column. */
export function entityOf<Entity extends object>(
  type: new () => Entity,
  columns: { readonly [Column in keyof Entity]: Entity[Column] },
): Entity {
  return Object.assign(new type(), columns);
}
