import { useLocation } from 'preact-iso';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { base } from '../../api/base.js';
import type { RequestError } from '../../api/request-error.js';
import { incompleteIn, useFocusOnRefusal } from '../../api/use-action.js';
import { useQuery } from '../../api/use-query.js';
import { Button, ButtonLink } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { ClearFilters } from '../../components/clear-filters.js';
import { DataText } from '../../components/data-text.js';
import { SelectField, TextField } from '../../components/fields.js';
import { lazyPart } from '../../components/lazy-part.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { eventTypesDocument } from '../../generated/documents.js';
import { useShortcuts } from '../../shell/shortcuts.js';
import { fill, text } from '../../texts/text.js';
import { endpointChoices } from '../endpoints/host.js';
import { useEndpointOptions } from '../endpoints/use-endpoint-options.js';
import {
  customRange,
  deliveriesPath,
  type DeliveryFilter,
  fieldsOf,
  instantsOf,
  isCustom,
  isEmptyRange,
  pathOfList,
  type RangeFields,
  ranges,
  readFilter,
  statuses,
  withRange,
} from './delivery-filter.js';
import { maxRows, wantsPage } from './delivery-list.js';
import { DeliveryTable } from './delivery-table.js';
import { type Deliveries, type LiveState, useDeliveries, useLive } from './use-deliveries.js';
import './deliveries.css';

const texts = text.deliveries;
const AttemptInspector = lazyPart(() =>
  import('./delivery-page.js').then((module) => module.AttemptInspector),
);

/**
 * The delivery attempts of the account, newest first, joined by those that finish now.
 *
 * The URL holds the filter and the open attempt. Two sources feed the list: the pages of a search, and the
 * live stream. Each attempt is in the list once, whichever source brings it first, and the list keeps at
 * most 10,000 rows. While the reader looks at older rows or has paused the list, finished attempts are held
 * back and counted, so that nothing moves under the pointer. When the stream opens, the list reads its first
 * page again; after a gap in the stream, it starts anew.
 */
export function DeliveriesPage() {
  const { query, route } = useLocation();
  const filter = readFilter(query);
  const open = query['open'];
  const deliveries = useDeliveries(filter);
  const [paused, setPaused] = useState(false);
  const [top, setTop] = useState(true);
  const [round, setRound] = useState(0);
  const endpoints = useEndpointUrls();
  const { list, loading, error, reload, arrive, catchUp } = deliveries;
  const show = top && !paused;
  const live = useLive({
    filter,
    onArrive: (arrived) => arrive(arrived, show),
    onOpen: (gap) => {
      if (gap) reload();
      else catchUp(show).catch(() => reload());
    },
  });

  const showArrived = () => {
    arrive([], true);
    setRound((before) => before + 1);
  };

  const pause = () => {
    if (paused) showArrived();
    setPaused(!paused);
  };

  const move = (distance: number) => {
    const place = list.rows.findIndex(({ id }) => id === open);
    const next = list.rows[place < 0 ? 0 : Math.max(0, place + distance)];
    if (next) route(pathOfList(filter, next.id), true);
  };

  useShortcuts({ j: () => move(1), k: () => move(-1), '.': pause });

  const empty = list.rows.length === 0 && list.next === null;
  return (
    <>
      <PageHeader
        title={texts.title}
        lead={texts.lead}
        actions={
          live.state !== 'off' && (
            <LiveTail state={live.state} detail={live.detail} paused={paused} onPause={pause} />
          )
        }
      />
      <FilterBar filter={filter} error={error} />
      {error && <ErrorNotice error={error} retry={reload} />}
      {empty ? (
        <NoDelivery filtered={Object.keys(filter).length > 0} />
      ) : (
        <DeliveryTable
          rows={list.rows}
          filter={filter}
          open={open}
          endpoints={endpoints}
          hasMore={list.next != null}
          busy={loading}
          onNearEnd={deliveries.more}
          onTop={setTop}
          round={round}
          notice={<Arrived count={list.arrived.length} onShow={showArrived} />}
          footer={<Footer deliveries={deliveries} />}
        />
      )}
      {open !== undefined && (
        <AttemptDrawer id={open} onClose={() => route(pathOfList(filter))} onMove={move} />
      )}
    </>
  );
}

/** Shows what has finished meanwhile. Screen readers hear the number, not the rows. */
function Arrived({ count, onShow }: { readonly count: number; readonly onShow: () => void }) {
  return (
    <div class="arrived" role="status">
      {count > 0 && (
        <Button small kind="primary" onClick={onShow}>
          ↑ {fill(text.live.arrived, { count })}
        </Button>
      )}
    </div>
  );
}

function Footer({ deliveries: { list, loading, goOn } }: { readonly deliveries: Deliveries }) {
  if (loading) return <p class="deliveries-foot soft small">{text.common.loading}</p>;

  if (list.rows.length >= maxRows) {
    return <p class="deliveries-foot soft small">{fill(texts.full, { count: maxRows })}</p>;
  }

  if (list.next != null && !wantsPage(list)) {
    return (
      <div class="deliveries-foot row small">
        <span>{texts.further}</span>
        <Button small onClick={goOn}>
          {texts.goOn}
        </Button>
      </div>
    );
  }

  return <p class="deliveries-foot soft small">{list.next === null ? texts.end : texts.scroll}</p>;
}

