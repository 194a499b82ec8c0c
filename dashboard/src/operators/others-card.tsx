import { Card } from '../components/card.js';
import { Tiles } from '../components/tiles.js';
import { formatNumber, formatWait } from '../texts/format.js';
import { fill } from '../texts/text.js';
import { countLimits, type Status } from './status-rules.js';
import { operatorText } from './texts.js';

const texts = operatorText.overview;

/** Mails, recoveries and accounts that need something. */
export function OthersCard({ status }: { readonly status: Status }) {
  const { notices, recoveries, fullAccounts } = status;
  return (
    <Card title={texts.others}>
      <Tiles
        dense
        tiles={[
          { name: texts.noticesPending, value: notices ? countOf(notices.pending) : '–' },
          {
            name: texts.noticesOldest,
            value: notices ? formatWait(notices.oldestPendingSeconds) : '–',
          },
          { name: texts.noticesRefused, value: notices ? countOf(notices.refused) : '–' },
          {
            name: texts.recoveriesRunning,
            value: recoveries ? formatNumber(recoveries.running) : '–',
          },
          {
            name: texts.recoveriesPaused,
            value: recoveries ? formatNumber(recoveries.paused) : '–',
          },
          {
            name: texts.fullAccounts,
            value: fullAccounts === null ? '–' : formatNumber(fullAccounts),
            bad: fullAccounts !== null && fullAccounts > 0,
          },
        ]}
      />
    </Card>
  );
}

function countOf(count: number): string {
  const shown = formatNumber(count);
  return count < countLimits.notices ? shown : fill(texts.atLeast, { count: shown });
}
