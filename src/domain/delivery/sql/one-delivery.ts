/**
 * In SQL: the one record $2 of the account $1, as `d`. By a range in order, because before PostgreSQL 18
 * two equalities could be planned, while tables were empty, as a walk through all of the account's records
 * in an index that has the status between them.
 */
export const oneDelivery = `(
      select * from delivery where account_id = $1 and id between $2 and $2
       order by id desc limit 1) d`;
