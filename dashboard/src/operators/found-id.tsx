import { useQuery } from '../api/use-query.js';
import { ButtonLink } from '../components/button.js';
import { Card } from '../components/card.js';
import { CopyButton } from '../components/copy-button.js';
import { DataText } from '../components/data-text.js';
import { ErrorNotice } from '../components/error-notice.js';
import { Fact, Facts } from '../components/facts.js';
import { Instant } from '../components/instant.js';
import { eventsAboutDocument, type lookUpIdQuery } from '../generated/operator-documents.js';
import { endpointPath, paths, searchPath } from './paths.js';
import { operatorText } from './texts.js';

export type Lookup = NonNullable<lookUpIdQuery['lookup']>;

const texts = operatorText.lookup;

/** What an id names, and where to go on. */
export function FoundId({ lookup }: { readonly lookup: Lookup }) {
  const { id, kind, found, accountId, subject, logQuery } = lookup;
  return (
    <>
      <Card title={texts.kinds[kind]}>
        <p class="mono">{id}</p>
        {logQuery !== null && <LogQuery query={logQuery} />}
        {logQuery === null && !found && <p>{texts.gone}</p>}
        <Belongings lookup={lookup} />
        <Onward lookup={lookup} />
      </Card>
      {accountId !== null && subject !== null && (
        <EventsAbout account={accountId} subject={subject} />
      )}
    </>
  );
}

function Belongings({ lookup }: { readonly lookup: Lookup }) {
  const { madeAt, accountId, accountName, endpointId, eventId, resourceId } = lookup;
  return (
    <Facts>
      {madeAt !== null && (
        <Fact name={texts.made}>
          <Instant at={madeAt} />
        </Fact>
      )}
      {accountId !== null && (
        <Fact name={texts.account}>
          <a href={`${paths.accounts}/${accountId}`}>
            <DataText value={accountName ?? accountId} />
          </a>
        </Fact>
      )}
      {accountId !== null && endpointId !== null && (
        <Fact name={texts.endpoint}>
          <a class="mono" href={endpointPath(accountId, endpointId)}>
            {endpointId}
          </a>
        </Fact>
      )}
      {eventId !== null && (
        <Fact name={texts.event}>
          <a class="mono" href={`${paths.events}/${eventId}`}>
            {eventId}
          </a>
        </Fact>
      )}
      {resourceId !== null && (
        <Fact name={texts.resource}>
          <a class="mono" href={searchPath(resourceId)}>
            <DataText value={resourceId} />
          </a>
        </Fact>
      )}
    </Facts>
  );
}

/** The page that answers most questions about it. */
function Onward({ lookup }: { readonly lookup: Lookup }) {
  const { found, accountId, endpointId, eventId } = lookup;
  if (!found || accountId === null) return null;
  const onward =
    eventId !== null
      ? { href: `${paths.events}/${eventId}`, label: texts.toEvent }
      : endpointId !== null
        ? { href: endpointPath(accountId, endpointId), label: texts.toEndpoint }
        : { href: `${paths.accounts}/${accountId}`, label: texts.toAccount };
  return (
    <div class="row">
      <ButtonLink href={onward.href}>{onward.label}</ButtonLink>
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
      <p>{texts.request}</p>
      <ul class="rows">
        {commands.map((command) => (
          <li key={command}>
            <code class="row-main">{command}</code>
            <CopyButton value={command} label={texts.command} />
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
    <Card title={texts.events}>
      {error && <ErrorNotice error={error} retry={reload} />}
      {data && events.length === 0 && <p>{texts.noEvents}</p>}
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
      {data?.events.page.hasMore && <p class="field-hint">{texts.moreEvents}</p>}
    </Card>
  );
}
