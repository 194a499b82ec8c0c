import { useState } from 'preact/hooks';
import { useUnsaved } from '../../api/new-version.js';
import { execute } from '../../api/request.js';
import { useAction } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { DataText } from '../../components/data-text.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { TextArea } from '../../components/fields.js';
import { Instant } from '../../components/instant.js';
import { showToast } from '../../components/toast.js';
import {
  setEndpointOptionsDocument,
  tryFilterDocument,
  type tryFilterQuery,
} from '../../generated/documents.js';
import { fill } from '../../texts/text.js';
import { refusedCharacter } from './endpoint-rules.js';
import { optionTexts } from './option-texts.js';

interface FilterValueProps {
  readonly filter: string | null;
}

/** The filter of an endpoint. */
export function FilterValue({ filter }: FilterValueProps) {
  if (filter === null) return <>{optionTexts.filterNone}</>;
  return (
    <code class="filter-text">
      <DataText value={filter} />
    </code>
  );
}

interface FilterDialogProps {
  readonly id: string;
  /** The filter that is set. */
  readonly current: string | null;
  readonly onClose: () => void;
}

/** Sets which events an endpoint gets, and says before which of the recent ones match. */
export function FilterDialog({ id, current, onClose }: FilterDialogProps) {
  const [typed, setTyped] = useState(current ?? '');
  const [tried, setTried] = useState<readonly TriedEvent[]>();
  const filter = typed.trim();

  const trying = useAction(async () => {
    saving.clear();
    setTried(undefined);
    setTried((await execute(tryFilterDocument, { id: id, filter })).events);
  });

  const saving = useAction(async () => {
    trying.clear();
    const input = { filter: filter === '' ? null : filter };
    await execute(setEndpointOptionsDocument, { id: id, input });
    refresh();
    showToast(optionTexts.optionSaved);
    onClose();
  });

  useUnsaved(filter !== (current ?? ''));

  const error = saving.error ?? trying.error;
  const refusal = error?.fields['filter'];
  return (
    <ConfirmDialog
      title={optionTexts.filterTitle}
      action={optionTexts.optionSave}
      busy={saving.running}
      error={refusal === undefined ? error : undefined}
      onConfirm={() => void saving.run()}
      onClose={onClose}
    >
      <p class="soft">{optionTexts.filterDetail}</p>
      <TextArea
        label={optionTexts.filterField}
        hint={optionTexts.filterHint}
        rows={4}
        value={typed}
        error={refusal}
        onInput={(value) => {
          setTyped(value);
          setTried(undefined);
          trying.clear();
          saving.clear();
        }}
      />
      {refusal !== undefined && <RefusedText filter={filter} refusal={refusal} />}
      <div>
        <Button small busy={trying.running || filter === ''} onClick={() => void trying.run()}>
          {optionTexts.filterTry}
        </Button>
      </div>
      <div role="status">{tried && <TriedEvents events={tried} />}</div>
    </ConfirmDialog>
  );
}

interface RefusedTextProps {
  readonly filter: string;
  readonly refusal: string;
}

/** The text of a filter with the refused character marked. The refusal also says its number. */
function RefusedText({ filter, refusal }: RefusedTextProps) {
  const place = refusedCharacter(filter, refusal);
  if (!place) return null;
  return (
    <p class="mono small filter-text" aria-hidden="true">
      <DataText value={place.before} />
      <mark>{place.character === '' ? '\u00a0' : <DataText value={place.character} />}</mark>
      <DataText value={place.after} />
    </p>
  );
}

type TriedEvent = tryFilterQuery['events'][number];

/** Which of the recent events a filter matches. */
export function TriedEvents({ events }: { readonly events: readonly TriedEvent[] }) {
  const count = events.filter(({ matches }) => matches).length;
  if (events.length === 0) return <p>{optionTexts.filterNoEvents}</p>;
  return (
    <>
      <p>{fill(optionTexts.filterMatches, { count, all: events.length })}</p>
      <ul class="rows tried-events" tabIndex={0} aria-label={optionTexts.filterTried}>
        {events.map(({ id, type, subject, occurredAt, matches }) => (
          <li key={id}>
            <span class={`badge ${matches ? 'badge-good' : ''}`}>
              {matches ? optionTexts.filterMatch : optionTexts.filterNoMatch}
            </span>
            <span class="small mono">
              <DataText value={`${type} ${subject}`} />
            </span>
            <span class="small soft">
              <Instant at={occurredAt} style="short" />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
