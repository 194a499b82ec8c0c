/** PostgreSQL's clock, which each answer corrects. */
export interface EventClock {
  now(): Promise<Date>;
  corrected<Answer extends { readonly clockMs: number }>(
    statement: () => Promise<Answer>,
  ): Promise<Answer>;
}
