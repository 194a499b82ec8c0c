import { useEffect, useRef, useState } from 'preact/hooks';
import { readStream, type StreamPlace } from '../../stream/stream-client.js';
import type { DeliveryFilter } from './delivery-filter.js';
import { deliveryOfFrame, type ListedDelivery, matchesFilter } from './listed-delivery.js';

/** The state of the live tail: `off` for a list whose range has ended. */
export type LiveState = 'off' | 'connecting' | 'live' | 'lost';

interface LiveOptions {
  readonly filter: DeliveryFilter;
  /** Gets what ended, at most ten times a second. */
  readonly onArrive: (deliveries: readonly ListedDelivery[]) => void;
  readonly onOpen: (gap: boolean) => void;
}

const drawMs = 100;
/** A hidden page gives its connection back: a browser has six for each service. */
const hiddenMs = 30_000;
/** Older ones of a burst are in the list when it is read again. */
const maxWaiting = 10_000;

/** Follows the deliveries that end now. */
export function useLive({ filter, onArrive, onOpen }: LiveOptions) {
  const [state, setState] = useState<LiveState>('connecting');
  const [detail, setDetail] = useState<string>();
  const visible = useVisible();
  const callbacks = useRef({ onArrive, onOpen });
  callbacks.current = { onArrive, onOpen };
  const place = useRef<StreamPlace>({});
  const key = JSON.stringify(filter);
  const path = streamPath(filter);
  useEffect(() => {
    place.current = {};
  }, [key]);
  useEffect(() => {
    if (filter.until !== undefined || !visible) {
      setState(filter.until === undefined ? 'connecting' : 'off');
      return;
    }
    const stopped = new AbortController();
    let waiting: ListedDelivery[] = [];
    const timer = setInterval(() => {
      if (waiting.length === 0) return;
      callbacks.current.onArrive(waiting);
      waiting = [];
    }, drawMs);
    void readStream(
      path,
      place.current,
      {
        onFrame({ event, data }) {
          if (event !== 'delivery') return;
          const delivery = deliveryOfFrame(data);
          if (matchesFilter(delivery, filter)) waiting.push(delivery);
          if (waiting.length > maxWaiting) waiting.shift();
        },
        onOpen(gap) {
          setState('live');
          callbacks.current.onOpen(gap);
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
      if (waiting.length > 0) callbacks.current.onArrive(waiting);
      stopped.abort();
    };
  }, [key, visible]);
  return { state, detail };
}

function streamPath({ endpoint, type }: DeliveryFilter): string {
  const query = new URLSearchParams({
    kinds: 'delivery',
    ...(endpoint && { endpoint }),
    ...(type && { types: type }),
  });
  return `/stream?${query.toString()}`;
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
