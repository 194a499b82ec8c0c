import { LedgerBuilder, type TimeWindow } from './ledger-builder.js';
import type { TimeWindowPlan } from './time-window-plan.js';

/**
 * Makes a stretch of history: the same plan makes the same amounts, people and moments, whatever
 * stands around it. Refunds and offers fall into the stretch of their order, so that each is whole by
 * itself.
 */
export function generateTimeWindow(plan: TimeWindowPlan): TimeWindow {
  const ledgerBuilder = new LedgerBuilder(plan);
  for (let number = 0; number < plan.orders; number += 1) ledgerBuilder.addOrder(number);
  return ledgerBuilder.close();
}
