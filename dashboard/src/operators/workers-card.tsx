import { Card } from '../components/card.js';
import { DataText } from '../components/data-text.js';
import { Instant } from '../components/instant.js';
import { Notice } from '../components/notice.js';
import { formatWait } from '../texts/format.js';
import { fill } from '../texts/text.js';
import { missingRoles, type Status } from './status-rules.js';
import { operatorText } from './texts.js';

const texts = operatorText.workers;

/** The workers that are alive. */
export function WorkersCard({ workers }: Pick<Status, 'workers'>) {
  return (
    <Card title={texts.title}>
      {workers ? <Workers workers={workers} /> : <p>{operatorText.overview.unreadable}</p>}
    </Card>
  );
}

function Workers({ workers }: { readonly workers: NonNullable<Status['workers']> }) {
  if (workers.length === 0) {
    return (
      <Notice kind="bad" title={texts.none}>
        <p>{texts.noneDetail}</p>
      </Notice>
    );
  }
  const missing = missingRoles(workers);
  return (
    <>
      <p>{fill(texts.count, { count: workers.length })}</p>
      {missing.length > 0 && (
        <Notice kind="warn" title={fill(texts.missing, { roles: missing.join(', ') })} />
      )}
      <ul class="rows">
        {workers.map(({ id, roles, version, startedAt, seenSeconds }) => (
          <li key={id}>
            <div class="row-main">
              <code>
                <DataText value={id} />
              </code>
              <span class="soft small">{roles.join(', ')}</span>
            </div>
            <div class="row-main small">
              <span>{fill(texts.seen, { wait: formatWait(seenSeconds) })}</span>
              <span class="soft">
                {texts.started} <Instant at={startedAt} style="short" /> ·{' '}
                {version === null ? texts.noVersion : fill(texts.version, { version })}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
