import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { RequestError } from '../../api/request-error.js';
import { useFocusOnRefusal } from '../../api/use-focus-on-refusal.js';
import { useQuery } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { TextField } from '../../components/text-field.js';
import { paymentsDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { pageNumber, salePath } from './sale-paths.js';
import { NumberedPager, SaleList } from './sale-list.js';

const texts = text.commerce;

/** The payments of the account, of all buyers or of one. */
export function PaymentsPage() {
  const { query: url } = useLocation();
  const page = pageNumber(url['page']);
  const buyer = url['buyer'];
  const query = useQuery(paymentsDocument, { page, ...(buyer && { buyerEmail: buyer }) });
  const list = query.data?.payments;
  const rows = list?.data.map(({ id, buyerEmail, status, amountMinorUnits, ...payment }) => ({
    ...{ id, status, title: buyerEmail, detail: id },
    ...{ minorUnits: amountMinorUnits, currency: payment.currency, at: payment.createdAt },
  }));
  return (
    <SaleList
      kind="payments"
      query={query}
      rows={rows}
      part={page > 1 || Boolean(buyer)}
      pager={<NumberedPager kind="payments" pagination={list?.pagination} />}
    >
      <BuyerFilter key={buyer} buyer={buyer ?? ''} error={query.error} />
    </SaleList>
  );
}

interface BuyerFilterProps {
  readonly buyer: string;
  readonly error: RequestError | undefined;
}

function BuyerFilter({ buyer, error }: BuyerFilterProps) {
  const { route } = useLocation();
  const [typed, setTyped] = useState(buyer);
  const form = useFocusOnRefusal(error);
  return (
    <form
      ref={form}
      class="row buyer-filter"
      noValidate
      role="search"
      aria-label={texts.buyerFilter}
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = typed.trim();
        const query = new URLSearchParams({ buyer: wanted }).toString();
        route(wanted === '' ? salePath('payments') : `${salePath('payments')}?${query}`);
      }}
    >
      <TextField
        label={texts.buyerFilter}
        labelHidden
        placeholder={texts.buyerFilter}
        type="search"
        value={typed}
        error={error?.fields['buyer_email']}
        onInput={setTyped}
      />
      <Button type="submit">{texts.show}</Button>
    </form>
  );
}
