import { useLocation } from 'preact-iso';
import { useQuery } from '../../api/use-query.js';
import { ButtonLink } from '../../components/button.js';
import { checkoutsDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { SaleList } from './sale-list.js';
import { salePath } from './sale-paths.js';

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
      part={Boolean(cursor)}
      pager={
        (cursor || next) && (
          <nav class="row" aria-label={text.commerce.pages}>
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
