import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { base } from '../../api/base.js';
import { RequestError } from '../../api/request-error.js';
import { Button, ButtonLink } from '../../components/button.js';
import { ClearFilters } from '../../components/clear-filters.js';
import { CopyButton } from '../../components/copy-button.js';
import { ConfirmDialog, Dialog } from '../../components/dialog.js';
import { SelectField, TextArea, TextField } from '../../components/fields.js';
import { PageHeader } from '../../components/page-header.js';
import { showToast } from '../../components/toast.js';
import type { Role } from '../../generated/documents.js';
import { FindField } from '../../shell/find-field.js';
import { menu } from '../../shell/navigation.js';
import { KeyboardHelp } from '../../shell/shortcuts.js';
import { AuditFilters } from '../account/audit-page.js';
import { CreateKeyDialog, RevokeKeyDialog } from '../account/keys-page.js';
import {
  AddMemberDialog,
  ChangeRoleDialog,
  RemoveMemberDialog,
  RoleField,
} from '../account/members-page.js';
import { OfferActions } from '../commerce/offers.js';
import { RefundDialog } from '../commerce/payments.js';
import { SaleFilters } from '../commerce/sale-list.js';
import {
  AttemptDrawer,
  CustomRangeForm,
  FilterBar,
  LiveTail,
} from '../deliveries/deliveries-page.js';
import { readFilter } from '../deliveries/delivery-filter.js';
import { Replay } from '../deliveries/delivery-page.js';
import { GiveUpDialog } from '../endpoints/held-subjects.js';
import { OrderDialog, RateLimitDialog, ScheduleDialog } from '../endpoints/delivery-options.js';
import {
  DeleteDialog,
  DisableDialog,
  RotateDialog,
  TestEventDialog,
} from '../endpoints/endpoint-dialogs.js';
import { EventTypePicker } from '../endpoints/endpoint-form.js';
import { FilterDialog } from '../endpoints/filter-dialog.js';
import { HeadersDialog, HeadersValue } from '../endpoints/headers-dialog.js';
import {
  PublicKeyDialog,
  PublicKeyValue,
  RotateKeyDialog,
} from '../endpoints/public-key-dialogs.js';
import { TestTypeDialog } from '../event-types/event-type-page.js';
import { CreateLinkDialog } from '../portal/portal-page.js';
import { ColourField, LogoField, LookPreview } from '../portal/settings-form.js';
import { RecoveryActions } from '../recoveries/recoveries.js';
import {
  delivery,
  endpoint,
  headers,
  publicKeySignature,
  heldSubjects,
  hiddenText,
  longText,
  member,
  minutesAgo,
  offer,
  payment,
  recovery,
  retrySchedules,
} from './sample-service.js';
import { Group, nothing, Specimen, State, States } from './specimen.js';

const heldBy = heldSubjects[0]?.heldBy;

