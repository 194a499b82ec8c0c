import { useId, useState } from 'preact/hooks';
import { useQuery } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { DataText } from '../../components/data-text.js';
import { escapeHidden } from '../../components/data-text-parts.js';
import { ErrorNotice } from '../../components/notice.js';
import { TextField } from '../../components/fields.js';
import { eventTypesDocument } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { groupEventTypes } from './event-type-groups.js';

interface EventTypePickerProps {
  readonly chosen: readonly string[];
  /** The types that the endpoint has now: it keeps one that is no longer offered. */
  readonly subscribed: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Chooses event types by category, with a search. */
export function EventTypePicker({ chosen, subscribed, error, onChange }: EventTypePickerProps) {
  const id = useId();
  const [search, setSearch] = useState('');
  const { data, error: failure, reload } = useQuery(eventTypesDocument, {});
  const selected = new Set(chosen);
  const groups = groupEventTypes(data?.eventTypes.data ?? [], new Set(subscribed), search);
  const choose = (ids: readonly string[], wanted: boolean) => {
    const others = chosen.filter((each) => !ids.includes(each));
    onChange(wanted ? [...others, ...ids] : others);
  };
  return (
    <fieldset class="field" aria-describedby={`${id}-hint ${error ? `${id}-error` : ''}`}>
      <legend>{text.endpointForm.types}</legend>
      <p class="field-hint" id={`${id}-hint`}>
        {text.endpointForm.typesHint}{' '}
        <span aria-live="polite">{fill(text.endpointForm.selected, { count: chosen.length })}</span>
      </p>
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      <TextField
        label={text.endpointForm.search}
        labelHidden
        placeholder={text.endpointForm.search}
        type="search"
        value={search}
        onInput={setSearch}
      />
      {failure && <ErrorNotice error={failure} retry={reload} />}
      <div class="type-groups">
        {groups.map(({ category, types }) => (
          <div key={category} role="group" aria-label={escapeHidden(category)}>
            <div class="type-group-header">
              <strong class="category">
                <DataText value={category} />
              </strong>
              <Button
                kind="quiet"
                small
                onClick={() =>
                  choose(
                    types.map((type) => type.id),
                    true,
                  )
                }
              >
                {text.endpointForm.selectAll}
                <span class="visually-hidden">
                  {' '}
                  {escapeHidden(fill(text.endpointForm.of, { category }))}
                </span>
              </Button>
            </div>
            {types.map((type) => (
              <label key={type.id} class="check">
                <input
                  type="checkbox"
                  checked={selected.has(type.id)}
                  onChange={(event) => choose([type.id], event.currentTarget.checked)}
                />
                <span>
                  <code>{type.id}</code>
                  <span class="soft small">
                    {' '}
                    <DataText value={type.summary} />
                    {!type.sent && ` (${text.endpointForm.notYetSent})`}
                    {!type.acceptsNewSubscriptions && ` (${text.endpointForm.retired})`}
                  </span>
                </span>
              </label>
            ))}
          </div>
        ))}
        {data && groups.length === 0 && (
          <p class="soft">{fill(text.endpointForm.noneFound, { search })}</p>
        )}
        {!data && !failure && <span class="skeleton" />}
      </div>
    </fieldset>
  );
}
