import { base } from '../../api/base.js';

/** The kinds of objects that have a list. */
export type SaleKind = 'orders' | 'payments' | 'refunds' | 'invoices' | 'offers' | 'checkouts';

export const saleKinds: readonly SaleKind[] = [
  'orders',
  'payments',
  'refunds',
  'invoices',
  'offers',
  'checkouts',
];

/** The path of a list, or of the page of one object. */
export function salePath(kind: SaleKind, id?: string): string {
  return id === undefined ? `${base}/${kind}` : `${base}/${kind}/${id}`;
}

/** Which objects a list shows, read from its URL. */
export interface SaleFilter {
  readonly buyer?: string;
  /** The number of an invoice or a credit note. */
  readonly number?: string;
  /** The first and the last day, in UTC, such as "2026-11-20". */
  readonly from?: string;
  readonly to?: string;
}

type Query = Readonly<Record<string, string | undefined>>;

/** Whether a list is filtered by the number of an invoice or a credit note. */
export function hasNumber(kind: SaleKind): boolean {
  return kind !== 'payments';
}

/** Reads the filter from a URL. The service validates its values. */
export function readSaleFilter(kind: SaleKind, query: Query): SaleFilter {
  const names = ['buyer', ...(hasNumber(kind) ? ['number'] : []), 'from', 'to'];
  const given = names.map((name) => [name, query[name]?.trim() ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/** The path of a list with a filter. */
export function filteredPath(kind: SaleKind, filter: SaleFilter): string {
  const query = new URLSearchParams({ ...filter });
  return query.size === 0 ? salePath(kind) : `${salePath(kind)}?${query.toString()}`;
}

/** The variables of a list. */
export function saleVariables({ buyer, number, from, to }: SaleFilter, page: number) {
  return {
    page,
    ...(buyer !== undefined && { buyerEmail: buyer }),
    ...(number !== undefined && { number }),
    ...(from !== undefined && { createdFrom: from }),
    ...(to !== undefined && { createdTo: to }),
  };
}

/** The page number in a URL; 1 if it is not a number. */
export function pageNumber(value: string | undefined): number {
  const page = Number(value);
  return Number.isInteger(page) && page >= 1 && page <= 1_000_000 ? page : 1;
}
