/** A promise of the service that something broke. */
class InvariantViolation extends Error {
  override readonly name = 'BrokenPromise';
}

/** @throws BrokenPromise unless `kept` */
export function invariant(kept: boolean, violation: string): asserts kept {
  if (!kept) throw new InvariantViolation(violation);
}
