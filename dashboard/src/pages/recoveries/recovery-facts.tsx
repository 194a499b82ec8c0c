import { Fact, Facts } from '../../components/card.js';
import { Instant } from '../../components/instant.js';
import { formatNumber } from '../../texts/format.js';
import { fill, text } from '../../texts/text.js';
import type { Recovery } from './recovery-progress.js';

const texts = text.recoveries;

/** What became of the deliveries that a recovery added. */
export function ProgressFacts({ recovery }: { readonly recovery: Recovery }) {
  const { failed, missed, waiting, delivered, retrying, abandoned } = recovery;
  return (
    <Facts>
      <Fact name={texts.added}>
        {formatNumber(failed + missed)}
        <div class="soft small">{fill(texts.addedOf, { failed, missed })}</div>
      </Fact>
      <Fact name={texts.delivered}>
        {delivered === null ? (
          <span class="soft">{texts.deliveredUnknown}</span>
        ) : (
          formatNumber(delivered)
        )}
      </Fact>
      <Fact name={texts.waiting}>{formatNumber(waiting)}</Fact>
      <Fact name={texts.retrying}>{formatNumber(retrying)}</Fact>
      <Fact name={texts.abandoned}>{formatNumber(abandoned)}</Fact>
    </Facts>
  );
}

/** What a recovery was started with. */
export function RecoveryFacts({ recovery }: { readonly recovery: Recovery }) {
  const { id, since, until, eventTypes, ratePerSecond, createdAt, endedAt } = recovery;
  return (
    <Facts>
      <Fact name={texts.since}>
        <Instant at={since} />
      </Fact>
      <Fact name={texts.until}>
        <Instant at={until} />
      </Fact>
      <Fact name={texts.types}>
        {eventTypes === null
          ? texts.allTypes
          : eventTypes.map((type) => (
              <div key={type}>
                <code>{type}</code>
              </div>
            ))}
      </Fact>
      <Fact name={texts.rate}>{formatNumber(ratePerSecond)}</Fact>
      <Fact name={texts.created}>
        <Instant at={createdAt} />
      </Fact>
      {endedAt !== null && (
        <Fact name={texts.ended}>
          <Instant at={endedAt} />
        </Fact>
      )}
      <Fact name={texts.id}>
        <code>{id}</code>
      </Fact>
    </Facts>
  );
}