/** Buttons and actions, and the heading of a view. */
export function ActionSamples() {
  return (
    <Group title="Actions">
      <Specimen file="components/button.tsx">
        <div class="row">
          <Button kind="primary">Primary</Button>
          <Button>Plain</Button>
          <Button kind="danger">Danger</Button>
          <Button kind="quiet">Quiet</Button>
          <Button small>Small</Button>
          <Button small kind="primary">
            Small primary
          </Button>
          <ButtonLink href={`${base}/endpoints`}>Link</ButtonLink>
        </div>
        <div class="row">
          <Button kind="primary" busy>
            Primary, busy
          </Button>
          <Button busy>Plain, busy</Button>
          <Button kind="danger" busy>
            Danger, busy
          </Button>
          <Button small label="Remove ada@example.com">
            Remove
          </Button>
          <Button>{longText}</Button>
        </div>
      </Specimen>
      <Specimen file="components/copy-button.tsx: CopyButton">
        <div class="row">
          <CopyButton value="whd_0Vb" label="the id of the delivery" />
        </div>
      </Specimen>
      <Specimen file="components/toast.tsx">
        <div class="row">
          <Button onClick={() => showToast('The endpoint is enabled.')}>Say what happened</Button>
          <Button onClick={() => showToast(longText)}>Say it at length</Button>
        </div>
      </Specimen>
      <Specimen file="components/page-header.tsx">
        <PageHeader
          title="A view"
          lead="What it is for."
          back={{ href: `${base}/endpoints`, label: hiddenText }}
          actions={<Button kind="primary">Action</Button>}
        />
        <PageHeader title={longText} />
      </Specimen>
      <Specimen file="pages/deliveries/deliveries-page.tsx: LiveTail">
        <States>
          {(['connecting', 'live', 'lost'] as const).map((state) => (
            <State key={state} name={state}>
              <div class="row">
                <LiveTail state={state} detail={undefined} paused={false} onPause={nothing} />
              </div>
            </State>
          ))}
          <State name="paused">
            <div class="row">
              <LiveTail state="live" detail={undefined} paused onPause={nothing} />
            </div>
          </State>
        </States>
      </Specimen>
      <Specimen file="pages/deliveries/delivery-page.tsx: Replay">
        <Replay id={delivery.id} />
      </Specimen>
      <Specimen file="shell/find-field.tsx">
        <FindField />
      </Specimen>
    </Group>
  );
}

const refusedSales = { buyer: longText, number: 'INV-000001', from: '2026-11-30' };
const refusal = new RequestError('validation_failed', longText, {
  buyer_email: 'Must be an e-mail address.',
  created_to: longText,
});

