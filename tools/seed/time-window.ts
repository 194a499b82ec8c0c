import { LedgerBuilder, type TimeWindow } from './ledger-builder.js';
import type { TimeWindowPlan } from './time-window-plan.js';

/**
 * Generates one time window of history. The same plan always gives the same amounts, people and times.
 * Refunds and offers stay in the window of their order, so that each window is complete.
 */
export function generateTimeWindow(plan: TimeWindowPlan): TimeWindow {
  const ledgerBuilder = new LedgerBuilder(plan);
  for (let number = 0; number < plan.orders; number += 1) ledgerBuilder.addOrder(number);
  return ledgerBuilder.close();
}
