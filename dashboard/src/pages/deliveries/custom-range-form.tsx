import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../components/button.js';
import { TextField } from '../../components/text-field.js';
import { text } from '../../texts/text.js';
import { fieldsOf, instantsOf, isEmptyRange } from './custom-range.js';
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
  const empty = isEmptyRange(fields);
  return (
    <form
      class="filters-end filter-range"
      onSubmit={(event) => {
        event.preventDefault();
        if (!empty) onApply(instantsOf(fields, filter));
      }}
    >
      <TextField
        type="datetime-local"
        label={texts.from}
        value={fields.since}
        onInput={(value) => setFields({ ...fields, since: value })}
      />
      <TextField
        type="datetime-local"
        label={texts.until}
        value={fields.until}
        error={empty ? texts.emptyRange : undefined}
        onInput={(value) => setFields({ ...fields, until: value })}
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
