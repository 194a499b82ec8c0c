import { InvalidArgumentError } from 'commander';

/** Returns a parser of integers from `min` to `max` for options of commander. */
export function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`Must be an integer from ${min} to ${max}.`);
    }
    return value;
  };
}
