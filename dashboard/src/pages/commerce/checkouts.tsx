import { useLocation, useRoute } from 'preact-iso';
import { useQuery } from '../../api/use-query.js';
import { ButtonLink } from '../../components/button.js';
import { Card, Facts } from '../../components/card.js';
import { checkoutDocument, checkoutsDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { SaleList } from './sale-list.js';
import { IdFact, OwnIdFact, SalePage, TextFact, TimeFact, TotalsCard } from './sale-page.js';
import { salePath } from './sale-paths.js';

const texts = text.commerce;

/** The checkouts of the account. */
export function CheckoutsPage() {
  const cursor = useLocation().query['cursor'];
  const query = useQuery(checkoutsDocument, { ...(cursor && { cursor }) });
  const list = query.data?.checkouts;
  const rows = list?.data.map(({ id, status, externalReference, createdAt, totals }) => ({
    id,
    status,
    title: externalReference,
    detail: id,
    at: createdAt,
    minorUnits: totals.totalMinorUnits,
    currency: totals.currency,
  }));

  const next = list?.page.nextCursor;
  const path = salePath('checkouts');
  return (
    <SaleList
      kind="checkouts"
      query={query}
      rows={rows}
      isPartial={Boolean(cursor)}
      pager={
        (cursor || next) && (
          <nav class="row" aria-label={texts.pages}>
            {cursor && <ButtonLink href={path}>{text.common.first}</ButtonLink>}
            {next && (
              <ButtonLink href={`${path}?${new URLSearchParams({ cursor: next }).toString()}`}>
                {text.common.next}
              </ButtonLink>
            )}
          </nav>
        )
      }
    />
  );
}

/** One checkout: the amount to pay, and the URLs of the buyer. */
export function CheckoutPage() {
  const query = useQuery(checkoutDocument, { id: useRoute().params['id'] ?? '' });
  const checkout = query.data?.checkout;
  return (
    <SalePage
      kind="checkouts"
      query={query}
      title={checkout?.externalReference}
      status={checkout?.status}
    >
      {checkout && (
        <>
          <Card title={texts.one.checkouts}>
            <Facts>
              <TimeFact name={texts.created} at={checkout.createdAt} />
              <TimeFact name={texts.expires} at={checkout.expiresAt} />
              <IdFact name={texts.one.orders} kind="orders" ids={[checkout.order?.id ?? null]} />
              <TextFact name={texts.checkoutUrl} value={checkout.checkoutUrl} />
              <TextFact name={texts.successUrl} value={checkout.successUrl} />
              <TextFact name={texts.cancelUrl} value={checkout.cancelUrl} />
              <OwnIdFact id={checkout.id} />
            </Facts>
          </Card>
          <TotalsCard totals={checkout.totals} />
        </>
      )}
    </SalePage>
  );
}
