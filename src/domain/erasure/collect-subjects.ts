import { mailboxIn } from '../email.js';
import type { Stage } from './stage.js';
import { walkStage, type Walk } from './walk.js';

const position = [{ name: 'position', type: 'integer' }];
const id = [{ name: 'id', type: 'text' }];

const isSubject = (column: string) =>
  `${column} in (select s.resource_id from erasure_subject s where s.erasure_id = $5)`;

/** Finds resources and erases nothing, so the stage counts none. @param ids an array in SQL */
const collect = (found: string, ids = 'array[f.id]') => `
    with found as (${found}), kept as (
      insert into erasure_subject (erasure_id, resource_id)
      select distinct $5::text, c.id from found f cross join lateral unnest(${ids}) c (id)
       where c.id is not null
      on conflict do nothing
    )
    select 0 as found`;

const payments: Walk = {
  table: 'payment',
  key: position,
  buyer: `${mailboxIn('buyer_email', 'r.')} = $4`,
};

/**
 * Finds what is the buyer's: payments by the address, and their orders, refunds, invoices, checkouts
 * and offers; orders and invoices with the address; offers to it and their checkouts; checkouts with it.
 */
export const collectStages: readonly Stage[] = [
  walkStage(
    payments,
    (rows) =>
      collect(
        `select r.id, r.order_id from payment r where ${rows}`,
        `array[f.id, f.order_id, (select o.checkout_id from "order" o where o.id = f.order_id),
             (select x.id from offer x where x.order_id = f.order_id)]
         || array(select x.id from refund x where x.payment_id = f.id)
         || array(select x.id from invoice x where x.payment_id = f.id)`,
      ),
    { name: 'collect_payment' },
  ),
  // An invoice keeps its buyer when the payment no longer has the address.
  ...['order', 'invoice'].map((table) =>
    byAddress({ table, key: position }, `(r.buyer ->> 'email')`, (rows, isBuyer) =>
      collect(`select r.id from "${table}" r where ${rows} and ${isBuyer}`),
    ),
  ),
  byAddress({ table: 'offer', key: position }, 'r.recipient_email', (rows, isBuyer) =>
    collect(`select r.id from offer r where ${rows} and ${isBuyer}`),
  ),
  byAddress({ table: 'checkout', key: id }, 'r.buyer_email', (rows, isBuyer) =>
    collect(
      `select r.id from checkout r where ${rows} and (${isBuyer} or ${isSubject('r.offer_id')})`,
    ),
  ),
];

/** @param address of the rows, in SQL */
function byAddress(
  walk: Walk,
  address: string,
  action: (rows: string, isBuyer: string) => string,
): Stage {
  const isBuyer = `${address} = any ($4::text[])`;
  return walkStage(walk, (rows) => action(rows, isBuyer), {
    name: `collect_${walk.table}`,
    address,
  });
}
