/*
 * How an endpoint gets its events, beyond its URL and its event types: each option with its value, and a dialog that
 * changes it.
 */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useUnsaved } from '../../api/new-version.js';
import { execute } from '../../api/request.js';
import { useAction } from '../../api/use-action.js';
import { refresh, useQuery } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { DataText } from '../../components/data-text.js';
import { SelectField, TextArea, TextField } from '../../components/fields.js';
import { Instant } from '../../components/instant.js';
import { showToast } from '../../components/toast.js';
import {
  type endpointQuery,
  retrySchedulesDocument,
  type retrySchedulesQuery,
  setEndpointOptionsDocument,
  setRateLimitDocument,
  tryFilterDocument,
  type tryFilterQuery,
} from '../../generated/documents.js';
import { formatWait } from '../../texts/format.js';
import { fill, text } from '../../texts/text.js';
import { attemptSeconds, parseRateLimit, refusedCharacter } from './endpoint-rules.js';

const texts = text.endpoints;

type Endpoint = Pick<endpointQuery['endpoint'], 'id' | 'maxPerSecond' | 'options'>;

interface DeliveryOptionsProps {
  readonly endpoint: Endpoint;
  readonly mayChange: boolean;
}

/** Shows the delivery options of an endpoint. */
export function DeliveryOptions({ endpoint, mayChange }: DeliveryOptionsProps) {
  const [opened, setOpened] = useState<'limit' | 'schedule' | 'filter'>();
  const schedules = useQuery(retrySchedulesDocument, {}).data?.retrySchedules ?? [];
  const { maxPerSecond, options } = endpoint;
  const close = () => setOpened(undefined);
  return (
    <Card title={texts.options}>
      <Option name={texts.limit} onChange={mayChange ? () => setOpened('limit') : undefined}>
        {maxPerSecond === null ? texts.limitNone : fill(texts.limitValue, { count: maxPerSecond })}
      </Option>
      <Option
        name={texts.schedule}
        onChange={mayChange && schedules.length > 1 ? () => setOpened('schedule') : undefined}
      >
        {describeSchedule(options.retrySchedule)}
      </Option>
      <Option name={texts.filterName} onChange={mayChange ? () => setOpened('filter') : undefined}>
        {options.filter === null ? (
          texts.filterNone
        ) : (
          <code class="filter-text">
            <DataText value={options.filter} />
          </code>
        )}
      </Option>
      {opened === 'limit' && <RateLimitDialog endpoint={endpoint} onClose={close} />}
      {opened === 'schedule' && (
        <ScheduleDialog endpoint={endpoint} schedules={schedules} onClose={close} />
      )}
      {opened === 'filter' && <FilterDialog endpoint={endpoint} onClose={close} />}
    </Card>
  );
}

interface OptionProps {
  readonly name: string;
  /** Its value. */
  readonly children: ComponentChildren;
  /** Undefined for viewers who may not change it, and where there is no choice. */
  readonly onChange: (() => void) | undefined;
}

function Option({ name, children, onChange }: OptionProps) {
  return (
    <div class="delivery-option">
      <div>
        <h3>{name}</h3>
        <p class="soft">{children}</p>
      </div>
      {onChange && (
        <Button small onClick={onChange}>
          {texts.optionChange}
          <span class="visually-hidden"> {name}</span>
        </Button>
      )}
    </div>
  );
}

interface RateLimitDialogProps {
  readonly endpoint: Pick<Endpoint, 'id' | 'maxPerSecond'>;
  readonly onClose: () => void;
}

/** Sets how many requests an endpoint gets per second, or removes the limit. */
export function RateLimitDialog({ endpoint, onClose }: RateLimitDialogProps) {
  const [typed, setTyped] = useState(endpoint.maxPerSecond?.toString() ?? '');
  const maxPerSecond = parseRateLimit(typed);
  const saving = useAction(async () => {
    if (maxPerSecond === undefined) return;
    await execute(setRateLimitDocument, { id: endpoint.id, maxPerSecond });
    refresh();
    showToast(texts.limitSaved);
    onClose();
  });

  return (
    <ConfirmDialog
      title={texts.limitTitle}
      action={texts.limitSave}
      busy={saving.running || maxPerSecond === undefined}
      error={saving.error}
      onConfirm={() => void saving.run()}
      onClose={onClose}
    >
      <p class="soft">{texts.limitDetail}</p>
      <TextField
        label={texts.limitField}
        hint={texts.limitHint}
        inputMode="numeric"
        class="input-number"
        value={typed}
        error={maxPerSecond === undefined ? texts.limitInvalid : undefined}
        onInput={setTyped}
      />
    </ConfirmDialog>
  );
}

type Schedule = retrySchedulesQuery['retrySchedules'][number];

interface ScheduleDialogProps {
  readonly endpoint: Pick<Endpoint, 'id' | 'options'>;
  /** All that an endpoint may choose. */
  readonly schedules: readonly Schedule[];
  readonly onClose: () => void;
}

