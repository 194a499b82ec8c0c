import { useEffect, useState } from 'preact/hooks';
import { incompleteIn, useFocusOnRefusal } from '../../api/use-action.js';
import { Button } from '../../components/button.js';
import { TextField } from '../../components/fields.js';
import { text } from '../../texts/text.js';
import { fieldsOf, instantsOf, isEmptyRange, type RangeFields } from './custom-range.js';
import type { DeliveryFilter } from './delivery-filter.js';

interface CustomRangeFormProps {
  readonly filter: DeliveryFilter;
  /** Why the service refused the range, by its ends. */
  readonly refused?: Readonly<Record<string, string>> | undefined;
  readonly onApply: (range: Pick<DeliveryFilter, 'since' | 'until'>) => void;
}

/** The fields of a range that none of the choices has. It is searched when it is applied. */
export function CustomRangeForm({ filter, refused, onApply }: CustomRangeFormProps) {
  const [fields, setFields] = useState(() => fieldsOf(filter));
  useEffect(() => setFields(fieldsOf(filter)), [filter.since, filter.until]);
  const texts = text.deliveries;
  // A value that is still typed is often before the start.
  const [typing, setTyping] = useState(false);
  // Half a date has no value, as no date.
  const [incomplete, setIncomplete] = useState<readonly string[]>([]);
  const form = useFocusOnRefusal(refused);
  const empty = isEmptyRange(fields);
  const type = (part: Partial<RangeFields>) => {
    setFields({ ...fields, ...part });
    setTyping(true);
    setIncomplete([]);
  };
  const stopTyping = () => setTyping(false);
  const untilError = incomplete.includes('until')
    ? text.recoveries.dateInvalid
    : empty && !typing
      ? texts.emptyRange
      : refused?.['until'];
  return (
    <form
      ref={form}
      class="filters-end filter-range"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        stopTyping();
        const halves = incompleteIn(event.currentTarget);
        setIncomplete(halves);
        if (!empty && halves.length === 0) onApply(instantsOf(fields, filter));
      }}
    >
      <TextField
        type="datetime-local"
        label={texts.from}
        name="since"
        value={fields.since}
        error={incomplete.includes('since') ? text.recoveries.dateInvalid : refused?.['since']}
        onInput={(since) => type({ since })}
        onBlur={stopTyping}
      />
      <TextField
        type="datetime-local"
        label={texts.until}
        name="until"
        value={fields.until}
        error={untilError}
        onInput={(until) => type({ until })}
        onBlur={stopTyping}
      />
      <div class="filters-end row small">
        <Button small type="submit">
          {texts.apply}
        </Button>
        <span class="soft">{texts.rangeHint}</span>
      </div>
    </form>
  );
}
