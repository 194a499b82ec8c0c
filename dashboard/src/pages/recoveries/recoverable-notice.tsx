import { useQuery } from '../../api/use-query.js';
import { ButtonLink } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import {
  recoverableDocument,
  type recoverableQuery,
  recoveriesDocument,
} from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { recoveriesPath, startPath } from './recovery-draft.js';
import { isActive } from './recovery-progress.js';

interface RecoverableNoticeProps {
  readonly endpoint: { readonly id: string; readonly active: boolean };
  readonly mayStart: boolean;
}

type Recoverable = recoverableQuery['health'];

const texts = text.recoveries;

/** Says how many events did not arrive at an endpoint, and offers to send them again. */
export function RecoverableNotice({ endpoint, mayStart }: RecoverableNoticeProps) {
  const { id, active } = endpoint;
  const health = useQuery(recoverableDocument, { id }).data?.health;
  const recoveries = useQuery(recoveriesDocument, {}).data?.recoveries.data ?? [];
  const current = recoveries.find((each) => each.endpointId === id && isActive(each));
  if (current) {
    return (
      <Notice kind="good" title={texts.running}>
        <div>
          <ButtonLink small href={`${recoveriesPath}/${current.id}`}>
            {texts.open}
          </ButtonLink>
        </div>
      </Notice>
    );
  }
  if (!health || health.recoverable.failed + health.recoverable.missed === 0) return null;
  return (
    <Notice kind="warn" title={titleOf(health)}>
      <p>
        {detailOf(health)} {!active && mayStart && texts.afterEnabling}
      </p>
      {active && mayStart && (
        <div>
          <ButtonLink small kind="primary" href={startPath(id)}>
            {texts.offer}
          </ButtonLink>
        </div>
      )}
    </Notice>
  );
}

function titleOf({ recoverable: { failed, missed, complete } }: Recoverable): string {
  const template = complete ? texts.notArrived : texts.notArrivedMore;
  return fill(template, { count: failed + missed });
}

function detailOf({ lastSuccessAt, recoverable: { failed, missed } }: Recoverable): string {
  return fill(lastSuccessAt === null ? texts.inMonth : texts.sinceSuccess, { failed, missed });
}
