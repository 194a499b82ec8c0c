import { Check, Column } from '../typeorm.js';

/** Amounts in minor units of one currency; `total = subtotal - discount + shipping + tax`. */
export class Totals {
  /** ISO 4217, upper case. */
  @Column('text')
  currency!: string;

  @Column('bigint')
  subtotalMinorUnits!: number;

  @Column('bigint')
  discountMinorUnits!: number;

  @Column('bigint')
  shippingMinorUnits!: number;

  @Column('bigint')
  taxMinorUnits!: number;

  @Column('bigint')
  totalMinorUnits!: number;
}

/** Adds the constraints that every table with {@link Totals} has, under the table's names. */
export function TotalsChecks(table: string): ClassDecorator {
  return (target) => {
    for (const amount of ['subtotal', 'discount', 'shipping', 'tax', 'total']) {
      const column = `${amount}_minor_units`;
      Check(`${table}_${column}_check`, `${column} >= 0`)(target);
    }
    Check(`${table}_currency_check`, `currency ~ '^[A-Z]{3}$'`)(target);
    Check(
      `${table}_totals_check`,
      'total_minor_units = subtotal_minor_units - discount_minor_units + shipping_minor_units + tax_minor_units',
    )(target);
  };
}
