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
  | 'egress'
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

/** Creates a finding of level `error`; the command then exits with 1. */
export function problem(subject: Subject, detail: string): Finding {
  return { subject, level: 'error', detail };
}

/** Creates the finding of a check that did not finish in the time that all checks have. */
export function tooSlow(subject: Subject): Finding {
  return problem(subject, 'this check timed out: what it queries responds too slowly');
}

/** Formats the findings for a person, one line each. */
export function findingLines(findings: readonly Finding[]): string[] {
  return findings.map(({ subject, level, detail }) => `${level.padEnd(7)}  ${subject}: ${detail}`);
}
