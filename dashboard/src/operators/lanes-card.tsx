import { Card } from '../components/card.js';
import { formatNumber, formatWait } from '../texts/format.js';
import { fill } from '../texts/text.js';
import type { Status } from './status-rules.js';
import { operatorText } from './texts.js';

const texts = operatorText.lanes;
const names = operatorText.overview;

/** What waits in each lane. */
export function LanesCard({ lanes }: Pick<Status, 'lanes'>) {
  return (
    <Card title={texts.title}>
      {lanes ? (
        <ul class="rows">
          {lanes.map((each) => (
            <LaneRow key={each.lane} lane={each} />
          ))}
        </ul>
      ) : (
        <p>{names.unreadable}</p>
      )}
    </Card>
  );
}

function LaneRow({ lane }: { readonly lane: NonNullable<Status['lanes']>[number] }) {
  const { ready, claimed, complete, oldestDueSeconds, oldestBacklogSeconds } = lane;
  const due = formatNumber(ready);
  const facts = [
    [names.due, complete ? due : fill(names.atLeast, { count: due })],
    [names.claimed, formatNumber(claimed)],
    [names.lag, formatWait(oldestDueSeconds)],
    [names.oldest, formatWait(oldestBacklogSeconds)],
  ] as const;
  return (
    <li>
      <div class="row-main">
        <strong>{texts.names[lane.lane]}</strong>
        <span class="soft small">{texts.hints[lane.lane]}</span>
      </div>
      <dl class="row-facts small">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt class="soft">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}
