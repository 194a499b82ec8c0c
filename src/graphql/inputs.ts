import { type ErrorEntry, validationFailed } from '../domain/errors.js';

/** The keys of `T` that may hold null or be absent. */
type Optional<T> = {
  [Key in keyof T]-?: null extends T[Key] ? Key : undefined extends T[Key] ? Key : never;
}[keyof T];

/** `T` with null left out: what it does not hold is absent. */
export type Present<T> = Omit<T, Optional<T>> & {
  [Key in Optional<T>]?: NonNullable<T[Key]>;
};

/** Leaves out members that are null or undefined, for inputs where both mean "not given". */
export function present<T extends object>(input: T): Present<T> {
  const given = Object.entries(input).filter(([, value]) => value != null);
  return Object.fromEntries(given) as Present<T>;
}

/**
 * A patch as the domain takes it: absent members stay absent, and null is allowed only in
 * `nullable` (H19).
 * @throws DomainError validation_failed with `invalid_type` for every other null
 */
export function patch<T extends object, Key extends keyof T & string>(
  input: T,
  nullable: readonly Key[],
): Present<Omit<T, Key>> & { [Name in Key]?: Exclude<T[Name], undefined> } {
  const errors: ErrorEntry[] = [];
  for (const [name, value] of Object.entries(input)) {
    if (value !== null || (nullable as readonly string[]).includes(name)) continue;
    errors.push({ code: 'invalid_type', detail: 'Must not be null.', param: spelt(name) });
  }
  if (errors.length > 0) throw validationFailed(errors);
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as ReturnType<typeof patch<T, Key>>;
}

/** Refusals name fields as the public interface spells them, on either door. */
function spelt(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
