import { useRoute } from 'preact-iso';
import { useQuery } from '../../api/use-query.js';
import { Card, Facts } from '../../components/card.js';
import { checkoutDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { IdFact, OwnIdFact, SalePage, TextFact, TimeFact } from './sale-page.js';
import { TotalsCard } from './totals-card.js';

const texts = text.commerce;

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
