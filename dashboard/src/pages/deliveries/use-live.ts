import { useEffect, useRef, useState } from 'preact/hooks';
import { base, inPortal } from '../../api/base.js';
import { hasPageToken } from '../../api/request.js';
import { session } from '../../api/session-state.js';
import { shareStream } from '../../stream/shared-stream.js';
import { readStream } from '../../stream/stream-client.js';
import type { ReadStream, StreamPlace } from '../../stream/live-stream.js';
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

/** Follows the deliveries that end now, by the one stream of the browser. */
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
      // The filter may have changed since they came.
      const shown = waiting.filter(isShown);
      waiting = [];
      if (shown.length > 0) current.current.onArrive(shown);
    };
    const timer = setInterval(arrive, drawMs);
    const own: ReadStream = (...from) => readStream(path, ...from);
    // What the service refuses one session must not come by that of another.
    const read = hasPageToken() ? own : shareStream(name, own);
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

/** Tabs share a stream only within one account and member, and not with a portal. */
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
