/** What a check is about. */
export type Subject =
  | 'settings'
  | 'database'
  | 'migrations'
  | 'connections'
  | 'notifications'
  | 'secrets'
  | 'deliveries'
  | 'workers'
  | 'payments'
  | 'invoices'
  | 'queue'
  | 'mail';

/** The result of one check. */
export interface Finding {
  readonly subject: Subject;
  readonly level: 'ok' | 'warning' | 'error';
  /** What the check found and, for a problem, the next step. */
  readonly detail: string;
}

export function ok(subject: Subject, detail: string): Finding {
  return { subject, level: 'ok', detail };
}

export function warning(subject: Subject, detail: string): Finding {
  return { subject, level: 'warning', detail };
}

/** Makes a finding of level `error`, which lets the command fail. */
export function problem(subject: Subject, detail: string): Finding {
  return { subject, level: 'error', detail };
}

/** A check that had not ended when the time for all of them was over. */
export function tooSlow(subject: Subject): Finding {
  return problem(subject, 'this check did not end in time: what it asks answers too slowly');
}

/** Formats the findings for a person, one line each. */
export function findingLines(findings: readonly Finding[]): string[] {
  return findings.map(({ subject, level, detail }) => `${level.padEnd(7)}  ${subject}: ${detail}`);
}
