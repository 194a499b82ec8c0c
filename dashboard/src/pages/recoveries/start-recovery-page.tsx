import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { base } from '../../api/base.js';
import type { RequestError } from '../../api/request-error.js';
import { execute } from '../../api/request.js';
import { can } from '../../api/session-state.js';
import { useAction } from '../../api/use-action.js';
import { type Query, refresh, useQuery } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { Card, EmptyState, Fact, Facts } from '../../components/card.js';
import { SelectField, TextField } from '../../components/fields.js';
import { Instant } from '../../components/instant.js';
import { ErrorNotice, Notice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { showToast } from '../../components/toast.js';
import {
  endpointDocument,
  previewRecoveryDocument,
  type previewRecoveryQuery,
  startRecoveryDocument,
} from '../../generated/documents.js';
import { formatInstant, formatNumber } from '../../texts/format.js';
import { fill, text } from '../../texts/text.js';
import { endpointChoices } from '../endpoints/host.js';
import { useEndpointOptions } from '../endpoints/use-endpoint-options.js';
import {
  draftOf,
  durationOf,
  issuesOf,
  kinds,
  rangeOf,
  recoveriesPath,
  type RecoveryDraft,
  type RecoveryRange,
} from './recovery-rules.js';
import './recoveries.css';

const texts = text.recoveries;

/** Chooses what to send again, previews it, and starts the recovery. */
export function StartRecoveryPage() {
  const { query, route } = useLocation();
  const [draft, setDraft] = useState(() => draftOf(query));

  // One key per form: a second click, or a retry after a lost answer, starts nothing twice.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const known = draft.endpoint !== '';
  const endpoint = useQuery(known ? endpointDocument : undefined, { id: draft.endpoint });
  const range = rangeOf(draft);
  const preview = useQuery(range && previewRecoveryDocument, {
    input: range ?? { endpoint: '', what: 'both' },
  });
  const starting = useAction(async () => {
    if (!range) return;
    const { started } = await execute(startRecoveryDocument, {
      input: { ...range, idempotencyKey },
    });
    refresh();
    showToast(texts.started);
    route(`${recoveriesPath}/${started.id}`, true);
  });

  const mayStart = can('webhooks', 'write');
  return (
    <>
      <PageHeader
        title={texts.formTitle}
        lead={texts.formLead}
        back={{ href: recoveriesPath, label: texts.title }}
      />
      {mayStart ? (
        <>
          <RecoveryForm
            draft={draft}
            subscribed={endpoint.data?.endpoint.eventTypes ?? []}
            error={starting.error ?? endpoint.error ?? (range && preview.error)}
            onChange={(part) => {
              starting.clear();
              setDraft((before) => ({ ...before, ...part }));
            }}
          />
          <RecoveryPreview
            range={range}
            preview={preview}
            inactive={endpoint.data?.endpoint.active === false}
            error={starting.error}
            busy={starting.running}
            onStart={() => void starting.run()}
          />
        </>
      ) : (
        <EmptyState title={texts.title}>{texts.emptyReadOnly}</EmptyState>
      )}
    </>
  );
}

interface RecoveryFormProps {
  readonly draft: RecoveryDraft;
  /** The types of the chosen endpoint. */
  readonly subscribed: readonly string[];
  readonly error: RequestError | undefined;
  readonly onChange: (part: Partial<RecoveryDraft>) => void;
}

/** The fields of a recovery. The preview below follows their values. */
function RecoveryForm({ draft, subscribed, error, onChange }: RecoveryFormProps) {
  const endpoints = useEndpointOptions().data ?? [];
  const issues = issuesOf(draft);
  const fields = error?.fields ?? {};
  const endpointError = error?.code === 'not_found' ? error.message : fields['endpoint'];
  const listed = endpoints.some(({ id }) => id === draft.endpoint);
  const others = draft.endpoint === '' || listed ? [] : [[draft.endpoint, draft.endpoint] as const];

  return (
    <Card title={texts.what}>
      <SelectField
        label={texts.endpoint}
        value={draft.endpoint}
        options={[['', texts.noEndpoint], ...others, ...endpointChoices(endpoints)]}
        error={draft.endpoint === '' ? undefined : endpointError}
        onChange={(endpoint) => onChange({ endpoint, eventTypes: [] })}
      />
      <fieldset class="choices">
        <legend class="label">{texts.events}</legend>
        {kinds.map((kind) => (
          <label key={kind} class="check">
            <input
              type="radio"
              name="what"
              checked={draft.what === kind}
              onChange={() => onChange({ what: kind })}
            />
            <div>
              {texts.kinds[kind]}
              <div class="soft small">{texts.kindHints[kind]}</div>
            </div>
          </label>
        ))}
      </fieldset>
      <div class="recovery-range">
        <TextField
          type="datetime-local"
          label={texts.since}
          hint={texts.sinceHint}
          value={draft.since}
          error={issues.since ? texts.dateInvalid : fields['since']}
          onInput={(since) => onChange({ since })}
        />
        <TextField
          type="datetime-local"
          label={texts.until}
          hint={texts.untilHint}
          value={draft.until}
          error={issues.until ? texts.dateInvalid : fields['until']}
          onInput={(until) => onChange({ until })}
        />
        <TextField
          label={texts.rate}
          hint={texts.rateHint}
          inputMode="numeric"
          class="input-number"
          value={draft.rate}
          error={issues.rate ? texts.rateInvalid : fields['ratePerSecond']}
          onInput={(rate) => onChange({ rate })}
        />
      </div>
      {subscribed.length > 1 && (
        <Types chosen={draft.eventTypes} types={subscribed} onChange={onChange} />
      )}
    </Card>
  );
}

interface TypesProps {
  readonly chosen: readonly string[];
  readonly types: readonly string[];
  readonly onChange: (part: Partial<RecoveryDraft>) => void;
}

function Types({ chosen, types, onChange }: TypesProps) {
  const choose = (type: string, wanted: boolean) => {
    const others = chosen.filter((other) => other !== type);
    onChange({ eventTypes: wanted ? [...others, type] : others });
  };

  return (
    <fieldset class="field">
      <legend>{texts.types}</legend>
      <p class="field-hint">{texts.typesHint}</p>
      <div class="recovery-types">
        {types.map((type) => (
          <label key={type} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(type)}
              onChange={(event) => choose(type, event.currentTarget.checked)}
            />
            <code>{type}</code>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface RecoveryPreviewProps {
  /** Undefined while a value of the form cannot be sent. */
  readonly range: RecoveryRange | undefined;
  /** What the service counts in the range. */
  readonly preview: Query<previewRecoveryQuery>;
  /** Whether the endpoint is disabled. */
  readonly inactive: boolean;
  /** Why the recovery did not start. */
  readonly error: RequestError | undefined;
  readonly busy: boolean;
  readonly onStart: () => void;
}

type Preview = previewRecoveryQuery['preview'];

/** Shows what a recovery of this range would send, with the button that starts it. */
function RecoveryPreview(props: RecoveryPreviewProps) {
  const { range, preview, inactive, error, busy, onStart } = props;
  const counted = range && preview.data?.preview;
  const isEmpty = counted !== undefined && counted.complete && totalOf(counted) === 0;
  return (
    <Card title={texts.preview}>
      {!range && <p class="soft">{texts.previewWaits}</p>}
      {range && <Counts preview={counted} />}
      {preview.error && <ErrorNotice error={preview.error} retry={preview.reload} />}
      {isEmpty && <p class="soft">{texts.nothing}</p>}
      {counted && !counted.complete && (
        <p class="soft">
          {fill(texts.incomplete, { time: formatInstant(Date.parse(counted.countedUntil)) })}
        </p>
      )}
      {range && inactive && (
        <Notice kind="warn" title={texts.inactive}>
          <a href={`${base}/endpoints/${range.endpoint}`}>{texts.openEndpoint}</a>
        </Notice>
      )}
      {error && <ErrorNotice error={error} />}
      {counted && !isEmpty && !inactive && (
        <>
          <p class="field-hint">{texts.twice}</p>
          <div class="row">
            <Button kind="primary" busy={busy} onClick={onStart}>
              {texts.begin}
            </Button>
          </div>
        </>
      )}
    </Card>
  );
}

function Counts({ preview }: { readonly preview: Preview | undefined }) {
  const duration = preview && durationOf(preview.estimatedSeconds);
  const time = (at: string | null | undefined) =>
    at == null ? <span class="soft">{preview ? '–' : '…'}</span> : <Instant at={at} />;
  return (
    <Facts>
      <Fact name={texts.failed}>{preview ? formatNumber(preview.failed) : '…'}</Fact>
      <Fact name={texts.missed}>{preview ? formatNumber(preview.missed) : '…'}</Fact>
      <Fact name={texts.oldest}>{time(preview?.oldest)}</Fact>
      <Fact name={texts.newest}>{time(preview?.newest)}</Fact>
      <Fact name={texts.takes}>
        {duration ? fill(texts.durations[duration.unit], { count: duration.count }) : '…'}
      </Fact>
    </Facts>
  );
}

function totalOf({ failed, missed }: Preview): number {
  return failed + missed;
}
