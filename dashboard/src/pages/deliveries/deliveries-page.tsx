import { useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { base } from '../../api/base.js';
import { Button, ButtonLink } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { useShortcuts } from '../../shell/shortcuts.js';
import { fill, text } from '../../texts/text.js';
import { useEndpointOptions } from '../endpoints/use-endpoint-options.js';
import { AttemptDrawer } from './attempt-drawer.js';
import { pathOfList, readFilter } from './delivery-filter.js';
import { maxRows, wantsPage } from './delivery-list.js';
import { DeliveryTable } from './delivery-table.js';
import { FilterBar } from './filter-bar.js';
import { LiveTail } from './live-tail.js';
import { type Deliveries, useDeliveries } from './use-deliveries.js';
import { useLive } from './use-live.js';
import './deliveries.css';

/** The attempts of the account, newest first, with those that end now. The URL holds the filter. */
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
        title={text.deliveries.title}
        lead={text.deliveries.lead}
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

/** Leads to what has ended meanwhile. Says the number politely; the rows are silent. */
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
  const texts = text.deliveries;
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
  const texts = text.deliveries;
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
