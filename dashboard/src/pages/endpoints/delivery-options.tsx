/*
 * How an endpoint gets its events, beyond its URL and its event types: each option with its value, and a dialog that
 * changes it.
 */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { execute } from '../../api/request.js';
import { useAction } from '../../api/use-action.js';
import { refresh, useQuery } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { SelectField, TextField } from '../../components/fields.js';
import { showToast } from '../../components/toast.js';
import {
  type endpointQuery,
  retrySchedulesDocument,
  type retrySchedulesQuery,
  setEndpointOptionsDocument,
  setRateLimitDocument,
} from '../../generated/documents.js';
import { formatWait } from '../../texts/format.js';
import { fill } from '../../texts/text.js';
import { attemptSeconds, parseRateLimit } from './endpoint-rules.js';
import { FilterDialog, FilterValue } from './filter-dialog.js';
import { HeadersDialog, HeadersValue } from './headers-dialog.js';
import { PublicKeyDialog, PublicKeyValue, RotateKeyDialog } from './public-key-dialogs.js';
import { optionTexts } from './option-texts.js';

type Endpoint = Pick<endpointQuery['endpoint'], 'id' | 'maxPerSecond' | 'options'>;

interface DeliveryOptionsProps {
  readonly endpoint: Endpoint;
  readonly mayChange: boolean;
}

/** Shows the delivery options of an endpoint. */
export function DeliveryOptions({ endpoint, mayChange }: DeliveryOptionsProps) {
  const [opened, setOpened] = useState<
    'limit' | 'schedule' | 'filter' | 'order' | 'headers' | 'key' | 'rotate'
  >();
  const schedules = useQuery(retrySchedulesDocument, {}).data?.retrySchedules ?? [];
  const { maxPerSecond, options } = endpoint;
  const isSigned = options.publicKeySignature !== null;
  const close = () => setOpened(undefined);
  return (
    <Card title={optionTexts.title}>
      <Option name={optionTexts.limit} onChange={mayChange ? () => setOpened('limit') : undefined}>
        {maxPerSecond === null
          ? optionTexts.limitNone
          : fill(optionTexts.limitValue, { count: maxPerSecond })}
      </Option>
      <Option
        name={optionTexts.schedule}
        onChange={mayChange && schedules.length > 1 ? () => setOpened('schedule') : undefined}
      >
        {describeSchedule(options.retrySchedule)}
      </Option>
      <Option
        name={optionTexts.filterName}
        onChange={mayChange ? () => setOpened('filter') : undefined}
      >
        <FilterValue filter={options.filter} />
      </Option>
      <Option name={optionTexts.order} onChange={mayChange ? () => setOpened('order') : undefined}>
        {optionTexts.orders[options.ordering ?? 'none']}
      </Option>
      <Option
        name={optionTexts.headers}
        onChange={mayChange ? () => setOpened('headers') : undefined}
      >
        <HeadersValue headers={options.headers} />
      </Option>
      <Option
        name={optionTexts.publicKey}
        onChange={mayChange ? () => setOpened('key') : undefined}
        onRotate={mayChange && isSigned ? () => setOpened('rotate') : undefined}
      >
        <PublicKeyValue signature={options.publicKeySignature} />
      </Option>
      {opened === 'limit' && <RateLimitDialog endpoint={endpoint} onClose={close} />}
      {opened === 'schedule' && (
        <ScheduleDialog endpoint={endpoint} schedules={schedules} onClose={close} />
      )}
      {opened === 'filter' && (
        <FilterDialog id={endpoint.id} current={options.filter} onClose={close} />
      )}
      {opened === 'headers' && (
        <HeadersDialog id={endpoint.id} headers={options.headers} onClose={close} />
      )}
      {opened === 'key' && <PublicKeyDialog id={endpoint.id} isOn={isSigned} onClose={close} />}
      {opened === 'rotate' && <RotateKeyDialog id={endpoint.id} onClose={close} />}
      {opened === 'order' && <OrderDialog endpoint={endpoint} onClose={close} />}
    </Card>
  );
}

interface OptionProps {
  readonly name: string;
  /** Its value. */
  readonly children: ComponentChildren;
  /** Undefined for viewers who may not change it, and where there is no choice. */
  readonly onChange: (() => void) | undefined;
  readonly onRotate?: (() => void) | undefined;
}

function Option({ name, children, onChange, onRotate }: OptionProps) {
  return (
    <div class="delivery-option">
      <div class="delivery-option-value">
        <h3>{name}</h3>
        <div class="soft">{children}</div>
      </div>
      {onRotate && (
        <Button small onClick={onRotate}>
          {optionTexts.publicKeyRotate}
        </Button>
      )}
      {onChange && (
        <Button small onClick={onChange}>
          {optionTexts.optionChange}
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
    showToast(optionTexts.limitSaved);
    onClose();
  });

  return (
    <ConfirmDialog
      title={optionTexts.limitTitle}
      action={optionTexts.limitSave}
      busy={saving.running || maxPerSecond === undefined}
      error={saving.error}
      onConfirm={() => void saving.run()}
      onClose={onClose}
    >
      <p class="soft">{optionTexts.limitDetail}</p>
      <TextField
        label={optionTexts.limitField}
        hint={optionTexts.limitHint}
        inputMode="numeric"
        class="input-number"
        value={typed}
        error={maxPerSecond === undefined ? optionTexts.limitInvalid : undefined}
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
    showToast(optionTexts.optionSaved);
    onClose();
  });

  return (
    <ConfirmDialog
      title={optionTexts.scheduleTitle}
      action={optionTexts.optionSave}
      busy={saving.running}
      error={saving.error}
      onConfirm={() => void saving.run()}
      onClose={onClose}
    >
      <p class="soft">{optionTexts.scheduleDetail}</p>
      <SelectField
        label={optionTexts.schedule}
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
  const template = times === '' ? optionTexts.scheduleOnce : optionTexts.scheduleTimes;
  return fill(template, { name: nameOf(name), times });
}

function nameOf(schedule: string): string {
  return schedule === 'default' ? optionTexts.scheduleDefault : schedule;
}

interface OrderDialogProps {
  readonly endpoint: Pick<Endpoint, 'id' | 'options'>;
  readonly onClose: () => void;
}

/** Chooses whether an endpoint gets the events of a subject one at a time. */
export function OrderDialog({ endpoint, onClose }: OrderDialogProps) {
  const [chosen, setChosen] = useState<string>(endpoint.options.ordering ?? 'none');
  const saving = useAction(async () => {
    const input = { ordering: chosen === 'subject' ? chosen : null } as const;
    await execute(setEndpointOptionsDocument, { id: endpoint.id, input });
    refresh();
    showToast(optionTexts.optionSaved);
    onClose();
  });

  return (
    <ConfirmDialog
      title={optionTexts.orderTitle}
      action={optionTexts.optionSave}
      busy={saving.running}
      error={saving.error}
      onConfirm={() => void saving.run()}
      onClose={onClose}
    >
      <p class="soft">{optionTexts.orderDetail}</p>
      <SelectField
        label={optionTexts.order}
        value={chosen}
        options={[
          ['none', optionTexts.orders.none],
          ['subject', optionTexts.orders.subject],
        ]}
        onChange={setChosen}
      />
    </ConfirmDialog>
  );
}
