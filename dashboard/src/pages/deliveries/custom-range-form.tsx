import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../components/button.js';
import { TextField } from '../../components/text-field.js';
import { text } from '../../texts/text.js';
import { fieldsOf, instantsOf, isEmptyRange, type RangeFields } from './custom-range.js';
import type { DeliveryFilter } from './delivery-filter.js';

interface CustomRangeFormProps {
  readonly filter: DeliveryFilter;
  readonly onApply: (range: Pick<DeliveryFilter, 'since' | 'until'>) => void;
}

/** The fields of a range that none of the choices has. It is searched when it is applied. */
export function CustomRangeForm({ filter, onApply }: CustomRangeFormProps) {
  const [fields, setFields] = useState(() => fieldsOf(filter));
  useEffect(() => setFields(fieldsOf(filter)), [filter.since, filter.until]);
  const texts = text.deliveries;
  // A value that is still typed is often before the start.
  const [typing, setTyping] = useState(false);
  const empty = isEmptyRange(fields);
  const type = (part: Partial<RangeFields>) => {
    setFields({ ...fields, ...part });
    setTyping(true);
  };
  const stopTyping = () => setTyping(false);
  return (
    <form
      class="filters-end filter-range"
      onSubmit={(event) => {
        event.preventDefault();
        stopTyping();
        if (!empty) onApply(instantsOf(fields, filter));
      }}
    >
      <TextField
        type="datetime-local"
        label={texts.from}
        value={fields.since}
        onInput={(since) => type({ since })}
        onBlur={stopTyping}
      />
      <TextField
        type="datetime-local"
        label={texts.until}
        value={fields.until}
        error={empty && !typing ? texts.emptyRange : undefined}
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
