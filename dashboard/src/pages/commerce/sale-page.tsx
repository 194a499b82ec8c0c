import type { ComponentChildren } from 'preact';
import type { Query } from '../../api/use-query.js';
import { Card, Fact } from '../../components/card.js';
import { DataText } from '../../components/data-text.js';
import { Instant } from '../../components/instant.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import type { orderQuery } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { formatMoney } from './money.js';
import { type SaleKind, salePath } from './sale-paths.js';
import { MoneyText, SaleBadge, type SaleStatus } from './sale-values.js';
import './commerce.css';

const texts = text.commerce;

interface SalePageProps {
  readonly kind: SaleKind;
  readonly query: Pick<Query<unknown>, 'error' | 'reload'>;
  /** The title of the page. Defaults to its kind. */
  readonly title?: string | undefined;
  readonly status?: SaleStatus | undefined;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Kinds without a status. Pages of other kinds keep room for it while it loads. */
const withoutStatus: ReadonlySet<SaleKind> = new Set(['orders', 'invoices']);

/** The page of one object, with a link back to its list. */
export function SalePage({ kind, query, title, status, actions, children }: SalePageProps) {
  const name = title?.trim() ? title : texts.one[kind];
  return (
    <>
      <PageHeader
        title={name}
        heading={<DataText value={name} />}
        back={{ href: salePath(kind), label: texts.kinds[kind] }}
        lead={
          status ? <SaleBadge status={status} /> : withoutStatus.has(kind) ? undefined : '\u00a0'
        }
        actions={actions}
      />
      {query.error && <ErrorNotice error={query.error} retry={query.reload} />}
      {children}
    </>
  );
}

interface IdFactProps {
  readonly name: string;
  readonly kind: SaleKind;
  readonly ids: readonly (string | null)[];
}

/** Ids with links to their pages. Renders nothing without an id. */
export function IdFact({ name, kind, ids }: IdFactProps) {
  const known = ids.filter((id) => id !== null);
  return known.length === 0 ? null : (
    <Fact name={name}>
      {known.map((id) => (
        <div key={id}>
          <a class="mono" href={salePath(kind, id)}>
            {id}
          </a>
        </div>
      ))}
    </Fact>
  );
}

/** A text that others wrote. Renders nothing without a text. */
export function TextFact({
  name,
  value,
}: {
  readonly name: string;
  readonly value: string | null;
}) {
  return value ? (
    <Fact name={name}>
      <DataText value={value} />
    </Fact>
  ) : null;
}

interface TimeFactProps {
  readonly name: string;
  readonly at: string | null;
  /** Whether to show it in UTC, as documents do. */
  readonly utc?: boolean;
}

/** A time. Renders nothing without one. */
export function TimeFact({ name, at, utc = false }: TimeFactProps) {
  return at === null ? null : (
    <Fact name={name}>
      <Instant at={at} style={utc ? 'utc' : 'full'} />
    </Fact>
  );
}

/** The id of the object itself. */
export function OwnIdFact({ id }: { readonly id: string }) {
  return (
    <Fact name={texts.id}>
      <code>{id}</code>
    </Fact>
  );
}

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
              <SumRow key={name} name={name} minorUnits={minorUnits} currency={currency} />
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
