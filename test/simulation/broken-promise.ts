/** A promise of the service that something broke. */
class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

/** @throws BrokenPromise unless `kept` */
export function promised(kept: boolean, broken: string): asserts kept {
  if (!kept) throw new BrokenPromise(broken);
}