/** Chooses the retry schedule of an endpoint, and shows when its attempts come. */
export function ScheduleDialog({ endpoint, schedules, onClose }: ScheduleDialogProps) {
  const [chosen, setChosen] = useState(endpoint.options.retrySchedule.name);
  const schedule = schedules.find(({ name }) => name === chosen);
  const saving = useAction(async () => {
    const input = { retrySchedule: chosen };
    await execute(setEndpointOptionsDocument, { id: endpoint.id, input });
    refresh();
    showToast(texts.optionSaved);
    onClose();
  });

  return (
    <ConfirmDialog
      title={texts.scheduleTitle}
      action={texts.optionSave}
      busy={saving.running}
      error={saving.error}
      onConfirm={() => void saving.run()}
      onClose={onClose}
    >
      <p class="soft">{texts.scheduleDetail}</p>
      <SelectField
        label={texts.schedule}
        value={chosen}
        options={schedules.map(({ name }) => [name, nameOf(name)])}
        onChange={setChosen}
      />
      {schedule && <p>{describeSchedule(schedule)}</p>}
    </ConfirmDialog>
  );
}

/** Such as "Standard: after 5 seconds, 5 minutes, 35 minutes". */
function describeSchedule({ name, delaysSeconds }: Schedule): string {
  const times = attemptSeconds(delaysSeconds).map(formatWait).join(', ');
  const template = times === '' ? texts.scheduleOnce : texts.scheduleTimes;
  return fill(template, { name: nameOf(name), times });
}

function nameOf(schedule: string): string {
  return schedule === 'default' ? texts.scheduleDefault : schedule;
}

interface FilterDialogProps {
  readonly endpoint: Pick<Endpoint, 'id' | 'options'>;
  readonly onClose: () => void;
}

/** Sets which events an endpoint gets, and says before which of the recent ones match. */
export function FilterDialog({ endpoint, onClose }: FilterDialogProps) {
  const [typed, setTyped] = useState(endpoint.options.filter ?? '');
  const [tried, setTried] = useState<readonly TriedEvent[]>();
  const filter = typed.trim();

  const trying = useAction(async () => {
    saving.clear();
    setTried(undefined);
    setTried((await execute(tryFilterDocument, { id: endpoint.id, filter })).events);
  });

  const saving = useAction(async () => {
    trying.clear();
    const input = { filter: filter === '' ? null : filter };
    await execute(setEndpointOptionsDocument, { id: endpoint.id, input });
    refresh();
    showToast(texts.optionSaved);
    onClose();
  });

  useUnsaved(filter !== (endpoint.options.filter ?? ''));

  const error = saving.error ?? trying.error;
  const refusal = error?.fields['filter'];
  return (
    <ConfirmDialog
      title={texts.filterTitle}
      action={texts.optionSave}
      busy={saving.running}
      error={refusal === undefined ? error : undefined}
      onConfirm={() => void saving.run()}
      onClose={onClose}
    >
      <p class="soft">{texts.filterDetail}</p>
      <TextArea
        label={texts.filterField}
        hint={texts.filterHint}
        rows={4}
        value={typed}
        error={refusal}
        onInput={(value) => {
          setTyped(value);
          setTried(undefined);
          trying.clear();
          saving.clear();
        }}
      />
      {refusal !== undefined && <RefusedText filter={filter} refusal={refusal} />}
      <div>
        <Button small busy={trying.running || filter === ''} onClick={() => void trying.run()}>
          {texts.filterTry}
        </Button>
      </div>
      <div role="status">{tried && <TriedEvents events={tried} />}</div>
    </ConfirmDialog>
  );
}

interface RefusedTextProps {
  readonly filter: string;
  readonly refusal: string;
}

/** The text of a filter with the refused character marked. The refusal also says its number. */
function RefusedText({ filter, refusal }: RefusedTextProps) {
  const place = refusedCharacter(filter, refusal);
  if (!place) return null;
  return (
    <p class="mono small filter-text" aria-hidden="true">
      <DataText value={place.before} />
      <mark>{place.character === '' ? '\u00a0' : <DataText value={place.character} />}</mark>
      <DataText value={place.after} />
    </p>
  );
}

type TriedEvent = tryFilterQuery['events'][number];

/** Which of the recent events a filter matches. */
export function TriedEvents({ events }: { readonly events: readonly TriedEvent[] }) {
  const count = events.filter(({ matches }) => matches).length;
  if (events.length === 0) return <p>{texts.filterNoEvents}</p>;
  return (
    <>
      <p>{fill(texts.filterMatches, { count, all: events.length })}</p>
      <ul class="rows tried-events" tabIndex={0} aria-label={texts.filterTried}>
        {events.map(({ id, type, subject, occurredAt, matches }) => (
          <li key={id}>
            <span class={`badge ${matches ? 'badge-good' : ''}`}>
              {matches ? texts.filterMatch : texts.filterNoMatch}
            </span>
            <span class="small mono">
              <DataText value={`${type} ${subject}`} />
            </span>
            <span class="small soft">
              <Instant at={occurredAt} style="short" />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
