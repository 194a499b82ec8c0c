import type { ComponentChildren } from 'preact';
import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { base } from '../../api/base.js';
import { execute } from '../../api/request.js';
import { can } from '../../api/session-state.js';
import { useAction } from '../../api/use-action.js';
import { refresh, useQuery } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { Card, Fact, Facts } from '../../components/card.js';
import { DataText } from '../../components/data-text.js';
import { Instant } from '../../components/instant.js';
import { CodeText, JsonView } from '../../components/json-view.js';
import { ErrorNotice, Notice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import {
  deliveryDocument,
  type deliveryQuery,
  replayDeliveryDocument,
  type replayDeliveryMutation,
} from '../../generated/documents.js';
import { useShortcuts } from '../../shell/shortcuts.js';
import { fill, text } from '../../texts/text.js';
import { families, signedParts, timingPhases, type Timings } from './attempt-rules.js';
import { deliveriesPath } from './delivery-filter.js';
import { AttemptLine, useEventBody } from './event-page.js';
import { AnswerText, StatusBadge } from './outcome.js';
import './deliveries.css';

const texts = text.attempt;

/** One attempt on its own page. */
export function DeliveryPage() {
  const id = useRoute().params['id'] ?? '';
  return (
    <>
      <PageHeader
        title={fill(texts.titleOf, { id })}
        heading={texts.title}
        back={{ href: deliveriesPath, label: text.deliveries.title }}
      />
      <AttemptInspector key={id} id={id} />
    </>
  );
}

type Delivery = deliveryQuery['delivery'];

/** Everything that is known about one attempt. */
export function AttemptInspector({ id }: { readonly id: string }) {
  const { data, error, reload } = useQuery(deliveryDocument, { id });
  if (error) return <ErrorNotice error={error} retry={reload} />;
  if (!data) return <div class="card card-body inspector-waiting" aria-busy="true" />;
  return <Inspected delivery={data.delivery} />;
}

function Inspected({ delivery }: { readonly delivery: Delivery }) {
  const { id, eventId, endpoint, evidence } = delivery;
  const { body, hidden, error } = useEventBody(eventId);
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

type Evidence = NonNullable<deliveryQuery['delivery']['evidence']>;

interface RequestCardProps {
  readonly url: string | undefined;
  readonly evidence: Evidence | null;
  /** The body, or the reason why it is not shown. */
  readonly children: ComponentChildren;
}

/** What the service sent. */
export function RequestCard({ url, evidence, children }: RequestCardProps) {
  return (
    <Card title={texts.request}>
      {url !== undefined && (
        <p class="mono request-line">
          <strong>{texts.method}</strong> <DataText value={url} />
        </p>
      )}
      {evidence && (
        <>
          <HeadersTable headers={evidence.requestHeaders} />
          <p class="field-hint">{texts.signaturesHidden}</p>
        </>
      )}
      <h3>{texts.body}</h3>
      {children}
    </Card>
  );
}

/** What the receiver sent back. */
export function ResponseCard({ evidence }: { readonly evidence: Evidence }) {
  const { responseHeaders, responseBody } = evidence;
  return (
    <Card title={texts.response}>
      {responseHeaders ? (
        <HeadersTable headers={responseHeaders} />
      ) : (
        <p class="soft">{texts.noResponse}</p>
      )}
      {responseHeaders && (
        <>
          <h3>{texts.body}</h3>
          {responseBody ? (
            <Body body={responseBody} />
          ) : (
            <p class="soft">{can('orders', 'read') ? texts.noBody : texts.responseHidden}</p>
          )}
        </>
      )}
    </Card>
  );
}

function Body({ body }: { readonly body: NonNullable<Evidence['responseBody']> }) {
  const { content, encoding, truncated } = body;
  return (
    <>
      {encoding === 'hex' ? (
        <>
          <p class="field-hint">{texts.hex}</p>
          <CodeText label={texts.body} value={content.replace(/(..)(?=.)/g, '$1 ')} />
        </>
      ) : (
        <JsonView label={texts.body} value={content} />
      )}
      {truncated && <p class="field-hint">{texts.truncated}</p>}
    </>
  );
}

interface HeadersTableProps {
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

/** The headers of a request or a response. */
export function HeadersTable({ headers }: HeadersTableProps) {
  return (
    <table class="headers small">
      <caption class="visually-hidden">{texts.headers}</caption>
      <tbody>
        {headers.map(({ name, value }, place) => (
          <tr key={place}>
            <th scope="row">
              <DataText value={name} />
            </th>
            <td>
              <DataText value={value} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface SignedTextProps {
  readonly eventId: string;
  /** Undefined if the headers of the attempt are not kept. */
  readonly time: string | undefined;
  readonly body: string;
}

/** Explains how a receiver verifies this attempt, with the signed text. */
export function SignedText({ eventId, time, body }: SignedTextProps) {
  const [family, setFamily] = useState<(typeof families)[number]>('service');
  const parts = signedParts(family, { eventId, time: time ?? texts.timeOf, body });
  const named = parts.filter(({ name }) => name !== 'stop');
  return (
    <Card title={texts.signature}>
      <p class="soft">{texts.signatureLead}</p>
      <fieldset class="themes signed-family">
        <legend class="visually-hidden">{texts.signature}</legend>
        {families.map((choice) => (
          <label key={choice}>
            <input
              type="radio"
              name="family"
              checked={family === choice}
              onChange={() => setFamily(choice)}
            />
            {texts.families[choice]}
          </label>
        ))}
      </fieldset>
      <pre class="code" tabIndex={0} role="group" aria-label={texts.signature}>
        {parts.map((part, place) => (
          <span
            key={place}
            class={`signed-part signed-${part.name}`}
            title={texts.parts[part.name]}
          >
            <DataText value={part.text} />
          </span>
        ))}
      </pre>
      <ul class="signed-legend small">
        {named.map(({ name }) => (
          <li key={name}>
            <span class={`signed-part signed-${name}`} aria-hidden="true" /> {texts.parts[name]}
          </li>
        ))}
      </ul>
      <p>{family === 'service' ? texts.serviceKey : texts.standardKey}</p>
      <p>{family === 'service' ? texts.serviceHeader : texts.standardHeader}</p>
      <p class="field-hint">{texts.usualMistakes}</p>
    </Card>
  );
}

/** The durations of the phases of an attempt, drawn to one scale. */
export function Waterfall({ timings }: { readonly timings: Timings }) {
  const phases = timingPhases(timings);
  const last = phases.at(-1);
  const whole = Math.max(1, timings.totalMs ?? 0, (last?.startMs ?? 0) + (last?.lengthMs ?? 0));
  const reused = timings.connectMs === null && timings.firstByteMs !== null;
  return (
    <>
      <table class="waterfall small">
        <caption class="visually-hidden">{texts.timing}</caption>
        <tbody>
          {phases.map(({ name, startMs, lengthMs }) => (
            <tr key={name}>
              <th scope="row">{texts.phases[name]}</th>
              <td class="waterfall-track" aria-hidden="true">
                <span
                  class={`waterfall-bar waterfall-${name}`}
                  style={{
                    marginLeft: `${(100 * startMs) / whole}%`,
                    width: `${(100 * lengthMs) / whole}%`,
                  }}
                />
              </td>
              <td class="waterfall-time">{fill(text.common.ms, { ms: lengthMs })}</td>
            </tr>
          ))}
        </tbody>
        {timings.totalMs !== null && (
          <tfoot>
            <tr>
              <th scope="row">{texts.total}</th>
              <td aria-hidden="true" />
              <td class="waterfall-time">{fill(text.common.ms, { ms: timings.totalMs })}</td>
            </tr>
          </tfoot>
        )}
      </table>
      {reused && <p class="field-hint">{texts.reused}</p>}
    </>
  );
}

/** Sends the event of an attempt again, and shows the result. */
export function Replay({ id }: { readonly id: string }) {
  const [result, setResult] = useState<replayDeliveryMutation['replay']>();
  const replaying = useAction(async () => {
    const { replay } = await execute(replayDeliveryDocument, { id });
    setResult(replay);
    refresh();
  });

  const allowed = can('webhooks', 'write');
  useShortcuts(allowed ? { r: () => void replaying.run() } : {});
  if (!allowed) return null;

  const good = result?.status === 'success';
  return (
    <div class="stack-s">
      <div class="row">
        <Button kind="primary" busy={replaying.running} onClick={() => void replaying.run()}>
          {replaying.running ? texts.replaying : texts.replay}
        </Button>
        <span class="soft small">{texts.replayHint}</span>
      </div>
      {replaying.error && <ErrorNotice error={replaying.error} />}
      {result && !replaying.running && (
        <Notice
          kind={good ? 'good' : 'warn'}
          title={good ? texts.replayed.success : texts.replayed.failed}
        >
          <div class="row">
            <StatusBadge status={result.status} />
            <AnswerText delivery={result} />
            <a href={`${base}/deliveries/${result.id}`}>{texts.openReplay}</a>
          </div>
        </Notice>
      )}
    </div>
  );
}
