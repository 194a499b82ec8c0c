import { Books, type Stretch } from './books.js';
import type { StretchPlan } from './stretch-plan.js';

/**
 * Makes a stretch of history: the same plan makes the same amounts, people and moments, whatever
 * stands around it. Refunds and offers fall into the stretch of their order, so that each is whole by
 * itself.
 */
export function stretchOf(plan: StretchPlan): Stretch {
  const books = new Books(plan);
  for (let number = 0; number < plan.orders; number += 1) books.sell(number);
  return books.close();
}
