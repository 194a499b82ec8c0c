/** The result of one check. */
export interface Finding {
  readonly subject:
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
  readonly level: 'ok' | 'warning' | 'error';
  /** What the check found and, for a problem, the next step. */
  readonly detail: string;
}

/** Formats the findings for a person, one line each. */
export function findingLines(findings: readonly Finding[]): string[] {
  return findings.map(({ subject, level, detail }) => `${level.padEnd(7)}  ${subject}: ${detail}`);
}
