import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { base } from '../../api/base.js';
import type { RequestError } from '../../api/request-error.js';
import { can } from '../../api/session-state.js';
import { useQuery } from '../../api/use-query.js';
import { ButtonLink } from '../../components/button.js';
import { Card, Fact, Facts } from '../../components/card.js';
import { DataText } from '../../components/data-text.js';
import { SelectField } from '../../components/fields.js';
import { Instant } from '../../components/instant.js';
import { JsonView } from '../../components/json-view.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import {
  deliveriesDocument,
  eventAtEndpointDocument,
  type eventAtEndpointQuery,
  eventBodyDocument,
  eventDocument,
} from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { hostOf } from '../endpoints/host.js';
import { useEndpointOptions } from '../endpoints/use-endpoint-options.js';
import { deliveriesPath, pathOfList } from './delivery-filter.js';
import { answerOf } from './outcome.js';
import './deliveries.css';

const texts = text.attempt;

/** One event: its content, and its attempts. */
export function EventPage() {
  const id = useRoute().params['id'] ?? '';
  const { data, error, reload } = useQuery(eventDocument, { id });
  const content = useEventBody(id);
  const event = data?.event;
  const title = event?.type ?? text.event.one;
  return (
    <>
      <PageHeader
        title={title}
        heading={<DataText value={title} />}
        back={{ href: deliveriesPath, label: text.deliveries.title }}
        lead={event?.test && <span class="tag small">{text.event.test}</span>}
        actions={<ButtonLink href={pathOfList({ event: id })}>{text.event.inList}</ButtonLink>}
      />
      {error && <ErrorNotice error={error} retry={reload} />}
      {event && (
        <>
          <Card title={text.event.one}>
            <Facts>
              <Fact name={text.event.occurred}>
                <Instant at={event.occurredAt} />
              </Fact>
              <Fact name={text.event.subject}>
                <DataText value={event.subject} />
              </Fact>
              <Fact name={text.event.version}>{event.version}</Fact>
              <Fact name={text.event.id}>
                <code>{event.id}</code>
              </Fact>
            </Facts>
          </Card>
          <AttemptLine event={id} />
          <WhyNot event={id} />
          <Card title={text.attempt.body}>
            {content.hidden && <p class="soft">{text.attempt.bodyHidden}</p>}
            {content.error && <ErrorNotice error={content.error} />}
            {content.body !== undefined && (
              <JsonView label={text.attempt.body} value={content.body} />
            )}
          </Card>
        </>
      )}
    </>
  );
}

/** Why an endpoint did not get the event, for the endpoint that the viewer chooses. */
function WhyNot({ event }: { readonly event: string }) {
  const [endpoint, setEndpoint] = useState('');
  const endpoints = useEndpointOptions().data ?? [];
  const { data, error } = useQuery(endpoint === '' ? undefined : eventAtEndpointDocument, {
    event,
    endpoint,
  });

  return (
    <Card title={text.event.why}>
      <SelectField
        label={text.event.whyEndpoint}
        value={endpoint}
        options={[
          ['', text.event.whyChoose],
          ...endpoints.map(({ id, url }) => [id, url] as const),
        ]}
        onChange={setEndpoint}
      />
      {error && <ErrorNotice error={error} />}
      <div role="status">{endpoint !== '' && data && <Answer answer={data.trail} />}</div>
    </Card>
  );
}

type AnswerOfEndpoint = eventAtEndpointQuery['trail'];

/** What became of an event at an endpoint, and why. */
export function Answer({ answer }: { readonly answer: AnswerOfEndpoint }) {
  const { state, at, ahead, dueAt, filter, filterChangedAt, matches } = answer;
  const happened = (text.event.whyAt as Readonly<Partial<Record<typeof state, string>>>)[state];
  return (
    <>
      <p>{fill(text.event.whyStates[state], { ahead: ahead ?? 0 })}</p>
      <Facts>
        {happened !== undefined && at !== null && (
          <Fact name={happened}>
            <Instant at={at} />
          </Fact>
        )}
        {dueAt !== null && (
          <Fact name={text.event.whyDue}>
            <Instant at={dueAt} />
          </Fact>
        )}
        {filter !== null && (
          <Fact name={text.event.whyFilter}>
            <code>
              <DataText value={filter} />
            </code>
          </Fact>
        )}
        {matches !== null && (
          <Fact name={text.event.whyMatches}>{matches ? text.event.yes : text.event.no}</Fact>
        )}
        {filterChangedAt !== null && state !== 'filter_changed' && (
          <Fact name={text.event.whyFilterChanged}>
            <Instant at={filterChangedAt} />
          </Fact>
        )}
      </Facts>
    </>
  );
}

interface AttemptLineProps {
  readonly event: string;
  /** Only the attempts of this endpoint. */
  readonly endpoint?: string | undefined;
  /** The attempt that the page shows. */
  readonly current?: string;
}

/** The attempts of an event on one line, oldest first. */
export function AttemptLine({ event, endpoint, current }: AttemptLineProps) {
  const { data } = useQuery(deliveriesDocument, { event, ...(endpoint && { endpoint }) });
  const attempts = data?.deliveries.data ?? [];
  return (
    <Card title={texts.line}>
      <p class="field-hint">{endpoint ? texts.lineHint : texts.lineHintEvent}</p>
      <ol class="attempt-line" aria-busy={!data}>
        {[...attempts].reverse().map((delivery) => {
          const { id, status, attempt, createdAt } = delivery;
          // Without an endpoint, the line has attempts of several.
          const host = endpoint || !delivery.endpoint ? '' : hostOf(delivery.endpoint.url);
          const answer = answerOf(delivery) ?? texts.noAnswer;
          const label = fill(texts.lineEntry, {
            attempt,
            status: text.deliveries.statuses[status],
            answer,
          }).concat(host && `, ${host}`);

          return (
            <li key={id}>
              <a
                href={`${base}/deliveries/${id}`}
                aria-current={id === current ? 'page' : undefined}
                aria-label={label}
                title={label}
                class={`attempt-dot attempt-${status}`}
              >
                {attempt}
              </a>
              {host && (
                <span class="attempt-host small">
                  <DataText value={host} />
                </span>
              )}
              <span class="small">{answer}</span>
              <span class="small soft">
                <Instant at={createdAt} style="short" />
              </span>
            </li>
          );
        })}
      </ol>
      {data?.deliveries.page.hasMore && (
        <p class="field-hint">{fill(texts.lineMore, { count: attempts.length })}</p>
      )}
    </Card>
  );
}

interface EventBody {
  /** The body that every attempt sends. */
  readonly body: string | undefined;
  /** True if the viewer may not read it. */
  readonly hidden: boolean;
  readonly error: RequestError | undefined;
}

/** Reads the body of an event if the viewer may read orders. */
export function useEventBody(id: string): EventBody {
  const allowed = can('orders', 'read');
  const { data, error } = useQuery(allowed ? eventBodyDocument : undefined, { id });
  return { body: data?.event.body, hidden: !allowed, error };
}
