import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { base, inPortal } from '../../api/base.js';
import type { RequestError } from '../../api/request-error.js';
import { execute, hasPageToken } from '../../api/request.js';
import { session } from '../../api/session-state.js';
import { toRequestError } from '../../api/use-query.js';
import { deliveriesDocument } from '../../generated/documents.js';
import type { ReadStream, StreamPlace } from '../../stream/live-stream.js';
import { readStream, shareStream } from '../../stream/stream-client.js';
import { type DeliveryFilter, searchOf } from './delivery-filter.js';
import {
  addArrived,
  addPage,
  type DeliveryList,
  deliveryOfFrame,
  emptyList,
  goOn,
  type ListedDelivery,
  matchesFilter,
  wantsPage,
} from './delivery-list.js';

/** The deliveries that match a filter, read page by page. */
export interface Deliveries {
  readonly list: DeliveryList;
  readonly loading: boolean;
  readonly error: RequestError | undefined;
  /** Reads the next page if there is one. */
  readonly more: () => void;
  /** Continues after many empty pages. */
  readonly goOn: () => void;
  /**
   * Adds what finished between the first page and the start of the stream: to the list, or held back.
   * @throws RequestError
   */
  readonly catchUp: (show: boolean) => Promise<void>;
  /** Reads the list again from its start. */
  readonly reload: () => void;
  /** Adds what has just finished: to the list, or held back. */
  readonly arrive: (deliveries: readonly ListedDelivery[], show: boolean) => void;
}

/** Reads the list again whenever the filter changes. */
export function useDeliveries(filter: DeliveryFilter): Deliveries {
  const key = JSON.stringify(filter);
  const [round, setRound] = useState(0);
  const [list, setList] = useState(emptyList);
  const [loading, setLoading] = useState(true);
  const [error, setError] = useState<RequestError>();

  // A cursor belongs to one search, so the range must not move with the clock.
  const search = useMemo(() => searchOf(filter, Date.now()), [key, round]);
  const current = useRef(0);
  const busy = useRef(false);

  const read = async (cursor: string | undefined) => {
    const asked = current.current;
    busy.current = true;
    setLoading(true);
    setError(undefined);

    try {
      const answer = await execute(deliveriesDocument, { ...search, ...(cursor && { cursor }) });
      if (asked === current.current) setList((before) => addPage(before, answer.deliveries));
    } catch (thrown) {
      if (asked === current.current) setError(toRequestError(thrown));
    } finally {
      if (asked === current.current) {
        busy.current = false;
        setLoading(false);
      }
    }
  };

  useEffect(() => {
    current.current += 1;
    setList(emptyList);
    void read(undefined);
    return () => {
      current.current += 1;
    };
  }, [search]);

  const more = (from: DeliveryList) => {
    if (!busy.current && wantsPage(from)) void read(from.next ?? undefined);
  };

  // An empty page has no row that would ask for the next page on becoming visible.
  useEffect(() => {
    if (list.emptyPages > 0 && !error) more(list);
  }, [list]);

  return {
    list,
    loading,
    error,
    more: () => {
      if (!error) more(list);
    },
    goOn: () => {
      setList(goOn);
      more(goOn(list));
    },
    catchUp: async (show) => {
      const asked = current.current;
      const answer = await execute(deliveriesDocument, search);
      if (asked !== current.current) return;
      setList((before) => addArrived(before, answer.deliveries.data, show));
    },
    reload: () => setRound((before) => before + 1),
    arrive: (deliveries, show) => setList((before) => addArrived(before, deliveries, show)),
  };
}

/** The state of the live tail: `off` for a range that has an end. */
export type LiveState = 'off' | 'connecting' | 'live' | 'lost';

interface LiveOptions {
  readonly filter: DeliveryFilter;
  /** Receives finished attempts, at most ten times a second. */
  readonly onArrive: (deliveries: readonly ListedDelivery[]) => void;
  /** Called when the stream opens. @param gap whether it may have missed attempts since it was last open */
  readonly onOpen: (gap: boolean) => void;
}

const drawMs = 100;
/** A hidden page closes its connection: a browser has only six per service. */
const hiddenMs = 30_000;
/** Drops the oldest of a burst: the list has them when it is read again. */
const maxWaiting = 10_000;

/** Follows deliveries as they finish, over the one stream that the tabs of a browser share. */
export function useLive(options: LiveOptions) {
  const [state, setState] = useState<LiveState>('connecting');
  const [detail, setDetail] = useState<string>();
  const visible = useVisible();
  const current = useRef(options);
  current.current = options;

  const place = useRef<StreamPlace>({});
  const name = nameOfStream();
  const ended = options.filter.until !== undefined;
  useEffect(() => {
    place.current = {};
  }, [name, ended]);

  useEffect(() => {
    if (ended || !visible || name === undefined) {
      setState(ended ? 'off' : 'connecting');
      return;
    }

    const stopped = new AbortController();
    let waiting: ListedDelivery[] = [];
    const isShown = (delivery: ListedDelivery) => matchesFilter(delivery, current.current.filter);
    const arrive = () => {
      // The filter may have changed since they arrived.
      const shown = waiting.filter(isShown);
      waiting = [];
      if (shown.length > 0) current.current.onArrive(shown);
    };

    const timer = setInterval(arrive, drawMs);
    const readOwn: ReadStream = (...from) => readStream(path, ...from);

    // A session must not receive through another one what the service refuses it.
    const read = hasPageToken() ? readOwn : shareStream(name, readOwn);
    void read(
      place.current,
      {
        onFrame({ event, data }) {
          if (event !== 'delivery') return;
          const delivery = deliveryOfFrame(data);
          if (isShown(delivery)) waiting.push(delivery);
          if (waiting.length > maxWaiting) waiting.shift();
        },
        onOpen(gap) {
          setState('live');
          current.current.onOpen(gap);
        },
        onLost(reason) {
          setState('lost');
          setDetail(reason);
        },
      },
      stopped.signal,
    );

    return () => {
      clearInterval(timer);
      arrive();
      stopped.abort();
    };
  }, [name, ended, visible]);

  return { state, detail };
}

const path = `${inPortal ? base : ''}/stream?kinds=delivery`;

/** Tabs share a stream only within one account and member, and never with a portal. */
function nameOfStream(): string | undefined {
  if (session.value.state !== 'signedIn') return undefined;
  const { account, member } = session.value.viewer;
  return `signalpost.stream.${base}.${account.id}.${member?.id ?? ''}`;
}

/** False once the page has been hidden for 30 seconds. */
function useVisible(): boolean {
  const [visible, setVisible] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const note = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') setVisible(true);
      else timer = setTimeout(() => setVisible(false), hiddenMs);
    };
    document.addEventListener('visibilitychange', note);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', note);
    };
  }, []);

  return visible;
}
