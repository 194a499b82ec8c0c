import type { RequestError } from '../../api/request-error.js';
import { Card } from '../../components/card.js';
import { SelectField, TextField } from '../../components/fields.js';
import { text } from '../../texts/text.js';
import { endpointChoices } from '../endpoints/host.js';
import { useEndpointOptions } from '../endpoints/use-endpoint-options.js';
import { issuesOf, kinds, type RecoveryDraft } from './recovery-draft.js';

interface RecoveryFormProps {
  readonly draft: RecoveryDraft;
  /** The types of the chosen endpoint. */
  readonly subscribed: readonly string[];
  readonly error: RequestError | undefined;
  readonly onChange: (part: Partial<RecoveryDraft>) => void;
}

const texts = text.recoveries;

/** The fields of a recovery. The preview below follows them. */
export function RecoveryForm({ draft, subscribed, error, onChange }: RecoveryFormProps) {
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
    const others = chosen.filter((each) => each !== type);
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
