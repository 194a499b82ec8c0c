import { text } from '../../texts/text.js';
import { formatMoney } from './money.js';

const kinds: Readonly<Record<string, string>> = {
  succeeded: 'badge-good',
  completed: 'badge-good',
  accepted: 'badge-good',
  sent: 'badge-good',
  partially_refunded: 'badge-warn',
  pending: 'badge-warn',
  charged_back: 'badge-bad',
  failed: 'badge-bad',
};

/** A state that an object of a sale can have. */
export type SaleStatus = keyof typeof text.commerce.statuses;

/** The state of an object of a sale: a dot with its word. */
export function SaleBadge({ status }: { readonly status: SaleStatus }) {
  return <span class={`badge ${kinds[status] ?? ''}`}>{text.commerce.statuses[status]}</span>;
}

interface MoneyTextProps {
  readonly minorUnits: number;
  readonly currency: string;
}

/** An amount, in digits of one width. */
export function MoneyText({ minorUnits, currency }: MoneyTextProps) {
  return <span class="money">{formatMoney(minorUnits, currency)}</span>;
}
