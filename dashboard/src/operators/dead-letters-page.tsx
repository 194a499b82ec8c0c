import { useLocation } from 'preact-iso';
import { useRepeat, useQuery } from '../api/use-query.js';
import { ButtonLink } from '../components/button.js';
import { EmptyState, LoadingCard } from '../components/card.js';
import { DataText } from '../components/data-text.js';
import { Instant } from '../components/instant.js';
import { ErrorNotice } from '../components/notice.js';
import { PageHeader } from '../components/page-header.js';
import { deadLettersDocument } from '../generated/operator-documents.js';
import { fill } from '../texts/text.js';
import { paths } from './paths.js';
import { operatorText } from './texts.js';

const texts = operatorText.deadLetters;
const everyMs = 10_000;
const pageSize = 100;

/** The dead letters of all accounts, oldest first. */
export function DeadLettersPage() {
  const after = useLocation().query['after'];
  const { data, error, loading, reload } = useQuery(deadLettersDocument, {
    ...(after && { after }),
  });
  useRepeat(reload, everyMs, true);

  const rows = data?.deadLetters;
  const last = rows?.length === pageSize ? rows.at(-1) : undefined;
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      {error && <ErrorNotice error={error} retry={reload} />}
      {!rows && loading && <LoadingCard />}
      {rows && rows.length > 0 && (
        <div class="card">
          <ul class="rows">
            {rows.map(({ id, reason, eventType, attempt, accountId, since }) => (
              <li key={id}>
                <div class="row-main">
                  <a class="mono" href={`${paths.deadLetters}/${id}`}>
                    {id}
                  </a>
                  <span>
                    <DataText value={reason} />
                  </span>
                </div>
                <div class="row-main small">
                  <span>
                    <DataText value={eventType} /> · {fill(texts.attempt, { attempt })}
                  </span>
                  <span class="soft">
                    <a href={`${paths.accounts}/${accountId}`}>{accountId}</a> · {texts.since}{' '}
                    <Instant at={since} style="short" />
                  </span>
                </div>
              </li>
            ))}
          </ul>
        </div>
      )}
      {rows?.length === 0 && <EmptyState title={texts.empty}>{texts.emptyDetail}</EmptyState>}
      {(after || last) && (
        <nav class="row" aria-label={texts.title}>
          {after && <ButtonLink href={paths.deadLetters}>{texts.first}</ButtonLink>}
          {last && (
            <ButtonLink href={`${paths.deadLetters}?after=${last.id}`}>{texts.later}</ButtonLink>
          )}
        </nav>
      )}
    </>
  );
}
