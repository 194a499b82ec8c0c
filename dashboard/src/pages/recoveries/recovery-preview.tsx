import { base } from '../../api/base.js';
import type { RequestError } from '../../api/request-error.js';
import type { Query } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { Card, Fact, Facts } from '../../components/card.js';
import { ErrorNotice, Notice } from '../../components/notice.js';
import { Instant } from '../../components/instant.js';
import { formatInstant, formatNumber } from '../../texts/format.js';
import type { previewRecoveryQuery } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import type { RecoveryRange } from './recovery-draft.js';
import { durationOf } from './recovery-progress.js';

interface RecoveryPreviewProps {
  /** Undefined while the form holds something that cannot be sent. */
  readonly range: RecoveryRange | undefined;
  /** What the service counts in the range. */
  readonly preview: Query<previewRecoveryQuery>;
  /** Whether the endpoint is off. */
  readonly inactive: boolean;
  /** Why the recovery did not start. */
  readonly error: RequestError | undefined;
  readonly busy: boolean;
  readonly onStart: () => void;
}

type Preview = previewRecoveryQuery['preview'];

const texts = text.recoveries;

/** What a recovery of this range would send, and the button that starts it. */
export function RecoveryPreview(props: RecoveryPreviewProps) {
  const { range, preview, inactive, error, busy, onStart } = props;
  const counted = range && preview.data?.preview;
  const isEmpty = counted !== undefined && counted.complete && totalOf(counted) === 0;
  return (
    <Card title={texts.preview}>
      {!range && <p class="soft">{texts.previewWaits}</p>}
      {range && <Counts preview={counted} />}
      {preview.error && <ErrorNotice error={preview.error} retry={preview.reload} />}
      {isEmpty && <p class="soft">{texts.nothing}</p>}
      {counted && !counted.complete && (
        <p class="soft">
          {fill(texts.incomplete, { time: formatInstant(Date.parse(counted.countedUntil)) })}
        </p>
      )}
      {range && inactive && (
        <Notice kind="warn" title={texts.inactive}>
          <a href={`${base}/endpoints/${range.endpoint}`}>{texts.openEndpoint}</a>
        </Notice>
      )}
      {error && <ErrorNotice error={error} />}
      {counted && !isEmpty && !inactive && (
        <>
          <p class="field-hint">{texts.twice}</p>
          <div class="row">
            <Button kind="primary" busy={busy} onClick={onStart}>
              {texts.begin}
            </Button>
          </div>
        </>
      )}
    </Card>
  );
}

function Counts({ preview }: { readonly preview: Preview | undefined }) {
  const duration = preview && durationOf(preview.estimatedSeconds);
  const time = (at: string | null | undefined) =>
    at == null ? <span class="soft">{preview ? '–' : '…'}</span> : <Instant at={at} />;
  return (
    <Facts>
      <Fact name={texts.failed}>{preview ? formatNumber(preview.failed) : '…'}</Fact>
      <Fact name={texts.missed}>{preview ? formatNumber(preview.missed) : '…'}</Fact>
      <Fact name={texts.oldest}>{time(preview?.oldest)}</Fact>
      <Fact name={texts.newest}>{time(preview?.newest)}</Fact>
      <Fact name={texts.takes}>
        {duration ? fill(texts.durations[duration.unit], { count: duration.count }) : '…'}
      </Fact>
    </Facts>
  );
}

function totalOf({ failed, missed }: Preview): number {
  return failed + missed;
}
