import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { RequestError } from '../../api/request-error.js';
import { incompleteIn, useFocusOnRefusal } from '../../api/use-action.js';
import { Button } from '../../components/button.js';
import { ClearFilters } from '../../components/clear-filters.js';
import { TextField } from '../../components/fields.js';
import { text } from '../../texts/text.js';
import {
  filteredPath,
  hasNumber,
  readSaleFilter,
  type SaleFilter,
  type SaleKind,
  salePath,
} from './sale-paths.js';
import '../../components/filters.css';

const texts = text.commerce;

interface SaleFiltersProps {
  readonly kind: SaleKind;
  readonly filter: SaleFilter;
  /** Why the service refused the filter. */
  readonly error: RequestError | undefined;
}

/** The filters of a list: by buyer, invoice number and days. Applying them puts them into the URL. */
export function SaleFilters(props: SaleFiltersProps) {
  // Another URL starts with other values.
  return <FilterForm key={JSON.stringify(props.filter)} {...props} />;
}

function FilterForm({ kind, filter, error }: SaleFiltersProps) {
  const { route } = useLocation();
  const [typed, setTyped] = useState(filter);
  const form = useFocusOnRefusal(error);

  // While someone types the last day, it is often before the first.
  const [typing, setTyping] = useState(false);

  // A half-typed date has no value, just like an empty field.
  const [incomplete, setIncomplete] = useState<readonly string[]>([]);
  const type = (name: keyof SaleFilter) => (value: string) => {
    setTyped({ ...typed, [name]: value });
    setTyping(true);
    setIncomplete([]);
  };

  const stopTyping = () => setTyping(false);
  const { from = '', to = '' } = typed;
  const reversed = from !== '' && to !== '' && from > to;
  const fromError = incomplete.includes('from') ? texts.dayInvalid : error?.fields['created_from'];
  const toError = incomplete.includes('to')
    ? texts.dayInvalid
    : reversed && !typing
      ? texts.daysReversed
      : error?.fields['created_to'];

  return (
    <form
      ref={form}
      noValidate
      class="filters sale-filters"
      role="search"
      aria-label={texts.kinds[kind]}
      onSubmit={(event) => {
        event.preventDefault();
        stopTyping();
        const halves = incompleteIn(event.currentTarget);
        setIncomplete(halves);
        if (!reversed && halves.length === 0)
          route(filteredPath(kind, readSaleFilter(kind, { ...typed })));
      }}
    >
      <TextField
        label={texts.buyerFilter}
        type="search"
        value={typed.buyer ?? ''}
        error={error?.fields['buyer_email']}
        onInput={type('buyer')}
      />
      {hasNumber(kind) && (
        <TextField
          label={texts.numberFilter}
          placeholder={texts.numberExample}
          type="search"
          value={typed.number ?? ''}
          error={error?.fields['number']}
          onInput={type('number')}
        />
      )}
      <TextField
        label={texts.fromDay}
        type="date"
        name="from"
        value={from}
        error={fromError}
        onInput={type('from')}
        onBlur={stopTyping}
      />
      <TextField
        label={texts.toDay}
        type="date"
        name="to"
        value={to}
        error={toError}
        onInput={type('to')}
        onBlur={stopTyping}
      />
      <div class="row sale-filters-end">
        <Button small type="submit">
          {texts.show}
        </Button>
        <ClearFilters filter={filter} href={salePath(kind)} />
      </div>
      <p class="filters-end soft small">{texts.daysHint}</p>
    </form>
  );
}
