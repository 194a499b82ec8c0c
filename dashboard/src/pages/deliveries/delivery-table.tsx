import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { escapeHidden } from '../../components/data-text-parts.js';
import { DataText } from '../../components/data-text.js';
import { Instant } from '../../components/instant.js';
import { Windowed } from '../../components/windowed.js';
import { fill, text } from '../../texts/text.js';
import { hostAndPath } from '../endpoints/host.js';
import { type DeliveryFilter, pathOfList } from './delivery-filter.js';
import type { ListedDelivery } from './delivery-list.js';
import { AnswerText, StatusBadge } from './outcome.js';

const texts = text.deliveries;

/** The heights of rows in deliveries.css. */
const rowHeight = 44;
const narrowRowHeight = 92;
/** Below this width, the columns of the list do not fit next to each other. */
const narrowRem = 52;

interface DeliveryTableProps {
  readonly rows: readonly ListedDelivery[];
  readonly filter: DeliveryFilter;
  /** The id of the delivery that is open in the drawer. */
  readonly open: string | undefined;
  /** The URLs of endpoints by id: the stream sends ids only. */
  readonly endpoints: ReadonlyMap<string, string>;
  /** Whether older rows may follow. */
  readonly hasMore: boolean;
  readonly busy: boolean;
  readonly onNearEnd: () => void;
  /** Called with whether the newest row is visible. */
  readonly onTop: (top: boolean) => void;
  /** The list scrolls to its start when this number changes. */
  readonly round: number;
  /** Shown above the rows, without moving them. */
  readonly notice: ComponentChildren;
  readonly footer: ComponentChildren;
}

/** Up to 10,000 deliveries, of which about forty are in the DOM. */
export function DeliveryTable(props: DeliveryTableProps) {
  const { rows, filter, open, endpoints, hasMore, busy, onNearEnd, onTop, round } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { route } = useLocation();
  const narrow = useNarrow(scroller);
  const height = narrow ? narrowRowHeight : rowHeight;
  const current = open === undefined ? -1 : rows.findIndex(({ id }) => id === open);

  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0;
  }, [round]);

  return (
    <div class={`card deliveries ${narrow ? 'deliveries-narrow' : ''}`}>
      {props.notice}
      <div
        class="deliveries-scroller"
        ref={scroller}
        role="table"
        aria-label={texts.table}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        aria-busy={busy}
        onScroll={(event) => onTop(event.currentTarget.scrollTop < height)}
      >
        <div role="rowgroup" class="deliveries-head">
          <div role="row" aria-rowindex={1} class="delivery-row small soft">
            {Object.entries(texts.columns).map(([name, label]) => (
              <span key={name} role="columnheader" class={`cell-${name}`}>
                {label}
              </span>
            ))}
          </div>
        </div>
        <div role="rowgroup">
          <Windowed
            count={rows.length}
            rowHeight={height}
            scroller={scroller}
            current={current < 0 ? undefined : current}
            onNearEnd={onNearEnd}
            renderRow={(index) => {
              const delivery = rows[index];
              return (
                delivery && (
                  <DeliveryRow
                    key={delivery.id}
                    index={index}
                    delivery={delivery}
                    url={delivery.endpoint?.url ?? endpoints.get(delivery.endpoint?.id ?? '')}
                    href={pathOfList(filter, delivery.id)}
                    open={index === current}
                    onOpen={() => route(pathOfList(filter, delivery.id))}
                  />
                )
              );
            }}
          />
        </div>
      </div>
      {props.footer}
    </div>
  );
}

interface DeliveryRowProps {
  readonly index: number;
  readonly delivery: ListedDelivery;
  readonly url: string | undefined;
  readonly href: string;
  readonly open: boolean;
  readonly onOpen: () => void;
}

function DeliveryRow({ index, delivery, url, href, open, onOpen }: DeliveryRowProps) {
  const { id, status, eventType, endpoint, attempt, maxAttempts, createdAt } = delivery;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-current={open || undefined}
      class="delivery-row"
      onClick={onOpen}
    >
      <span role="cell" class="cell-status">
        <StatusBadge status={status} />
      </span>
      <span role="cell" class="cell-type">
        <a
          id={`row-${id}`}
          href={href}
          class="mono"
          // The row handles the click already.
          onClick={(event) => event.stopPropagation()}
        >
          <DataText value={eventType} />
        </a>
        {delivery.test && <span class="tag small">{texts.test}</span>}
        {delivery.replayedFrom && <span class="tag small">{texts.replay}</span>}
      </span>
      <span role="cell" class="cell-endpoint" title={url && escapeHidden(url)}>
        {endpoint ? (
          <DataText value={url ? hostAndPath(url) : endpoint.id} />
        ) : (
          texts.deletedEndpoint
        )}
      </span>
      <span role="cell" class="cell-attempt">
        {fill(texts.attemptOf, { attempt, max: maxAttempts })}
      </span>
      <span role="cell" class="cell-answer">
        <AnswerText delivery={delivery} />
      </span>
      <span role="cell" class="cell-time soft">
        <Instant at={createdAt} style="short" />
      </span>
    </div>
  );
}

/** Whether the list is narrow. Next to the menu or in a frame it can be, even in a wide window. */
function useNarrow(list: RefObject<HTMLElement | null>): boolean {
  const [narrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const measure = () => {
      const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
      setNarrow(element.clientWidth < narrowRem * rem);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);

  return narrow;
}
