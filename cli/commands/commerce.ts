import type { Command } from 'commander';
import { runDocument } from '../api/client.js';
import { listByDocument, listByPath, noteMore } from '../api/lists.js';
import {
  addSubcommand,
  type CommonOptions,
  openContext,
  timestampOf,
  withLimit,
} from '../command.js';
import { checkoutsDocument, type checkoutsQuery } from '../generated/documents.js';
import { snakeNames } from '../output/printer.js';
import { amount, type Column, member, status, time } from '../output/table.js';

interface ListOptions extends CommonOptions {
  readonly limit: number;
  readonly email?: string;
  readonly since?: string;
  readonly until?: string;
}

type Item = Readonly<Record<string, unknown>>;
type Checkout = checkoutsQuery['checkouts']['data'][number];
type Kind = 'orders' | 'payments' | 'refunds';

export function defineCheckouts(checkouts: Command): void {
  withLimit(
    addSubcommand(checkouts, 'list', 'Lists checkouts, newest first.', [
      'checkouts list --limit 50',
    ]),
  ).action((options: ListOptions) => listCheckouts(options));
  defineShow(checkouts, 'checkouts', 'checkout', 'chk_0VbeRhOlkXOcxEyI4jhxxL8g');
}

export function defineOrders(orders: Command): void {
  defineList(orders, 'orders');
  defineShow(orders, 'orders', 'order', 'ord_0VbeRhQcP9GyL82d0PHN0ITf');
}

export function definePayments(payments: Command): void {
  defineList(payments, 'payments')
    .option('--email <address>', 'only payments of this buyer')
    .option('--since <time>', 'created at or after: 10m, 2h, 7d, or an RFC 3339 time')
    .option('--until <time>', 'created at or before: 10m, 2h, 7d, or an RFC 3339 time');
  defineShow(payments, 'payments', 'payment', 'pay_0VbeRhVKaLlKfiLBDwd9EBm9');
}

export function defineRefunds(refunds: Command): void {
  defineList(refunds, 'refunds');
  defineShow(refunds, 'refunds', 'refund', 'rfd_0VbeRiJVu3vhidH1UJssdsmV');
}

function defineList(group: Command, kind: Kind): Command {
  return withLimit(
    addSubcommand(group, 'list', `Lists ${kind}, newest first.`, [`${kind} list --limit 50`]),
  ).action((options: ListOptions) => listItems(kind, options));
}

function defineShow(group: Command, kind: Kind | 'checkouts', one: string, example: string): void {
  addSubcommand(group, 'show <id>', `Shows one ${one}.`, [`${kind} show ${example}`]).action(
    (id: string, options: CommonOptions) => showItem(kind, id, options),
  );
}

const columns: Readonly<Record<Kind, readonly Column<Item>[]>> = {
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

async function listItems(kind: Kind, options: ListOptions): Promise<void> {
  const { client, print } = openContext(options);
  const { email, since, until, limit } = options;
  const query = {
    buyer_email: email,
    created_from: timestampOf(since) ?? undefined,
    created_to: timestampOf(until) ?? undefined,
  };

  const { items, more } = await listByPath(client, `/v1/commerce/${kind}`, query, limit);
  print.rows(columns[kind], items);
  if (more) noteMore(print, limit);
}

async function listCheckouts({ limit, ...options }: ListOptions): Promise<void> {
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

  if (more) noteMore(print, limit);
}

async function showItem(
  kind: Kind | 'checkouts',
  id: string,
  options: CommonOptions,
): Promise<void> {
  const { client, print } = openContext(options);
  print.value((await client.request('GET', `/v1/commerce/${kind}/{id}`, { path: { id } })).data);
}
