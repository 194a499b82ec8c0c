import { useRoute } from 'preact-iso';
import { can } from '../../api/session-state.js';
import { useQuery } from '../../api/use-query.js';
import { Card, Fact, Facts } from '../../components/card.js';
import { CopyButton } from '../../components/copy-button.js';
import { DataText } from '../../components/data-text.js';
import { offerDocument, type offerQuery } from '../../generated/documents.js';
import { formatNumber } from '../../texts/format.js';
import { text } from '../../texts/text.js';
import { OfferActions } from './offer-actions.js';
import { IdFact, OwnIdFact, SalePage, TextFact, TimeFact } from './sale-page.js';
import { TotalsCard } from './totals-card.js';

const texts = text.commerce;

/** One offer: what it says, how far it is, and what can be done with it. */
export function OfferPage() {
  const query = useQuery(offerDocument, { id: useRoute().params['id'] ?? '' });
  const offer = query.data?.offer;
  return (
    <SalePage
      kind="offers"
      query={query}
      title={offer?.title}
      status={offer?.status}
      actions={offer && can('orders', 'write') && <OfferActions offer={offer} />}
    >
      {offer && (
        <>
          <OfferCard offer={offer} />
          <TotalsCard totals={offer.totals} lineItems={offer.lineItems} />
        </>
      )}
    </SalePage>
  );
}

function OfferCard({ offer }: offerQuery) {
  return (
    <Card title={texts.one.offers}>
      <div class="copyable">
        <code>
          <DataText value={offer.offerUrl} />
        </code>
        <CopyButton value={offer.offerUrl} label={texts.offerUrl} />
      </div>
      <Facts>
        <TextFact name={texts.recipient} value={offer.recipientEmail} />
        <TextFact name={texts.message} value={offer.message} />
        <Fact name={texts.mails}>{formatNumber(offer.sendCount)}</Fact>
        <TimeFact name={texts.created} at={offer.createdAt} />
        <TimeFact name={texts.sent} at={offer.sentAt} />
        <TimeFact name={texts.expires} at={offer.expiresAt} />
        <TimeFact name={texts.accepted} at={offer.acceptedAt} />
        <TimeFact name={texts.cancelled} at={offer.cancelledAt} />
        <IdFact name={texts.one.orders} kind="orders" ids={[offer.order]} />
        <OwnIdFact id={offer.id} />
      </Facts>
    </Card>
  );
}
