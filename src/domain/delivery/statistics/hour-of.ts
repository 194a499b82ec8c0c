/** In SQL: the start of the hour of `instant`, in UTC. */
export const hourOf = (instant: string) =>
  `date_bin('1 hour', ${instant}, timestamptz '1970-01-01 00:00+00')`;
