import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../src/database/database.js';
import { type ErasureView, getErasure } from '../../src/domain/erasure/erasures.js';
import { runErasureStep } from '../../src/domain/erasure/run-step.js';
import type { CommandResult } from './admin-action.js';

/** Who requested the erasures of the command line, in their records. */
export const requester = 'command';

/** Takes steps beside the workers, until the erasure has nothing to do but wait. */
export async function followErasure(database: Database, id: string): Promise<ErasureView> {
  for (;;) {
    const step = await runErasureStep(database.transact, { id });
    const erasure = step && !step.completed ? undefined : await getErasure(database.read, id);
    if (erasure && (erasure.status === 'completed' || erasure.waiting)) return erasure;
    // A worker takes the step.
    if (!step) await delay(100);
  }
}

/** Prints an erasure that {@link followErasure} returned. */
export function resultOf(erasure: ErasureView): CommandResult {
  const { id, status, counts } = erasure;
  const outcome =
    status === 'completed'
      ? `${id} is completed.`
      : `${id} has erased this. Workers look again in about two minutes, then complete it.`;
  return { value: erasure, lines: [...linesOf(counts), outcome] };
}

/** One line for each table. */
export function linesOf(counts: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts).map(([table, rows]) => `${table}  ${rows}`);
}
