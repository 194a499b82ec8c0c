import { base, inPortal } from '../api/base.js';

/** The page of an object, by the prefix of its id. */
const pages: readonly (readonly [pattern: RegExp, path: (id: string) => string])[] = [
  [/^whd_\w+$/, (id) => `${base}/deliveries/${id}`],
  [/^evt_\w+$/, (id) => `${base}/events/${id}`],
  [/^rcv_\w+$/, (id) => `${base}/recoveries/${id}`],
  [/^whs_\w+$/, (id) => `${base}/endpoints/${id}`],
  [/^ord_\w+$/, (id) => `${base}/orders/${id}`],
  [/^pay_\w+$/, (id) => `${base}/payments/${id}`],
  [/^rfd_\w+$/, (id) => `${base}/refunds/${id}`],
  [/^inv_\w+$/, (id) => `${base}/invoices/${id}`],
  [/^off_\w+$/, (id) => `${base}/offers/${id}`],
  [/^chk_\w+$/, (id) => `${base}/checkouts/${id}`],
];

/** The path of the page that shows an id; undefined for a text that is no id of such an object. */
export function findTarget(input: string): string | undefined {
  const id = input.trim();
  const target = pages.find(([pattern]) => pattern.test(id))?.[1](id);
  const isSale = /^(?:ord|pay|rfd|inv|off|chk)_/.test(id);
  return inPortal && isSale ? undefined : target;
}
