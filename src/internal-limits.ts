import { Turns } from './database/turns.js';

/** Operations of internal GraphQL that one process works on. */
export const operationsAtOnce = 500;

/** Each takes some hundred milliseconds and megabytes. */
const largeBodiesAtOnce = { atOnce: 2, waiting: 20, patienceMs: 5_000 };

/** Makes what lets two bodies of more than a megabyte be worked on at once. */
export function makeLargeBodies(): () => Promise<() => void> {
  const turns = new Turns(largeBodiesAtOnce);
  return () => turns.take('body');
}
