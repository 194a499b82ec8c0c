import { base } from '../../api/base.js';
import type { RecoveryKind, recoveryQuery } from '../../generated/documents.js';

/** What someone chose in the form that starts a recovery. */
export interface RecoveryDraft {
  readonly endpoint: string;
  readonly what: RecoveryKind;
  /** As a field for date and time has it, in the reader's zone; '' for the default. */
  readonly since: string;
  readonly until: string;
  /** None for all types of the endpoint. */
  readonly eventTypes: readonly string[];
  readonly rate: string;
}

/** The fields that hold something that cannot be sent. */
type DraftIssues = Readonly<Partial<Record<'since' | 'until' | 'rate', true>>>;

/** The range of a recovery, as the service takes it. */
export interface RecoveryRange {
  readonly endpoint: string;
  readonly what: RecoveryKind;
  readonly since?: string;
  readonly until?: string;
  readonly eventTypes?: string[];
  readonly ratePerSecond: number;
}

type Query = Readonly<Record<string, string | undefined>>;

export const kinds: readonly RecoveryKind[] = ['both', 'failed', 'missed'];

/** The path of the list. */
export const recoveriesPath = `${base}/recoveries`;
const maxRate = 500;

/** The path of the form, for one endpoint. */
export function startPath(endpoint?: string): string {
  const path = `${recoveriesPath}/new`;
  return endpoint === undefined ? path : `${path}?${new URLSearchParams({ endpoint }).toString()}`;
}

/** The draft that a link to the form begins with. */
export function draftOf(query: Query): RecoveryDraft {
  return {
    endpoint: query['endpoint'] ?? '',
    what: kinds.find((each) => each === query['what']) ?? 'both',
    since: '',
    until: '',
    eventTypes: [],
    rate: '50',
  };
}

/** Finds what cannot be sent. */
export function issuesOf({ since, until, rate }: RecoveryDraft): DraftIssues {
  const amount = Number(rate);
  const isRate = /^\d+$/.test(rate.trim()) && amount >= 1 && amount <= maxRate;
  return {
    ...(!isTimeOrEmpty(since) && { since: true }),
    ...(!isTimeOrEmpty(until) && { until: true }),
    ...(!isRate && { rate: true }),
  };
}

/** The range of a draft; undefined while it has no endpoint or something that cannot be sent. */
export function rangeOf(draft: RecoveryDraft): RecoveryRange | undefined {
  const { endpoint, what, since, until, eventTypes, rate } = draft;
  if (endpoint === '' || Object.keys(issuesOf(draft)).length > 0) return undefined;
  return {
    endpoint,
    what,
    ...(since !== '' && { since: new Date(since).toISOString() }),
    ...(until !== '' && { until: new Date(until).toISOString() }),
    ...(eventTypes.length > 0 && { eventTypes: [...eventTypes].sort() }),
    ratePerSecond: Number(rate),
  };
}

function isTimeOrEmpty(value: string): boolean {
  return value === '' || !Number.isNaN(Date.parse(value));
}

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