/** Fields and choices. */
export function FieldSamples() {
  const filter = readFilter(useLocation().query);
  const [chosen, setChosen] = useState<readonly string[]>(['offer.sent', 'offer.faxed']);
  const [role, setRole] = useState<Role>('developer');
  const [colour, setColour] = useState('#3d4fd1');
  const range = { range: 'custom', since: minutesAgo(3_000), until: minutesAgo(60) } as const;

  return (
    <Group title="Fields">
      <Specimen file="components/fields.tsx: TextField">
        <States>
          <TypedField label="Plain" placeholder="Example" />
          <TypedField label="With a hint" hint="What it is for." />
          <TypedField label="Wrong" value="http://" error="The URL must start with https://." />
          <TypedField label="Read-only" value="ada@example.com" readOnly hint="Why it is." />
          <TypedField label="A number" value="50" inputMode="numeric" class="input-number" />
          <TypedField label="A code" value="7K3M-Q2XZ" class="input-code" />
          <TypedField label="A time" type="datetime-local" value="2026-11-23T12:00" />
          <TypedField label="A day" type="date" value="2026-11-23" />
          <TypedField label="Only for screen readers" labelHidden placeholder="Hidden label" />
          <TypedField label={longText} value={longText} hint={longText} error={longText} />
        </States>
      </Specimen>
      <Specimen file="components/fields.tsx: TextArea">
        <States>
          <TypedArea label="Plain" hint="One for each line." />
          <TypedArea label="Wrong" value="http://shop.example" error="Only https is allowed." />
        </States>
      </Specimen>
      <Specimen file="components/fields.tsx: SelectField">
        <States>
          <SelectField label="Plain" value="" options={[['', 'Any status']]} onChange={nothing} />
          <SelectField label="Hidden" value="" options={[['', hiddenText]]} onChange={nothing} />
          <SelectField
            label="Wrong"
            value=""
            options={[['', 'Any status']]}
            error="No endpoint with this id."
            onChange={nothing}
          />
          <SelectField label="Long" value="" options={[['', longText]]} onChange={nothing} />
        </States>
      </Specimen>
      <Specimen file="pages/commerce/sale-list.tsx: SaleFilters">
        <State name="nothing chosen">
          <SaleFilters kind="orders" filter={{}} error={undefined} />
        </State>
        <State name="refused">
          <SaleFilters kind="invoices" filter={refusedSales} error={refusal} />
        </State>
      </Specimen>
      <Specimen file="components/clear-filters.tsx">
        <State name="nothing to clear">
          <ClearFilters filter={{}} href="#" />
        </State>
        <State name="something to clear">
          <ClearFilters filter={filter} href="#" />
        </State>
      </Specimen>
      <ControlSamples />
      <Specimen file="pages/deliveries/deliveries-page.tsx: FilterBar">
        <FilterBar filter={filter} />
        <FilterBar
          filter={{ event: 'evt_0Vb' }}
          error={new RequestError('not_found', 'No event with this id.')}
        />
        <FilterBar filter={{ type: 'cart.order.completed', event: hiddenText, ...range }} />
      </Specimen>
      <Specimen file="pages/deliveries/deliveries-page.tsx: CustomRangeForm">
        <State name="empty">
          <CustomRangeForm filter={{}} onApply={nothing} />
        </State>
        <State name="no time in it">
          <CustomRangeForm
            filter={{ since: minutesAgo(60), until: minutesAgo(3_000) }}
            onApply={nothing}
          />
        </State>
      </Specimen>
      <Specimen file="pages/account/audit-page.tsx: AuditFilters">
        <AuditFilters filter={{ action: 'endpoint_updated', resource: 'whs_0Vb' }} />
      </Specimen>
      <Specimen file="pages/account/members-page.tsx: RoleField">
        <RoleField role={role} onChange={setRole} />
      </Specimen>
      <Specimen file="pages/endpoints/headers-dialog.tsx: HeadersValue">
        <States>
          <HeadersValue headers={null} />
          <HeadersValue headers={headers} />
          <HeadersValue headers={{ ...headers, sent: false }} />
        </States>
      </Specimen>
      <Specimen file="pages/endpoints/public-key-dialogs.tsx: PublicKeyValue">
        <States>
          <PublicKeyValue signature={null} />
          <PublicKeyValue signature={publicKeySignature} />
        </States>
      </Specimen>
      <Specimen file="pages/endpoints/endpoint-form.tsx: EventTypePicker">
        <EventTypePicker
          chosen={chosen}
          subscribed={['offer.faxed']}
          error={undefined}
          onChange={setChosen}
        />
        <EventTypePicker chosen={[]} subscribed={[]} error="Choose one." onChange={nothing} />
      </Specimen>
      <Specimen file="pages/portal/settings-form.tsx: ColourField">
        <ColourField
          label="Accent"
          hint="Buttons and links."
          value={colour}
          fallback="#3d4fd1"
          onInput={setColour}
        />
        <ColourField
          label="Pale"
          hint="Buttons and links."
          value="#ffff00"
          fallback="#3d4fd1"
          warning="This colour has too little contrast."
          onInput={nothing}
        />
      </Specimen>
      <Specimen file="pages/portal/settings-form.tsx: LogoField">
        <LogoField value={null} onChange={nothing} />
      </Specimen>
      <Specimen file="pages/portal/settings-form.tsx: LookPreview">
        <LookPreview theme={{ scheme: 'system', accent: colour, background: null }} logo={null} />
      </Specimen>
    </Group>
  );
}

function TypedField({ value = '', ...props }: Partial<Parameters<typeof TextField>[0]>) {
  const [typed, setTyped] = useState(value);
  return <TextField label="" {...props} value={typed} onInput={setTyped} />;
}

function TypedArea({ value = '', ...props }: Partial<Parameters<typeof TextArea>[0]>) {
  const [typed, setTyped] = useState(value);
  return <TextArea label="" rows={3} {...props} value={typed} onInput={setTyped} />;
}

