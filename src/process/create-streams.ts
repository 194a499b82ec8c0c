import type { IncomingMessage } from 'node:http';
import { connectionQuota } from '../database/connection-share.js';
import { getAccount } from '../domain/account/accounts.js';
import type { Viewer } from '../domain/account/credentials.js';
import { randomBase62 } from '../domain/id.js';
import {
  internalStream,
  type InternalStreamExchange,
  createStreamEndpoint,
  type OpenStream,
  type StreamEndpointOptions,
} from '../http/stream/routes.js';
import type { StreamedReply } from '../http/exchange.js';
import { StreamHub, type StreamHubOptions } from '../http/stream/hub.js';
import { StreamSlots } from '../http/stream/slots.js';
import type { Logger } from './log.js';

/** Streams take at most these shares of the connections: one connection each of a usual pool. */
const followShare = 0.1;
const catchUpShare = 0.1;
const slotShare = 0.1;

const processDigits = 16;

export interface CreateStreamsOptions
  extends Pick<StreamHubOptions, 'onCut'>, Pick<StreamEndpointOptions, 'countResumed'> {
  readonly shared: Parameters<typeof connectionQuota>[0];
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** Finds the holder of an internal credential or of a dashboard token. */
  readonly authenticateInternal: (request: IncomingMessage) => Promise<Viewer>;
}

/** The live streams of a process. */
export interface Streams {
  readonly hub: StreamHub;
  /** Opens the stream of a caller that was admitted. */
  readonly open: OpenStream;
  /** Answers `/stream` of the internal listener. */
  readonly internal: (exchange: InternalStreamExchange) => Promise<StreamedReply>;
  /** Ends all streams, and frees their slots. */
  close(): Promise<void>;
}

/** Makes what serves the live streams of this process. */
export function createStreams(options: CreateStreamsOptions): Streams {
  const { shared, log, onCut, countResumed, authenticateInternal } = options;
  const { read } = connectionQuota(shared, followShare);
  const { read: catchUpRead } = connectionQuota(shared, catchUpShare);
  const hub = new StreamHub({
    read,
    catchUpRead,
    onCut,
    onError: (error) => log.warn({ err: error }, 'streams wait: could not read what was committed'),
  });

  const slots = new StreamSlots({
    ...connectionQuota(shared, slotShare),
    process: randomBase62(processDigits),
    onError: (error) => log.warn({ err: error }, 'could not store the slots of streams; retrying'),
  });

  const open = createStreamEndpoint({ hub, slots, read: catchUpRead, countResumed });
  const internal = internalStream({
    authenticate: authenticateInternal,
    requireAccount: (account) => getAccount(catchUpRead, account),
    openStream: open,
  });

  const close = async () => {
    hub.close();
    await slots.close();
  };
  return { hub, open, internal, close };
}
