import { base, inPortal } from '../api/base.js';

/** Which page shows an object, or which list contains it, by the form of its id. */
const pages: readonly (readonly [pattern: RegExp, path: (id: string) => string])[] = [
  [/^whd_\w+$/, (id) => `${base}/deliveries/${id}`],
  [/^evt_\w+$/, (id) => `${base}/events/${id}`],
  [/^rcv_\w+$/, (id) => `${base}/recoveries/${id}`],
  [/^whs_\w+$/, (id) => `${base}/endpoints/${id}`],
  [/^ord_\w+$/, (id) => `${base}/orders/${id}`],
  [/^pay_\w+$/, (id) => `${base}/payments/${id}`],
  [/^rfd_\w+$/, (id) => `${base}/refunds/${id}`],
  [/^inv_\w+$/, (id) => `${base}/invoices/${id}`],
  [/^(?:INV|CN)-\d+$/i, (number) => `${base}/invoices?number=${number.toUpperCase()}`],
  [/^off_\w+$/, (id) => `${base}/offers/${id}`],
  [/^chk_\w+$/, (id) => `${base}/checkouts/${id}`],
  [/^mem_\w+$/, (id) => `${base}/members?find=${id}`],
  [/^crd_\w+$/, (id) => `${base}/keys?find=${id}`],
  [/^ses_\w+$/, (id) => `${base}/sessions?find=${id}`],
  [/^aud_\w+$/, () => `${base}/audit-log`],
  // Only the audit log knows who created a portal link or session, and what it did.
  [/^(?:plk|pse)_\w+$/, (id) => `${base}/audit-log?resource=${id}`],
  [/^[a-z0-9_]+(?:\.[a-z0-9_]+)+$/, (id) => `${base}/event-types/${id}`],
];

/** Sales and the account: the portal does not show them. */
const outsidePortal =
  /^(?:(?:ord|pay|rfd|inv|off|chk|mem|crd|ses|aud|plk|pse)_\w+|(?:inv|cn)-\d+)$/i;

/** The path of the page for an id or a number; undefined if the input is neither. */
export function findTarget(input: string): string | undefined {
  const id = input.trim();
  const target = pages.find(([pattern]) => pattern.test(id))?.[1](id);
  return inPortal && outsidePortal.test(id) ? undefined : target;
}
