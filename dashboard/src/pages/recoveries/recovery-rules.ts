import { base } from '../../api/base.js';
import type { RecoveryKind, recoveryQuery } from '../../generated/documents.js';

/** What someone chose in the form that starts a recovery. */
export interface RecoveryDraft {
  readonly endpoint: string;
  readonly what: RecoveryKind;
  /** As a date and time field holds it, in the reader's time zone; '' for the default. */
  readonly since: string;
  readonly until: string;
  /** Empty for all types of the endpoint. */
  readonly eventTypes: readonly string[];
  readonly rate: string;
}

/** The fields whose values cannot be sent. */
type DraftIssues = Readonly<Partial<Record<'since' | 'until' | 'rate', true>>>;

/** The range of a recovery, as the service expects it. */
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

/** The path of the form, optionally for one endpoint. */
export function startPath(endpoint?: string): string {
  const path = `${recoveriesPath}/new`;
  return endpoint === undefined ? path : `${path}?${new URLSearchParams({ endpoint }).toString()}`;
}

/** The draft that a link to the form starts with. */
export function draftOf(query: Query): RecoveryDraft {
  return {
    endpoint: query['endpoint'] ?? '',
    what: kinds.find((kind) => kind === query['what']) ?? 'both',
    since: '',
    until: '',
    eventTypes: [],
    rate: '50',
  };
}

/** Finds the fields whose values cannot be sent. */
export function issuesOf({ since, until, rate }: RecoveryDraft): DraftIssues {
  const amount = Number(rate);
  const isRate = /^\d+$/.test(rate.trim()) && amount >= 1 && amount <= maxRate;
  return {
    ...(!isTimeOrEmpty(since) && { since: true }),
    ...(!isTimeOrEmpty(until) && { until: true }),
    ...(!isRate && { rate: true }),
  };
}

/** The range of a draft; undefined while the endpoint is missing or a field cannot be sent. */
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

/** The share of its range that a recovery has read, 0 to 1. */
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

/** Whether its numbers can still change on their own. */
export function isMoving(recovery: Pick<Recovery, 'status' | 'waiting' | 'retrying'>): boolean {
  return recovery.status === 'running' || recovery.waiting + recovery.retrying > 0;
}

/** A duration in the largest unit of which it has at least two, rounded up. */
export function durationOf(seconds: number): {
  readonly unit: 'second' | 'minute' | 'hour';
  readonly count: number;
} {
  if (seconds < 120) return { unit: 'second', count: seconds };
  if (seconds < 7_200) return { unit: 'minute', count: Math.ceil(seconds / 60) };
  return { unit: 'hour', count: Math.ceil(seconds / 3_600) };
}
