import { text } from '../texts/text.js';
import { ButtonLink } from './button.js';
import './filters.css';

interface ClearFiltersProps {
  readonly filter: object;
  /** The path of the list without a filter. */
  readonly href: string;
}

/** Ends a row of filters, with a link to the unfiltered list if something is filtered. */
export function ClearFilters({ filter, href }: ClearFiltersProps) {
  const used = Object.keys(filter).length > 0;
  return (
    <div class={used ? undefined : 'filters-clear-unused'}>
      <ButtonLink small kind="quiet" href={href}>
        {text.common.clearFilters}
      </ButtonLink>
    </div>
  );
}
