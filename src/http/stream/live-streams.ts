import { StreamHub, type StreamHubOptions } from './hub.js';
import { createStreamEndpoint, internalStream, type InternalStreamOptions } from './routes.js';
import { StreamSlots, type StreamSlotsOptions } from './slots.js';

interface LiveStreamOptions extends Pick<InternalStreamOptions, 'authenticate' | 'requireAccount'> {
  /** Reads changes: for all clients that have caught up, and for those that catch up. */
  readonly reads: Pick<StreamHubOptions, 'read' | 'catchUpRead'>;
  /** Stores how many streams each account has open. */
  readonly slots: Pick<StreamSlotsOptions, 'read' | 'transact' | 'process'>;
  readonly metrics: {
    readonly streamCut: StreamHubOptions['onCut'];
    readonly streamResumed: () => void;
  };
  readonly log: { warn(fields: object, message: string): void };
}

/** Creates the live streams of a process: who follows, how many each account has open, and the two ways to open one. */
export function createLiveStreams(options: LiveStreamOptions) {
  const { reads, metrics, log, authenticate, requireAccount } = options;

  const hub = new StreamHub({
    ...reads,
    onCut: metrics.streamCut,
    onError: (error) => log.warn({ err: error }, 'live streams paused: reading changes failed'),
  });

  const slots = new StreamSlots({
    ...options.slots,
    onError: (error) => log.warn({ err: error }, 'could not store the slots of streams; retrying'),
  });

  const open = createStreamEndpoint({
    hub,
    slots,
    read: reads.catchUpRead,
    countResumed: metrics.streamResumed,
  });

  return {
    /** Opens a stream of the public listener. */
    open,
    /** Serves `/stream` of the internal listener. */
    internal: internalStream({ authenticate, requireAccount, openStream: open }),
    status: () => hub.status,
    /** Looks up again what each client may read. */
    recheck: () => hub.recheck(),
    /** Ends all streams, then frees their slots. */
    close: async () => {
      hub.close();
      await slots.close();
    },
  };
}
