/**
 * In SQL: the record $2 of the account $1, as `d`. Uses a range in order on purpose. Before
 * PostgreSQL 18, two equalities could be planned as a walk through all records of the account. That
 * happens while tables are empty, in an index that has the status between the two columns.
 */
export const oneDelivery = `(
      select * from delivery where account_id = $1 and id between $2 and $2
       order by id desc limit 1) d`;
