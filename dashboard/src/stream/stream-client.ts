import { pageTokenHeader } from '../api/request.js';
import { readRefusal } from '../api/request-error.js';
import { endSession } from '../api/session-state.js';
import {
  type Frame,
  FrameParser,
  reconnectDelay,
  type StreamEvents,
  type StreamPlace,
} from './live-stream.js';

/** The service sends a heartbeat every 15 seconds. */
const silenceMs = 45_000;

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
