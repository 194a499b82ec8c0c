/** An instance of an entity's class from the values of all its columns. */
export function entityOf<Entity extends object>(
  type: new () => Entity,
  columns: { readonly [Column in keyof Entity]: Entity[Column] },
): Entity {
  return Object.assign(new type(), columns);
}
