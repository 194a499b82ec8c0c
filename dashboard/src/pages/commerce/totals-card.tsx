import { Card } from '../../components/card.js';
import { DataText } from '../../components/data-text.js';
import type { orderQuery } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { formatMoney } from './money.js';
import { MoneyText } from './sale-values.js';

const texts = text.commerce;

interface TotalsCardProps {
  readonly totals: orderQuery['order']['totals'];
  readonly lineItems?: orderQuery['order']['lineItems'];
}

/** The items that were sold, and their totals. */
export function TotalsCard({ totals, lineItems = [] }: TotalsCardProps) {
  const { currency } = totals;
  const { subtotalMinorUnits, totalMinorUnits } = totals;

  // Line items show it already, and without discount, shipping and tax it equals the total.
  const hasSubtotal = lineItems.length === 0 && subtotalMinorUnits !== totalMinorUnits;
  const sums = [
    [texts.subtotal, hasSubtotal ? subtotalMinorUnits : 0],
    [texts.discount, -totals.discountMinorUnits],
    [texts.shipping, totals.shippingMinorUnits],
    [texts.tax, totals.taxMinorUnits],
  ] as const;

  return (
    <Card title={texts.totals}>
      <table class="sale-lines">
        <tbody>
          {lineItems.map((item, place) => (
            <tr key={place}>
              <th scope="row">
                <DataText value={item.product.name} />
                <div class="soft small">
                  {fill(texts.quantity, {
                    quantity: item.quantity,
                    each: formatMoney(item.unitAmountMinorUnits, currency),
                  })}
                </div>
              </th>
              <td>
                <MoneyText minorUnits={item.totalMinorUnits} currency={currency} />
              </td>
            </tr>
          ))}
          {sums
            .filter(([, minorUnits]) => minorUnits !== 0)
            .map(([name, minorUnits]) => (
              <SumRow key={name} {...{ name, minorUnits, currency }} />
            ))}
          <SumRow name={texts.total} minorUnits={totalMinorUnits} currency={currency} />
        </tbody>
      </table>
    </Card>
  );
}

interface SumRowProps {
  readonly name: string;
  readonly minorUnits: number;
  readonly currency: string;
}

function SumRow({ name, minorUnits, currency }: SumRowProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <MoneyText minorUnits={minorUnits} currency={currency} />
      </td>
    </tr>
  );
}
