import { formatMoney } from './money.js';

interface MoneyTextProps {
  readonly minorUnits: number;
  readonly currency: string;
}

/** An amount, in digits of one width. */
export function MoneyText({ minorUnits, currency }: MoneyTextProps) {
  return <span class="money">{formatMoney(minorUnits, currency)}</span>;
}
