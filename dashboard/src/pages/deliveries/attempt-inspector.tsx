import { base } from '../../api/base.js';
import { useQuery } from '../../api/use-query.js';
import { Card, Fact, Facts } from '../../components/card.js';
import { DataText } from '../../components/data-text.js';
import { ErrorNotice, Notice } from '../../components/notice.js';
import { Instant } from '../../components/instant.js';
import { JsonView } from '../../components/json-view.js';
import { deliveryDocument, type deliveryQuery } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { useEventBody } from '../events/use-event-body.js';
import { AnswerText } from './answer-text.js';
import { AttemptLine } from './attempt-line.js';
import { RequestCard, ResponseCard } from './evidence-cards.js';
import { Replay } from './replay.js';
import { SignedText } from './signed-text.js';
import { StatusBadge } from './status-badge.js';
import { Waterfall } from './waterfall.js';

type Delivery = deliveryQuery['delivery'];

/** Everything that is known of one attempt. */
export function AttemptInspector({ id }: { readonly id: string }) {
  const { data, error, reload } = useQuery(deliveryDocument, { id });
  if (error) return <ErrorNotice error={error} retry={reload} />;
  if (!data) return <div class="card card-body inspector-waiting" aria-busy="true" />;
  return <Inspected delivery={data.delivery} />;
}

function Inspected({ delivery }: { readonly delivery: Delivery }) {
  const { id, eventId, endpoint, evidence } = delivery;
  const { body, hidden, error } = useEventBody(eventId);
  const texts = text.attempt;
  const time = evidence?.requestHeaders.find(({ name }) => name === 'webhook-timestamp')?.value;
  return (
    <>
      <AttemptFacts delivery={delivery} />
      {evidence?.failure && (
        <Notice kind="warn" title={texts.failure}>
          <p>
            <DataText value={evidence.failure} />
          </p>
        </Notice>
      )}
      {evidence?.warning && (
        <Notice kind="warn" title={texts.warning}>
          <p>
            <DataText value={evidence.warning} />
          </p>
        </Notice>
      )}
      <Replay id={id} />
      <AttemptLine event={eventId} endpoint={endpoint?.id} current={id} />
      {evidence ? (
        <>
          <Card title={texts.timing}>
            <Waterfall timings={evidence.timings} />
          </Card>
          <ResponseCard evidence={evidence} />
        </>
      ) : (
        <p class="soft small">{texts.noEvidence}</p>
      )}
      <RequestCard url={evidence?.url ?? endpoint?.url} evidence={evidence}>
        {hidden && <p class="soft">{texts.bodyHidden}</p>}
        {error && <ErrorNotice error={error} />}
        {body !== undefined && <JsonView label={texts.body} value={body} />}
      </RequestCard>
      {body !== undefined && <SignedText eventId={eventId} time={time} body={body} />}
    </>
  );
}

function AttemptFacts({ delivery }: { readonly delivery: Delivery }) {
  const { id, status, eventId, eventType, endpoint, attempt, maxAttempts } = delivery;
  const { createdAt, nextAttemptAt, replayedFrom, evidence, test } = delivery;
  const texts = text.attempt;
  return (
    <Card
      title={eventType}
      actions={
        <>
          {test && <span class="tag small">{text.deliveries.test}</span>}
          <StatusBadge status={status} />
        </>
      }
    >
      <Facts>
        <Fact name={texts.answer}>
          <AnswerText delivery={delivery} />
        </Fact>
        <Fact name={texts.attempt}>
          {fill(text.deliveries.attemptOf, { attempt, max: maxAttempts })}
        </Fact>
        <Fact name={texts.began}>
          <Instant at={createdAt} />
        </Fact>
        <Fact name={texts.nextAttempt}>
          {nextAttemptAt ? <Instant at={nextAttemptAt} /> : texts.noneFollows}
        </Fact>
        <Fact name={texts.endpoint}>
          {endpoint ? (
            <a href={`${base}/endpoints/${endpoint.id}`}>
              <DataText value={endpoint.url} />
            </a>
          ) : (
            text.deliveries.deletedEndpoint
          )}
        </Fact>
        <Fact name={texts.event}>
          <a class="mono" href={`${base}/events/${eventId}`}>
            {eventId}
          </a>
        </Fact>
        <Fact name={texts.id}>
          <code>{id}</code>
        </Fact>
        {replayedFrom && (
          <Fact name={texts.replayOf}>
            <a class="mono" href={`${base}/deliveries/${replayedFrom}`}>
              {replayedFrom}
            </a>
          </Fact>
        )}
        {evidence?.address && (
          <Fact name={texts.address}>
            <code>{evidence.address}</code>
          </Fact>
        )}
        {evidence?.tlsVersion && <Fact name={texts.tls}>{evidence.tlsVersion}</Fact>}
      </Facts>
    </Card>
  );
}
