import type { Command } from 'commander';
import { leaf, limited } from './leaf.js';
import type { CommerceListOptions } from '../actions/commerce.js';
import type { CommonOptions } from '../context.js';

const load = () => import('../actions/commerce.js');

/** Adds `checkouts`, `orders`, `payments` and `refunds`. */
export function addCommerceCommands(program: Command): void {
  const checkouts = program.command('checkouts').description('Checkouts: what buyers pay.');
  limited(
    leaf(checkouts, 'list', 'Lists checkouts, newest first.', ['checkouts list --limit 50']),
  ).action(async (options: CommonOptions & { limit: number }) =>
    (await load()).listCheckouts(options),
  );
  leaf(checkouts, 'show <id>', 'Shows one checkout.', [
    'checkouts show chk_0VbeRhOlkXOcxEyI4jhxxL8g',
  ]).action(async (id: string, options: CommonOptions) =>
    (await load()).showItem('checkouts', id, options),
  );
  const lists = [
    ['orders', 'order', 'ord_0VbeRhQcP9GyL82d0PHN0ITf'],
    ['payments', 'payment', 'pay_0VbeRhVKaLlKfiLBDwd9EBm9'],
    ['refunds', 'refund', 'rfd_0VbeRiJVu3vhidH1UJssdsmV'],
  ] as const;
  for (const [name, one, example] of lists) {
    const group = program.command(name).description(`${name[0]?.toUpperCase()}${name.slice(1)}.`);
    const list = limited(
      leaf(group, 'list', `Lists ${name}, newest first.`, [`${name} list --limit 50`]),
    );
    if (name === 'payments') {
      list
        .option('--email <address>', 'only those of this buyer')
        .option('--since <time>', 'begun then or later: 10m, 2h, 7d, or an RFC 3339 time')
        .option('--until <time>', 'begun then or earlier: 10m, 2h, 7d, or an RFC 3339 time');
    }
    list.action(async (options: CommerceListOptions) => (await load()).listItems(name, options));
    leaf(group, 'show <id>', `Shows one ${one}.`, [`${name} show ${example}`]).action(
      async (id: string, options: CommonOptions) => (await load()).showItem(name, id, options),
    );
  }
}