/** Boxes, switches and links that are classes, not components. */
function ControlSamples() {
  return (
    <>
      <Specimen file="styles/controls.css">
        <div>
          <label class="check">
            <input type="checkbox" />
            Not chosen
          </label>
          <label class="check">
            <input type="checkbox" checked />
            Chosen
          </label>
          <label class="check">
            <input type="checkbox" disabled />
            Cannot be chosen
          </label>
          <label class="check">
            <input type="radio" name="sample-radio" checked />
            One of several
          </label>
          <label class="check">
            <input type="radio" name="sample-radio" />
            Another of them
          </label>
        </div>
        <fieldset class="themes">
          <legend class="visually-hidden">A switch</legend>
          {['First', 'Second', 'Third'].map((choice) => (
            <label key={choice}>
              <input type="radio" name="sample-switch" defaultChecked={choice === 'First'} />
              {choice}
            </label>
          ))}
        </fieldset>
      </Specimen>
      <Specimen file="styles/surfaces.css">
        <nav class="filter" aria-label="A choice that the URL holds">
          <a href="#fields" aria-current="true">
            Day
          </a>
          <a href="#fields">Week</a>
        </nav>
        <p class="row">
          <span class="tag small">A tag</span>
          <kbd>g</kbd>
          <code>whd_0Vb</code>
        </p>
        <div class="copyable">
          <code>A value to copy</code>
        </div>
        <details>
          <summary>More</summary>
          <p>What few readers need.</p>
        </details>
      </Specimen>
    </>
  );
}

type Draw = (close: () => void) => ComponentChildren;

const error = new RequestError('example', 'It says why.');
const confirm = { action: 'Do it', error: undefined, onConfirm: nothing, busy: false };
const apiKey = { id: 'key_1', last4: 'LaSw' };

