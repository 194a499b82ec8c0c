/**
 * In SQL: the smallest id of the rows that are still listed, which are those of the last 30 days, in
 * base62 as `smallestId` writes it. This bound on the id lets the planner skip older partitions.
 */
export const oldestListedId = (prefix: 'evt' | 'whd') => `(
  select '${prefix}_' || string_agg(
    substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
           (t.ms / (62 ^ p.place)::bigint % 62)::int + 1, 1), '' order by p.place desc)
    from (select (extract(epoch from now() - interval '30 days') * 1000)::bigint as ms) t
    cross join generate_series(0, 7) p (place))`;
