import { useRoute } from 'preact-iso';
import { useQuery } from '../../api/use-query.js';
import { ButtonLink } from '../../components/button.js';
import { Card, Fact, Facts } from '../../components/card.js';
import { DataText } from '../../components/data-text.js';
import { Instant } from '../../components/instant.js';
import { JsonView } from '../../components/json-view.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { eventDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { deliveriesPath, pathOfList } from './delivery-filter.js';
import { AttemptLine, useEventBody } from './event-parts.js';
import './deliveries.css';

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
