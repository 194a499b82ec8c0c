import { readRefusal } from '../api/request-error.js';
import { pageTokenHeader } from '../api/request.js';
import { endSession } from '../api/session-state.js';
import {
  Follower,
  type Frame,
  FrameParser,
  type ReadStream,
  reconnectDelay,
  type StreamEvents,
  type StreamMessage,
  type StreamPlace,
} from './live-stream.js';

/** The service sends a heartbeat every 15 seconds: without one for 45 the connection is dead. */
const silenceMs = 45_000;

/** The service sends a position every 15 seconds, and the leader tells when it is not connected. */
const leaderSilenceMs = 60_000;

/**
 * Reads the live stream from `place` until `signal` aborts. Keeps `place` up to date, and resumes there after
 * each disconnect.
 */
export async function readStream(
  path: string,
  place: StreamPlace,
  events: StreamEvents,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  let begun = place.position !== undefined;
  const note = (frame: Frame) => {
    failures = 0;
    if (frame.id !== undefined) place.position = frame.id;
    if (frame.event === 'reset') place.position = undefined;
    events.onFrame(frame);
  };

  const stopped = () => signal.aborted;

  while (!stopped()) {
    const refusal = await connect(path, place.position, signal, note, () => {
      events.onOpen(begun && place.position === undefined);
      begun = true;
    });
    if (stopped()) return;

    if (refusal?.status === 401) {
      endSession();
      return;
    }

    // The service no longer knows the position: continue at the present.
    if (refusal?.status === 410) place.position = undefined;
    events.onLost(refusal?.message);
    await pause(reconnectDelay(failures, Math.random()), signal);
    failures += 1;
  }
}

/** Reads one response to its end. @returns the refusal of the service, if it refused the request */
async function connect(
  path: string,
  position: string | undefined,
  signal: AbortSignal,
  onFrame: (frame: Frame) => void,
  onOpen: () => void,
) {
  const silent = new AbortController();
  const watch = () => setTimeout(() => silent.abort(), silenceMs);
  let timer = watch();
  try {
    const response = await fetch(path, {
      headers: {
        Accept: 'text/event-stream',
        ...(position && { 'Last-Event-ID': position }),
        ...pageTokenHeader(),
      },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.any([signal, silent.signal]),
    });
    if (!response.ok || !response.body) {
      return readRefusal(await response.json().catch(() => undefined), response.status);
    }

    const parser = new FrameParser();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let isOpen = false;
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      clearTimeout(timer);
      timer = watch();

      for (const frame of parser.read(read.value)) {
        // Only the first frame confirms that the service has found the position.
        if (!isOpen) onOpen();
        isOpen = true;
        onFrame(frame);
      }
    }
  } catch {
    // The connection broke. The next one resumes after the last frame.
  } finally {
    clearTimeout(timer);
  }

  return undefined;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

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
  const watch = () => setTimeout(() => silence.abort(), leaderSilenceMs);
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
