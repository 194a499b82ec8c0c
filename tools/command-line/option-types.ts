import { InvalidArgumentError } from 'commander';

/** A parser of whole numbers from `min` to `max` for commander's options. */
export function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`Must be a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}
