import { listByDocument, listByNumber } from '../api/pages.js';
import { runDocument } from '../api/run-document.js';
import { type CommonOptions, openContext } from '../context.js';
import { instantOf } from '../instant.js';
import { amount, member, status, time } from '../output/columns.js';
import { checkoutsDocument, type checkoutsQuery } from '../generated/documents.js';
import { snakeNames } from '../output/snake-names.js';
import type { Column } from '../output/table.js';

export interface CommerceListOptions extends CommonOptions {
  readonly limit: number;
  readonly email?: string;
  readonly since?: string;
  readonly until?: string;
}

type Item = Readonly<Record<string, unknown>>;
type Checkout = checkoutsQuery['checkouts']['data'][number];
type List = 'orders' | 'payments' | 'refunds';

const path = '/v1/commerce';

const columns: Readonly<Record<List, readonly Column<Item>[]>> = {
  orders: [
    member('id'),
    status(),
    {
      title: 'MINOR UNITS',
      text: ({ totals, currency }) => {
        const { total_minor_units: total } = totals as Item;
        return `${String(total)} ${String(currency)}`;
      },
    },
    member('external_reference', { title: 'REFERENCE', free: true, spare: 1 }),
    time('created_at', 'CREATED'),
  ],
  payments: [
    member('id'),
    status(),
    amount('amount_minor_units', 'MINOR UNITS'),
    member('order', { spare: 1 }),
    member('buyer_email', { title: 'BUYER', free: true, spare: 2 }),
    time('created_at', 'CREATED'),
  ],
  refunds: [
    member('id'),
    status(),
    amount('amount_minor_units', 'MINOR UNITS'),
    member('payment', { spare: 1 }),
    member('reason', { free: true, spare: 2 }),
    time('created_at', 'CREATED'),
  ],
};

export async function listItems(list: List, options: CommerceListOptions): Promise<void> {
  const { client, print } = openContext(options);
  const { email, since, until, limit } = options;
  const query = {
    buyer_email: email,
    created_from: instantOf(since) ?? undefined,
    created_to: instantOf(until) ?? undefined,
  };
  const { items, more } = await listByNumber<Item>(client, `${path}/${list}`, query, limit);
  print.rows(columns[list], items);
  if (more) print.note(`There are more: --limit ${limit * 2}.`);
}

export async function listCheckouts({
  limit,
  ...options
}: CommonOptions & { readonly limit: number }): Promise<void> {
  const { client, print } = openContext(options);
  const { items, more } = await listByDocument<Checkout>(
    async (page) => (await runDocument(client, checkoutsDocument, page)).checkouts,
    limit,
  );
  print.rows(
    [
      member('id'),
      status(),
      {
        title: 'MINOR UNITS',
        text: ({ totals }) => `${totals.totalMinorUnits} ${totals.currency}`,
      },
      { title: 'ORDER', spare: 1, text: ({ order }) => order?.id ?? '–' },
      member('externalReference', { title: 'REFERENCE', free: true, spare: 2 }),
      time('createdAt', 'CREATED'),
    ],
    items,
    snakeNames,
  );
  if (more) print.note(`There are more: --limit ${limit * 2}.`);
}

export async function showItem(
  list: List | 'checkouts',
  id: string,
  options: CommonOptions,
): Promise<void> {
  const { client, print } = openContext(options);
  const target = `${path}/${list}/${encodeURIComponent(id)}`;
  print.value((await client.call<{ data: Item }>({ path: target })).data);
}
