import { base } from '../../api/base.js';

/** What the pages of sales list. */
export type SaleKind = 'orders' | 'payments' | 'refunds' | 'invoices' | 'offers' | 'checkouts';

export const saleKinds: readonly SaleKind[] = [
  'orders',
  'payments',
  'refunds',
  'invoices',
  'offers',
  'checkouts',
];

/** The path of a list, or of the page of one id. */
export function salePath(kind: SaleKind, id?: string): string {
  return id === undefined ? `${base}/${kind}` : `${base}/${kind}/${id}`;
}

/** The number of a page as its URL says; 1 for what is no number. */
export function pageNumber(value: string | undefined): number {
  const page = Number(value);
  return Number.isInteger(page) && page >= 1 && page <= 1_000_000 ? page : 1;
}
