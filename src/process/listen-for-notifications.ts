import { Listener } from '../database/listener.js';
import { credentialChannel } from '../domain/account/credentials.js';
import { replayChannel } from '../domain/delivery/replay.js';
import type { Logger } from './log.js';

/** What to call for each kind of notification, and whenever some may have been lost. */
export interface NotificationHandlers {
  readonly replayEnded: () => void;
  readonly credentialsChanged: () => void;
}

/**
 * Listens on one connection for what other processes commit. While it is down, replays are polled
 * for, and viewers are kept for their second.
 */
export function listenForNotifications(
  databaseUrl: string,
  log: Logger,
  { replayEnded, credentialsChanged }: NotificationHandlers,
): Listener {
  return new Listener({
    url: databaseUrl,
    channels: { [replayChannel]: replayEnded, [credentialChannel]: credentialsChanged },
    onError: (error) => log.warn({ err: error }, 'cannot listen for notifications; polling'),
  });
}