function NoDelivery({ filtered }: { readonly filtered: boolean }) {
  return (
    <EmptyState
      title={filtered ? texts.emptyFilterTitle : texts.emptyTitle}
      action={
        filtered ? (
          <ButtonLink href={pathOfList({})}>{text.common.clearFilters}</ButtonLink>
        ) : (
          <ButtonLink href={`${base}/endpoints`}>{texts.toEndpoints}</ButtonLink>
        )
      }
    >
      {filtered ? texts.emptyFilter : texts.empty}
    </EmptyState>
  );
}

function useEndpointUrls(): ReadonlyMap<string, string> {
  const endpoints = useEndpointOptions().data;
  return useMemo(() => new Map(endpoints?.map(({ id, url }) => [id, url])), [endpoints]);
}

interface LiveTailProps {
  readonly state: Exclude<LiveState, 'off'>;
  /** What the service said when it closed the stream. */
  readonly detail: string | undefined;
  readonly paused: boolean;
  readonly onPause: () => void;
}

/** Says whether the list is live, with a button that pauses it. */
export function LiveTail({ state, detail, paused, onPause }: LiveTailProps) {
  const shown = paused ? 'paused' : state;
  return (
    <>
      <span
        class={`badge live-${shown} ${shown === 'live' ? 'badge-good' : ''}`}
        title={state === 'lost' ? detail : undefined}
      >
        {text.live[shown]}
      </span>
      <Button small onClick={onPause}>
        {paused ? text.live.resume : text.live.pause}
        <kbd aria-hidden="true">.</kbd>
      </Button>
    </>
  );
}

interface FilterBarProps {
  readonly filter: DeliveryFilter;
  /** Why the service refused the filter. */
  readonly error?: RequestError | undefined;
}

/** The filters of the list. They are in the URL. */
export function FilterBar({ filter, error }: FilterBarProps) {
  const { route } = useLocation();
  const endpoints = useEndpointOptions().data ?? [];
  const types = useQuery(eventTypesDocument, {}).data?.eventTypes.data ?? [];
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
          ...statuses.map((status) => [status, texts.statuses[status]] as const),
        ]}
        onChange={(value) => change('status', value)}
      />
      <SelectField
        label={texts.time}
        value={custom ? customRange : (filter.range ?? '')}
        options={[
          ['', texts.anyTime],
          ...ranges.map((range) => [range, texts.ranges[range]] as const),
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

/** Why the service refused each filter. It names no field if an endpoint or event is not found. */
function refusalsOf(
  { endpoint, event }: DeliveryFilter,
  error: RequestError | undefined,
): Readonly<Record<string, string>> {
  if (error?.code !== 'not_found') return error?.fields ?? {};
  // With both filters, only the notice above the list says which one it is.
  if (endpoint !== undefined && event === undefined) return { endpoint: error.message };
  return event !== undefined && endpoint === undefined ? { event: error.message } : {};
}

/** The options, including a chosen value that the service did not list. */
function withChosen(
  none: string,
  chosen: string | undefined,
  options: readonly (readonly [string, string])[],
): readonly (readonly [string, string])[] {
  const known = chosen === undefined || options.some(([value]) => value === chosen);
  return [['', none], ...(known ? [] : [[chosen, chosen] as const]), ...options];
}

interface CustomRangeFormProps {
  readonly filter: DeliveryFilter;
  /** Why the service refused `since` or `until`. */
  readonly refused?: Readonly<Record<string, string>> | undefined;
  readonly onApply: (range: Pick<DeliveryFilter, 'since' | 'until'>) => void;
}

/** The fields of a custom range, which takes effect when it is applied. */
export function CustomRangeForm({ filter, refused, onApply }: CustomRangeFormProps) {
  const [fields, setFields] = useState(() => fieldsOf(filter));
  useEffect(() => setFields(fieldsOf(filter)), [filter.since, filter.until]);

  // While someone types the end, it is often before the start.
  const [typing, setTyping] = useState(false);

  // A half-typed date has no value, just like an empty field.
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

interface AttemptDrawerProps {
  readonly id: string;
  readonly onClose: () => void;
  /** Moves to the next row (1) or the previous one (-1). */
  readonly onMove: (distance: number) => void;
}

/** One attempt in a drawer next to the list, which stays usable. */
export function AttemptDrawer({ id, onClose, onMove }: AttemptDrawerProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, [id]);

  // Returns the focus to the row that was open.
  const close = () => {
    onClose();
    document.getElementById(`row-${id}`)?.focus();
  };

  useShortcuts({ Escape: close });

  return (
    <aside class="drawer" aria-labelledby="attempt">
      <div class="drawer-head">
        <h2 id="attempt" ref={heading} tabIndex={-1}>
          {text.attempt.title}
        </h2>
        <div class="row">
          <Button small kind="quiet" onClick={() => onMove(-1)}>
            ↑<span class="visually-hidden">{text.attempt.newer}</span>
          </Button>
          <Button small kind="quiet" onClick={() => onMove(1)}>
            ↓<span class="visually-hidden">{text.attempt.older}</span>
          </Button>
          <ButtonLink small href={`${base}/deliveries/${id}`}>
            {text.attempt.page}
          </ButtonLink>
          <Button small kind="quiet" onClick={close}>
            ✕<span class="visually-hidden">{text.common.close}</span>
          </Button>
        </div>
      </div>
      <div class="stack drawer-body">
        <AttemptInspector key={id} id={id} />
      </div>
    </aside>
  );
}
