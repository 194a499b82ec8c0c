/** The page of an object, by the prefix of its id. */
const pages: readonly (readonly [pattern: RegExp, path: (id: string) => string])[] = [
  [/^whd_\w+$/, (id) => `/dashboard/deliveries/${id}`],
  [/^evt_\w+$/, (id) => `/dashboard/events/${id}`],
  [/^rcv_\w+$/, (id) => `/dashboard/recoveries/${id}`],
  [/^whs_\w+$/, (id) => `/dashboard/endpoints/${id}`],
  [/^ord_\w+$/, (id) => `/dashboard/orders/${id}`],
  [/^pay_\w+$/, (id) => `/dashboard/payments/${id}`],
  [/^rfd_\w+$/, (id) => `/dashboard/refunds/${id}`],
  [/^inv_\w+$/, (id) => `/dashboard/invoices/${id}`],
  [/^off_\w+$/, (id) => `/dashboard/offers/${id}`],
  [/^chk_\w+$/, (id) => `/dashboard/checkouts/${id}`],
];

/** The path of the page that shows an id; undefined for a text that is no id of such an object. */
export function findTarget(input: string): string | undefined {
  const id = input.trim();
  return pages.find(([pattern]) => pattern.test(id))?.[1](id);
}
