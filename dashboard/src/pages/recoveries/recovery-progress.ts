import type { recoveryQuery } from '../../generated/documents.js';

/** A recovery as the pages show it. */
export type Recovery = recoveryQuery['recovery'];

type Progress = Pick<Recovery, 'status' | 'since' | 'until' | 'position'>;

/** How much of its range a recovery has read, 0 to 1. */
export function shareRead({ status, since, until, position }: Progress): number {
  if (status === 'completed') return 1;
  const start = Date.parse(since);
  const end = Date.parse(until);
  if (end <= start) return 0;
  return Math.min(1, Math.max(0, (Date.parse(position) - start) / (end - start)));
}

/** Whether it can still add deliveries. */
export function isActive({ status }: Pick<Recovery, 'status'>): boolean {
  return status === 'running' || status === 'paused';
}

/** Whether its numbers can change without anyone doing something. */
export function isMoving(recovery: Pick<Recovery, 'status' | 'waiting' | 'retrying'>): boolean {
  return recovery.status === 'running' || recovery.waiting + recovery.retrying > 0;
}

/** A duration in the largest unit that it has two of, rounded up. */
export function durationOf(seconds: number): {
  readonly unit: 'second' | 'minute' | 'hour';
  readonly count: number;
} {
  if (seconds < 120) return { unit: 'second', count: seconds };
  if (seconds < 7_200) return { unit: 'minute', count: Math.ceil(seconds / 60) };
  return { unit: 'hour', count: Math.ceil(seconds / 3_600) };
}
