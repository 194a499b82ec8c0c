import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { RequestError } from '../../api/request-error.js';
import { ClearFilters } from '../../components/clear-filters.js';
import { SelectField, TextArea, TextField } from '../../components/fields.js';
import type { Role } from '../../generated/documents.js';
import { AuditFilters } from '../account/audit-page.js';
import { RoleField } from '../account/members-page.js';
import { SaleFilters } from '../commerce/sale-filters.js';
import { CustomRangeForm, FilterBar } from '../deliveries/deliveries-page.js';
import { readFilter } from '../deliveries/delivery-filter.js';
import { EventTypePicker } from '../endpoints/endpoint-form.js';
import { ColourField, LogoField, LookPreview } from '../portal/settings-form.js';
import { hiddenText, longText, minutesAgo } from './sample-data.js';
import { Group, nothing, Specimen, State, States } from './specimen.js';

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
      <Specimen file="pages/commerce/sale-filters.tsx">
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
