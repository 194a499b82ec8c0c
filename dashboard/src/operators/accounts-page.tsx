import { useLocation } from 'preact-iso';
import { useQuery } from '../api/use-query.js';
import { Button, ButtonLink } from '../components/button.js';
import { Card, EmptyState, Fact, Facts, LoadingCard } from '../components/card.js';
import { CopyButton } from '../components/copy-button.js';
import { DataText } from '../components/data-text.js';
import { Instant } from '../components/instant.js';
import { ErrorNotice } from '../components/notice.js';
import { PageHeader } from '../components/page-header.js';
import {
  accountsDocument,
  lookUpIdDocument,
  eventsAboutDocument,
  type lookUpIdQuery,
} from '../generated/operator-documents.js';
import { text } from '../texts/text.js';
import { paths, searchPath, endpointPath } from './paths.js';
import { Search } from './search.js';
import { operatorText } from './texts.js';

type Lookup = NonNullable<lookUpIdQuery['lookup']>;

const texts = operatorText.accounts;
const lookupTexts = operatorText.lookup;

/** All accounts, and what a search for an id found. The URL holds the search and the page. */
export function AccountsPage() {
  const { query, route } = useLocation();
  const { search, cursor } = query;
  const { data, error, loading, reload } = useQuery(accountsDocument, {
    ...(search && { search }),
    ...(cursor && { cursor }),
  });

  const lookedUp = useQuery(search ? lookUpIdDocument : undefined, { text: search ?? '' });
  const lookup = lookedUp.data?.lookup ?? undefined;
  const searching = search !== undefined && search !== '' && lookedUp.loading;

  // A search that is too long for a name may still contain an id.
  const refusal = lookup ? undefined : error;
  const rows = data?.accounts.data;
  const next = data?.accounts.page.nextCursor;
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      <Search key={search} search={search ?? ''} error={refusal} />
      {refusal && <ErrorNotice error={refusal} retry={reload} />}
      {lookedUp.error && <ErrorNotice error={lookedUp.error} retry={lookedUp.reload} />}
      {/* If the id is that of a listed account, the list shows it. */}
      {lookup && !rows?.some(({ id }) => id === lookup.id) && <LookupResult lookup={lookup} />}
      {!rows && loading && <LoadingCard />}
      {rows && rows.length > 0 && (
        <div class="card">
          <ul class="rows" aria-busy={loading}>
            {rows.map(({ id, name, createdAt }) => (
              <li key={id}>
                <div class="row-main">
                  <a href={`${paths.accounts}/${id}`}>
                    <DataText value={name} />
                  </a>
                  <code class="soft small">{id}</code>
                </div>
                <span class="soft small">
                  {texts.created} <Instant at={createdAt} style="short" />
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {rows?.length === 0 && !searching && !lookup && (
        <EmptyState title={search ? texts.empty : texts.none}>
          {search ? texts.emptyDetail : texts.noneDetail}
        </EmptyState>
      )}
      {(cursor || next) && (
        <nav class="row" aria-label={texts.title}>
          {cursor && <ButtonLink href={searchPath(search)}>{text.common.first}</ButtonLink>}
          {next && (
            <Button onClick={() => route(searchPath(search, next))}>{text.common.next}</Button>
          )}
        </nav>
      )}
    </>
  );
}

/** What an id names, with a link to its page. */
function LookupResult({ lookup }: { readonly lookup: Lookup }) {
  const { id, kind, found, accountId, subject, logQuery } = lookup;
  return (
    <>
      <Card title={lookupTexts.kinds[kind]}>
        <p class="mono">{id}</p>
        {logQuery !== null && <LogQuery query={logQuery} />}
        {logQuery === null && !found && <p>{lookupTexts.gone}</p>}
        <LookupFacts lookup={lookup} />
        <NextPage lookup={lookup} />
      </Card>
      {accountId !== null && subject !== null && (
        <EventsAbout account={accountId} subject={subject} />
      )}
    </>
  );
}

function LookupFacts({ lookup }: { readonly lookup: Lookup }) {
  const { madeAt, accountId, accountName, endpointId, eventId, resourceId } = lookup;
  return (
    <Facts>
      {madeAt !== null && (
        <Fact name={lookupTexts.made}>
          <Instant at={madeAt} />
        </Fact>
      )}
      {accountId !== null && (
        <Fact name={lookupTexts.account}>
          <a href={`${paths.accounts}/${accountId}`}>
            <DataText value={accountName ?? accountId} />
          </a>
        </Fact>
      )}
      {accountId !== null && endpointId !== null && (
        <Fact name={lookupTexts.endpoint}>
          <a class="mono" href={endpointPath(accountId, endpointId)}>
            {endpointId}
          </a>
        </Fact>
      )}
      {eventId !== null && (
        <Fact name={lookupTexts.event}>
          <a class="mono" href={`${paths.events}/${eventId}`}>
            {eventId}
          </a>
        </Fact>
      )}
      {resourceId !== null && (
        <Fact name={lookupTexts.resource}>
          <a class="mono" href={searchPath(resourceId)}>
            <DataText value={resourceId} />
          </a>
        </Fact>
      )}
    </Facts>
  );
}

/** Links to the page that answers most questions about the id. */
function NextPage({ lookup }: { readonly lookup: Lookup }) {
  const { found, accountId, endpointId, eventId } = lookup;
  if (!found || accountId === null) return null;

  const next =
    eventId !== null
      ? { href: `${paths.events}/${eventId}`, label: lookupTexts.toEvent }
      : endpointId !== null
        ? { href: endpointPath(accountId, endpointId), label: lookupTexts.toEndpoint }
        : { href: `${paths.accounts}/${accountId}`, label: lookupTexts.toAccount };

  return (
    <div class="row">
      <ButtonLink href={next.href}>{next.label}</ButtonLink>
    </div>
  );
}

function LogQuery({ query }: { readonly query: string }) {
  const commands = [
    `kubectl logs --selector app.kubernetes.io/component=api --prefix --tail=-1 | ${query}`,
    `docker compose logs api | ${query}`,
  ];

  return (
    <>
      <p>{lookupTexts.request}</p>
      <ul class="rows">
        {commands.map((command) => (
          <li key={command}>
            <code class="row-main">{command}</code>
            <CopyButton value={command} label={lookupTexts.command} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface EventsAboutProps {
  readonly account: string;
  readonly subject: string;
}

function EventsAbout({ account, subject }: EventsAboutProps) {
  const { data, error, reload } = useQuery(eventsAboutDocument, { account, subject });
  const events = data?.events.data ?? [];
  return (
    <Card title={lookupTexts.events}>
      {error && <ErrorNotice error={error} retry={reload} />}
      {data && events.length === 0 && <p>{lookupTexts.noEvents}</p>}
      {events.length > 0 && (
        <ul class="rows">
          {events.map(({ id, type, occurredAt }) => (
            <li key={id}>
              <div class="row-main">
                <DataText value={type} />
                <a class="mono small" href={`${paths.events}/${id}`}>
                  {id}
                </a>
              </div>
              <span class="soft small">
                <Instant at={occurredAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {data?.events.page.hasMore && <p class="field-hint">{lookupTexts.moreEvents}</p>}
    </Card>
  );
}
