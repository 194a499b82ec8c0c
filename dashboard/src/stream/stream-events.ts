import type { Frame } from './frame-parser.js';

/** What a stream tells while it runs. */
export interface StreamEvents {
  readonly onFrame: (frame: Frame) => void;
  /**
   * It begins: what is committed from now on arrives. `gap` when frames since the last connection may
   * be missing.
   */
  readonly onOpen: (gap: boolean) => void;
  /** It is not connected, and tries again by itself. `detail` is what the service said. */
  readonly onLost: (detail: string | undefined) => void;
}

/** Where a reader is, so that it can go on later. */
export interface StreamPlace {
  position?: string | undefined;
}

/** Reads the stream from `place` until `signal` aborts, and keeps `place` up to date. */
export type ReadStream = (
  place: StreamPlace,
  events: StreamEvents,
  signal: AbortSignal,
) => Promise<void>;
