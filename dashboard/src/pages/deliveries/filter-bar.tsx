import { useLocation } from 'preact-iso';
import type { RequestError } from '../../api/request-error.js';
import { useQuery } from '../../api/use-query.js';
import { ClearFilters } from '../../components/clear-filters.js';
import { DataText } from '../../components/data-text.js';
import { SelectField } from '../../components/fields.js';
import { eventTypesDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { endpointChoices } from '../endpoints/host.js';
import { useEndpointOptions } from '../endpoints/use-endpoint-options.js';
import { CustomRangeForm } from './custom-range-form.js';
import {
  customRange,
  deliveriesPath,
  type DeliveryFilter,
  isCustom,
  pathOfList,
  ranges,
  readFilter,
  statuses,
  withRange,
} from './delivery-filter.js';

interface FilterBarProps {
  readonly filter: DeliveryFilter;
  /** Why the service refused the filter. */
  readonly error?: RequestError | undefined;
}

/** What the list shows. Each choice is in the URL. */
export function FilterBar({ filter, error }: FilterBarProps) {
  const { route } = useLocation();
  const endpoints = useEndpointOptions().data ?? [];
  const types = useQuery(eventTypesDocument, {}).data?.eventTypes.data ?? [];
  const texts = text.deliveries;
  const change = (name: string, value: string) =>
    route(pathOfList(readFilter({ ...filter, [name]: value })));
  const custom = isCustom(filter);
  const refused = refusalsOf(filter, error);
  return (
    <div class="filters" role="group" aria-label={texts.filters}>
      <SelectField
        label={texts.endpoint}
        value={filter.endpoint ?? ''}
        options={withChosen(texts.anyEndpoint, filter.endpoint, endpointChoices(endpoints))}
        error={refused['endpoint']}
        onChange={(value) => change('endpoint', value)}
      />
      <SelectField
        label={texts.type}
        value={filter.type ?? ''}
        options={withChosen(
          texts.anyType,
          filter.type,
          types.map(({ id }) => [id, id] as const),
        )}
        error={refused['eventType']}
        onChange={(value) => change('type', value)}
      />
      <SelectField
        label={texts.status}
        value={filter.status ?? ''}
        options={[
          ['', texts.anyStatus],
          ...statuses.map((each) => [each, texts.statuses[each]] as const),
        ]}
        onChange={(value) => change('status', value)}
      />
      <SelectField
        label={texts.time}
        value={custom ? customRange : (filter.range ?? '')}
        options={[
          ['', texts.anyTime],
          ...ranges.map((each) => [each, texts.ranges[each]] as const),
          [customRange, texts.customTime],
        ]}
        onChange={(value) => route(pathOfList(withRange(filter, value, Date.now())))}
      />
      <ClearFilters filter={filter} href={deliveriesPath} />
      {custom && (
        <CustomRangeForm
          filter={filter}
          refused={error?.fields}
          onApply={({ since, until }) =>
            route(pathOfList(readFilter({ ...filter, range: customRange, since, until })))
          }
        />
      )}
      {filter.event && (
        <p class="filters-end small">
          {texts.event} {/* Anyone can write a URL. */}
          <code>
            <DataText value={filter.event} />
          </code>
          {refused['event'] !== undefined && (
            <span class="field-error" role="alert">
              {' '}
              {refused['event']}
            </span>
          )}
        </p>
      )}
    </div>
  );
}

/** Why the service refused each choice. It names no field for an endpoint or event that is not found. */
function refusalsOf(
  { endpoint, event }: DeliveryFilter,
  error: RequestError | undefined,
): Readonly<Record<string, string>> {
  if (error?.code !== 'not_found') return error?.fields ?? {};
  // With both, only the notice above the list says which.
  if (endpoint !== undefined && event === undefined) return { endpoint: error.message };
  return event !== undefined && endpoint === undefined ? { event: error.message } : {};
}

/** The options, with the chosen value also where the service did not list it. */
function withChosen(
  none: string,
  chosen: string | undefined,
  options: readonly (readonly [string, string])[],
): readonly (readonly [string, string])[] {
  const known = chosen === undefined || options.some(([value]) => value === chosen);
  return [['', none], ...(known ? [] : [[chosen, chosen] as const]), ...options];
}
