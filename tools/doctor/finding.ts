/** One thing that was examined. */
export interface Finding {
  readonly subject:
    | 'settings'
    | 'database'
    | 'migrations'
    | 'connections'
    | 'notifications'
    | 'secrets'
    | 'deliveries'
    | 'payments'
    | 'invoices'
    | 'queue'
    | 'mail';
  readonly level: 'ok' | 'warning' | 'error';
  /** What is so, and if it is wrong, what to do. */
  readonly detail: string;
}

/** The findings for a person, one line each. */
export function findingLines(findings: readonly Finding[]): string[] {
  return findings.map(({ subject, level, detail }) => `${level.padEnd(7)}  ${subject}: ${detail}`);
}