/** Dialogs by file, each with the states that a click cannot reach. */
const dialogs: readonly (readonly [file: string, states: Readonly<Record<string, Draw>>])[] = [
  [
    'components/dialog.tsx',
    {
      Plain: (close) => (
        <Dialog title="A dialog" onClose={close}>
          <p>What it is about.</p>
          <div class="dialog-actions">
            <Button onClick={close}>Close</Button>
          </div>
        </Dialog>
      ),
      Long: (close) => (
        <ConfirmDialog {...confirm} title={hiddenText} onClose={close}>
          <p>{`${longText}. `.repeat(40)}</p>
        </ConfirmDialog>
      ),
      Busy: (close) => (
        <ConfirmDialog {...confirm} title="Delete it?" kind="danger" busy onClose={close}>
          <p>This cannot be undone.</p>
        </ConfirmDialog>
      ),
      Failed: (close) => (
        <ConfirmDialog {...confirm} title="Delete it?" error={error} onClose={close}>
          <p>This cannot be undone.</p>
        </ConfirmDialog>
      ),
    },
  ],
  ['shell/shortcuts.tsx', { Open: (close) => <KeyboardHelp entries={menu} onClose={close} /> }],
  [
    'pages/deliveries/deliveries-page.tsx: AttemptDrawer',
    { Open: (close) => <AttemptDrawer id={delivery.id} onClose={close} onMove={nothing} /> },
  ],
  [
    'pages/endpoints/endpoint-dialogs.tsx: RotateDialog',
    { Open: (close) => <RotateDialog id={endpoint.id} onClose={close} /> },
  ],
  [
    'pages/endpoints/delivery-options.tsx: RateLimitDialog',
    { Open: (close) => <RateLimitDialog endpoint={endpoint} onClose={close} /> },
  ],
  [
    'pages/endpoints/delivery-options.tsx: ScheduleDialog',
    {
      Open: (close) => (
        <ScheduleDialog endpoint={endpoint} schedules={retrySchedules} onClose={close} />
      ),
    },
  ],
  [
    'pages/endpoints/headers-dialog.tsx: HeadersDialog',
    {
      None: (close) => <HeadersDialog id={endpoint.id} headers={null} onClose={close} />,
      Set: (close) => <HeadersDialog id={endpoint.id} headers={headers} onClose={close} />,
      'Not sent': (close) => (
        <HeadersDialog id={endpoint.id} headers={{ ...headers, sent: false }} onClose={close} />
      ),
    },
  ],
  [
    'pages/endpoints/public-key-dialogs.tsx: PublicKeyDialog',
    {
      Off: (close) => <PublicKeyDialog id={endpoint.id} isOn={false} onClose={close} />,
      On: (close) => <PublicKeyDialog id={endpoint.id} isOn onClose={close} />,
    },
  ],
  [
    'pages/endpoints/public-key-dialogs.tsx: RotateKeyDialog',
    { Open: (close) => <RotateKeyDialog id={endpoint.id} onClose={close} /> },
  ],
  [
    'pages/endpoints/delivery-options.tsx: OrderDialog',
    { Open: (close) => <OrderDialog endpoint={endpoint} onClose={close} /> },
  ],
  [
    'pages/endpoints/held-subjects.tsx: GiveUpDialog',
    { Open: (close) => heldBy && <GiveUpDialog heldBy={heldBy} onClose={close} /> },
  ],
  [
    'pages/endpoints/filter-dialog.tsx: FilterDialog',
    {
      Open: (close) => (
        <FilterDialog id={endpoint.id} current={endpoint.options.filter} onClose={close} />
      ),
    },
  ],
  [
    'pages/endpoints/endpoint-dialogs.tsx: DisableDialog',
    { Open: (close) => <DisableDialog id={endpoint.id} onClose={close} /> },
  ],
  [
    'pages/endpoints/endpoint-dialogs.tsx: DeleteDialog',
    { Open: (close) => <DeleteDialog endpoint={endpoint} onClose={close} onDeleted={close} /> },
  ],
  [
    'pages/endpoints/endpoint-dialogs.tsx: TestEventDialog',
    { Open: (close) => <TestEventDialog endpoint={endpoint} onClose={close} /> },
  ],
  [
    'pages/event-types/event-type-page.tsx: TestTypeDialog',
    { Open: (close) => <TestTypeDialog type="offer.sent" onClose={close} /> },
  ],
  [
    'pages/account/keys-page.tsx: CreateKeyDialog',
    { Open: (close) => <CreateKeyDialog onClose={close} /> },
  ],
  [
    'pages/account/keys-page.tsx: RevokeKeyDialog',
    { Open: (close) => <RevokeKeyDialog apiKey={apiKey} onClose={close} /> },
  ],
  [
    'pages/account/members-page.tsx: AddMemberDialog',
    { Open: (close) => <AddMemberDialog onClose={close} /> },
  ],
  [
    'pages/account/members-page.tsx: ChangeRoleDialog',
    { Open: (close) => <ChangeRoleDialog member={member} onClose={close} /> },
  ],
  [
    'pages/account/members-page.tsx: RemoveMemberDialog',
    { Open: (close) => <RemoveMemberDialog member={member} onClose={close} /> },
  ],
  [
    'pages/commerce/payments.tsx: RefundDialog',
    { Open: (close) => <RefundDialog payment={payment} onClose={close} /> },
  ],
  [
    'pages/portal/portal-page.tsx: CreateLinkDialog',
    { Open: (close) => <CreateLinkDialog onClose={close} /> },
  ],
];

/** Every dialog, behind a button that opens it. Those of offers and recoveries have their own buttons. */
export function DialogSamples() {
  const [open, setOpen] = useState<Draw>();
  const close = () => setOpen(undefined);
  return (
    <Group title="Dialogs">
      <States>
        {dialogs.map(([file, states]) => (
          <Specimen key={file} file={file}>
            <div class="row">
              {Object.entries(states).map(([name, draw]) => (
                <Button key={name} label={`${name}: ${file}`} onClick={() => setOpen(() => draw)}>
                  {name}
                </Button>
              ))}
            </div>
          </Specimen>
        ))}
        <Specimen file="pages/commerce/offers.tsx: OfferActions">
          <div class="row">
            <OfferActions offer={offer} />
          </div>
          <div class="row">
            <OfferActions offer={{ ...offer, status: 'sent' }} />
          </div>
        </Specimen>
        <Specimen file="pages/recoveries/recoveries.tsx: RecoveryActions">
          <RecoveryActions recovery={recovery} />
          <RecoveryActions recovery={{ ...recovery, status: 'paused' }} />
        </Specimen>
      </States>
      {open?.(close)}
    </Group>
  );
}
