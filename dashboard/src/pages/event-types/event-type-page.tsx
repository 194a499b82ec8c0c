import { useMemo, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { base } from '../../api/base.js';
import { execute } from '../../api/request.js';
import { can } from '../../api/session-state.js';
import { useAction } from '../../api/use-action.js';
import { refresh, useQuery } from '../../api/use-query.js';
import { Button, ButtonLink } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { DataText } from '../../components/data-text.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { SelectField } from '../../components/fields.js';
import { JsonView } from '../../components/json-view.js';
import { lazyPart } from '../../components/lazy-part.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { showToast } from '../../components/toast.js';
import {
  eventTypeDocument,
  type eventTypeQuery,
  sendTestEventDocument,
} from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { pathOfList } from '../deliveries/delivery-filter.js';
import { endpointChoices } from '../endpoints/host.js';
import { useEndpointOptions } from '../endpoints/use-endpoint-options.js';
import { type SchemaRow, schemaRows } from './schema-rows.js';
import './event-types.css';

type EventType = eventTypeQuery['eventType'];

const texts = text.eventTypes;
const ReceiverCode = lazyPart(() =>
  import('./receiver-code.js').then((module) => module.ReceiverCode),
);

/** One event type: its meaning, its data, and how to receive it. */
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
      {states.filter(Boolean).map((state) => (
        <li key={state}>{state}</li>
      ))}
    </ul>
  );
}

/** The chosen version: the one in the URL, or the newest. */
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

/** The members of the data of an event, and the schema itself. */
export function SchemaCard({ schema }: { readonly schema: unknown }) {
  const rows = useMemo(() => schemaRows(schema), [schema]);
  return (
    <Card title={texts.members}>
      <p class="soft">{texts.membersLead}</p>
      {rows.length === 0 ? (
        <p class="soft">{texts.anyData}</p>
      ) : (
        <ul class="schema">
          {rows.map((row) => (
            <Member key={row.path} row={row} />
          ))}
        </ul>
      )}
      <details>
        <summary>{texts.rawSchema}</summary>
        <JsonView label={texts.rawSchema} value={JSON.stringify(schema)} />
      </details>
    </Card>
  );
}

function Member({ row }: { readonly row: SchemaRow }) {
  const { depth, name, types, required, description, rules } = row;
  return (
    <li class="schema-row" style={{ paddingLeft: `${Math.min(depth, 6) * 1.25}rem` }}>
      <div class="row">
        <code>
          <DataText value={name} />
        </code>
        <span class="small soft">{types.join(texts.or) || texts.anyValue}</span>
        {!required && <span class="tag small">{texts.optional}</span>}
      </div>
      {description !== undefined && (
        <p class="small">
          <DataText value={description} />
        </p>
      )}
      {rules.map(({ kind, value }) => (
        <p key={`${kind} ${value}`} class="small soft">
          <DataText value={fill(texts.rules[kind], { value })} />
        </p>
      ))}
    </li>
  );
}

interface TestTypeDialogProps {
  readonly type: string;
  readonly onClose: () => void;
}

/** Sends the example of this type to an endpoint. */
export function TestTypeDialog({ type, onClose }: TestTypeDialogProps) {
  const { data, error } = useEndpointOptions();
  const active = (data ?? []).filter((endpoint) => endpoint.active);
  const [chosen, setChosen] = useState<string>();
  const endpoint = chosen ?? active[0]?.id;
  const sending = useAction(async () => {
    if (endpoint === undefined) return;
    const { event } = await execute(sendTestEventDocument, { endpoint, type });
    showToast(fill(text.endpoints.testSent, { id: event.id }));
    onClose();
    refresh();
  });

  return (
    <ConfirmDialog
      title={text.endpoints.testTitle}
      action={text.endpoints.testSend}
      busy={sending.running || endpoint === undefined}
      error={sending.error ?? error}
      onConfirm={() => void sending.run()}
      onClose={onClose}
    >
      <p class="soft">{fill(text.eventTypes.testDetail, { type })}</p>
      {data && active.length === 0 ? (
        <p>{text.eventTypes.noEndpoint}</p>
      ) : (
        <SelectField
          label={text.recoveries.endpoint}
          value={endpoint ?? ''}
          options={endpointChoices(active)}
          onChange={setChosen}
        />
      )}
    </ConfirmDialog>
  );
}
