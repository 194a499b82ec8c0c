import { DataText } from '../../components/data-text.js';
import { Instant } from '../../components/instant.js';
import { formatShare } from '../../texts/format.js';
import { fill, text } from '../../texts/text.js';
import { hostAndPath } from '../endpoints/host.js';
import { RecoveryBadge } from './recovery-badge.js';
import { recoveriesPath } from './recovery-draft.js';
import { isActive, type Recovery, shareRead } from './recovery-progress.js';

interface RecoveryRowProps {
  readonly recovery: Recovery;
  /** The URL of its endpoint, where the page knows it. */
  readonly url: string | undefined;
}

/** One recovery of a list. */
export function RecoveryRow({ recovery, url }: RecoveryRowProps) {
  const { id, endpointId, what, status, failed, missed, createdAt } = recovery;
  const texts = text.recoveries;
  return (
    <li class="endpoint">
      <div class="endpoint-name">
        <a href={`${recoveriesPath}/${id}`}>
          {texts.kinds[what]} · <Instant at={createdAt} style="short" />
        </a>
        <p class="soft small mono">
          <DataText value={url === undefined ? endpointId : hostAndPath(url)} />
        </p>
      </div>
      <div class="recovery-state small">
        <RecoveryBadge status={status} />
        {isActive(recovery) && (
          <span class="soft">{fill(texts.read, { share: formatShare(shareRead(recovery)) })}</span>
        )}
        <span class="soft">{fill(texts.sent, { count: failed + missed })}</span>
      </div>
    </li>
  );
}
