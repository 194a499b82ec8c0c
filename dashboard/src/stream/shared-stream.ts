import { Follower, type StreamMessage } from './follower.js';
import type { ReadStream, StreamEvents, StreamPlace } from './live-stream.js';

/** The service sends a position every 15 seconds, and the leader tells when it is not connected. */
const silenceMs = 60_000;

/**
 * Lets the tabs of a browser share one stream: the tab that holds the lock `name` reads, and the others get
 * its frames. When it leaves, the next one continues at its own place. Without Web Locks each tab reads by
 * itself.
 */
export function shareStream(name: string, read: ReadStream): ReadStream {
  // Browsers have locks only where a page came by TLS or from loopback.
  if (!('locks' in navigator)) return read;
  return async (place, events, signal) => {
    const channel = new BroadcastChannel(name);
    let end: End = 'stolen';
    while (end !== 'left' && !signal.aborted) {
      end = await takePart(channel, { place, events, read, signal, steal: end === 'silent' });
    }
    channel.close();
  };
}

interface Part {
  readonly place: StreamPlace;
  readonly events: StreamEvents;
  readonly read: ReadStream;
  readonly signal: AbortSignal;
  readonly steal: boolean;
}

/** Why a tab stopped following or leading: it left, the leader was silent, or another tab took the lock. */
type End = 'left' | 'silent' | 'stolen';

/** Follows until the lock is free, then leads. With `steal` it takes the lock from a silent leader. */
async function takePart(channel: BroadcastChannel, part: Part): Promise<End> {
  const { place, events, read, signal } = part;
  const follower = new Follower(place, events, read);
  const silence = new AbortController();
  const over = new AbortController();
  const watch = () => setTimeout(() => silence.abort(), silenceMs);
  let timer = watch();
  channel.onmessage = ({ data }: MessageEvent<StreamMessage>) => {
    if (data.kind === 'join') return;
    clearTimeout(timer);
    timer = watch();
    follower.take(data);
  };

  channel.postMessage({ kind: 'join' } satisfies StreamMessage);

  const how = part.steal ? { steal: true } : { signal: AbortSignal.any([signal, silence.signal]) };
  try {
    await navigator.locks.request(channel.name, how, () => {
      clearTimeout(timer);
      follower.stop();
      return lead(channel, { ...part, signal: AbortSignal.any([signal, over.signal]) });
    });
    return 'left';
  } catch (error) {
    if ((error as Error).name === 'AbortError') return silence.signal.aborted ? 'silent' : 'stolen';
    // The browser gives this page no locks.
    await read(place, events, signal);
    return 'left';
  } finally {
    clearTimeout(timer);
    follower.stop();
    over.abort();
  }
}

/** Reads the stream, and sends its frames to the other tabs. */
function lead(channel: BroadcastChannel, { place, events, read, signal }: Part): Promise<void> {
  let after: string | undefined;
  let state: StreamMessage | undefined;
  const publish = (message: StreamMessage) => channel.postMessage(message);
  channel.onmessage = ({ data }: MessageEvent<StreamMessage>) => {
    if (data.kind === 'join' && state) publish(state);
  };

  const publishing: StreamEvents = {
    onFrame(frame) {
      const { position } = place;
      publish({ kind: 'live', after, position, frame });
      after = position;
      state = { kind: 'live', after, position };
      events.onFrame(frame);
    },
    onOpen(gap) {
      after = place.position;
      events.onOpen(gap);
    },
    onLost(detail) {
      state = { kind: 'lost', detail };
      publish(state);
      events.onLost(detail);
    },
  };
  return read(place, publishing, signal);
}
