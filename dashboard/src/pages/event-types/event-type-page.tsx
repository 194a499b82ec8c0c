import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { base } from '../../api/base.js';
import { can } from '../../api/session-state.js';
import { useQuery } from '../../api/use-query.js';
import { Button, ButtonLink } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { DataText } from '../../components/data-text.js';
import { ErrorNotice } from '../../components/notice.js';
import { JsonView } from '../../components/json-view.js';
import { lazyPart } from '../../components/lazy-part.js';
import { PageHeader } from '../../components/page-header.js';
import { eventTypeDocument, type eventTypeQuery } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { pathOfList } from '../deliveries/delivery-filter.js';
import { SchemaCard } from './schema-card.js';
import { TestTypeDialog } from './test-type-dialog.js';
import './event-types.css';

type EventType = eventTypeQuery['eventType'];

const texts = text.eventTypes;
const ReceiverCode = lazyPart(() =>
  import('./receiver-code.js').then((module) => module.ReceiverCode),
);

/** One event type: what it means, what its data holds, and how to receive it. */
export function EventTypePage() {
  const id = useRoute().params['id'] ?? '';
  const [testing, setTesting] = useState(false);
  const { data, error, reload } = useQuery(eventTypeDocument, { id });
  const type = data?.eventType;
  const mayTest = can('webhooks', 'write') && (type?.versions.length ?? 0) > 0;
  return (
    <>
      <PageHeader
        title={id}
        heading={<DataText value={id} />}
        back={{ href: `${base}/event-types`, label: texts.title }}
        lead={type ? <DataText value={type.summary} /> : '\u00a0'}
        actions={
          <>
            {mayTest && <Button onClick={() => setTesting(true)}>{text.endpoints.test}</Button>}
            <ButtonLink href={pathOfList({ type: id })}>{texts.deliveries}</ButtonLink>
          </>
        }
      />
      {error && <ErrorNotice error={error} retry={reload} />}
      {type && (
        <>
          <Card title={texts.about}>
            <p>
              <DataText value={type.description} />
            </p>
            <States type={type} />
          </Card>
          <Version type={type} />
          <ReceiverCode type={id} />
        </>
      )}
      {testing && <TestTypeDialog type={id} onClose={() => setTesting(false)} />}
    </>
  );
}

function States({ type }: { readonly type: EventType }) {
  const states = [
    !type.listed && texts.unlisted,
    type.listed && !type.offered && texts.notOffered,
    !type.sent && texts.notSent,
    type.validation === 'enforce' ? texts.enforced : texts.warned,
  ];
  return (
    <ul class="small soft">
      {states.filter(Boolean).map((each) => (
        <li key={each}>{each}</li>
      ))}
    </ul>
  );
}

/** The chosen version: the newest, or the one of the URL. */
function Version({ type }: { readonly type: EventType }) {
  const { query } = useLocation();
  const { versions } = type;
  const shown = versions.find(({ version }) => version === query['version']) ?? versions.at(-1);
  if (!shown) {
    return (
      <Card title={texts.members}>
        <p class="soft">{texts.anyData}</p>
      </Card>
    );
  }
  return (
    <>
      <nav class="filter" aria-label={texts.version}>
        {versions.map(({ version }) => (
          <a
            key={version}
            href={`${base}/event-types/${type.id}?version=${version}`}
            aria-current={version === shown.version ? 'true' : undefined}
          >
            {version}
          </a>
        ))}
      </nav>
      <SchemaCard schema={shown.schema} />
      <Card title={texts.example}>
        <p class="soft">{texts.exampleLead}</p>
        <JsonView label={texts.example} value={JSON.stringify(shown.example)} />
      </Card>
    </>
  );
}
