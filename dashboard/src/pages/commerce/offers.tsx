import { useLocation, useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { execute } from '../../api/request.js';
import { can } from '../../api/session-state.js';
import { useAction } from '../../api/use-action.js';
import { refresh, useQuery } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { Card, Fact, Facts } from '../../components/card.js';
import { CopyButton } from '../../components/copy-button.js';
import { DataText } from '../../components/data-text.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { showToast } from '../../components/toast.js';
import {
  cancelOfferDocument,
  offerDocument,
  type offerQuery,
  offersDocument,
  resendOfferDocument,
  sendOfferDocument,
} from '../../generated/documents.js';
import { formatNumber } from '../../texts/format.js';
import { fill, text } from '../../texts/text.js';
import { NumberedPager, SaleList } from './sale-list.js';
import { IdFact, OwnIdFact, SalePage, TextFact, TimeFact, TotalsCard } from './sale-page.js';
import { pageNumber } from './sale-paths.js';

const texts = text.commerce;

/** The offers of the account. */
export function OffersPage() {
  const page = pageNumber(useLocation().query['page']);
  const query = useQuery(offersDocument, { page });
  const list = query.data?.offers;
  const rows = list?.data.map(({ id, title, recipientEmail, status, totals, ...offer }) => ({
    id,
    title,
    status,
    detail: recipientEmail,
    minorUnits: totals.totalMinorUnits,
    currency: offer.currency,
    at: offer.createdAt,
  }));

  return (
    <SaleList
      kind="offers"
      query={query}
      rows={rows}
      isPartial={page > 1}
      pager={<NumberedPager kind="offers" pagination={list?.pagination} />}
    />
  );
}

/** One offer: its content, its state and its actions. */
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

type Step = 'send' | 'resend' | 'cancel';

const requests: Readonly<Record<Step, (id: string) => Promise<unknown>>> = {
  send: (id) => execute(sendOfferDocument, { id }),
  resend: (id) => execute(resendOfferDocument, { id }),
  cancel: (id) => execute(cancelOfferDocument, { id }),
};

/** Sends an offer, mails it again, or withdraws it. Each asks for confirmation. */
export function OfferActions({ offer }: { readonly offer: offerQuery['offer'] }) {
  const [asking, setAsking] = useState<Step>();
  const { status } = offer;
  return (
    <>
      {status === 'draft' && (
        <Button kind="primary" onClick={() => setAsking('send')}>
          {texts.steps.send}
        </Button>
      )}
      {status === 'sent' && (
        <Button onClick={() => setAsking('resend')}>{texts.steps.resend}</Button>
      )}
      {(status === 'draft' || status === 'sent') && (
        <Button onClick={() => setAsking('cancel')}>{texts.steps.cancel}</Button>
      )}
      {asking && <StepDialog offer={offer} step={asking} onClose={() => setAsking(undefined)} />}
    </>
  );
}

interface StepDialogProps {
  readonly offer: offerQuery['offer'];
  readonly step: Step;
  readonly onClose: () => void;
}

function StepDialog({ offer, step, onClose }: StepDialogProps) {
  const changing = useAction(async () => {
    await requests[step](offer.id);
    refresh();
    showToast(texts.stepsDone[step]);
    onClose();
  });

  return (
    <ConfirmDialog
      title={texts.stepTitles[step]}
      action={texts.steps[step]}
      kind={step === 'cancel' ? 'danger' : 'primary'}
      busy={changing.running}
      error={changing.error}
      onConfirm={() => void changing.run()}
      onClose={onClose}
    >
      <p>
        <DataText value={fill(texts.stepDetails[step], { email: offer.recipientEmail })} />
      </p>
    </ConfirmDialog>
  );
}
