import { useState } from 'preact/hooks';
import { base } from '../../api/base.js';
import { execute } from '../../api/request.js';
import { can } from '../../api/session-state.js';
import { useAction } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { ErrorNotice, Notice } from '../../components/notice.js';
import { replayDeliveryDocument, type replayDeliveryMutation } from '../../generated/documents.js';
import { useShortcuts } from '../../shell/shortcuts.js';
import { text } from '../../texts/text.js';
import { AnswerText } from './answer-text.js';
import { StatusBadge } from './status-badge.js';

/** Sends the event of an attempt again, and shows what came of it. */
export function Replay({ id }: { readonly id: string }) {
  const [result, setResult] = useState<replayDeliveryMutation['replay']>();
  const texts = text.attempt;
  const replaying = useAction(async () => {
    const { replay } = await execute(replayDeliveryDocument, { id });
    setResult(replay);
    refresh();
  });
  const allowed = can('webhooks', 'write');
  useShortcuts(allowed ? { r: () => void replaying.run() } : {});
  if (!allowed) return null;
  const good = result?.status === 'success';
  return (
    <div class="stack-s">
      <div class="row">
        <Button kind="primary" busy={replaying.running} onClick={() => void replaying.run()}>
          {replaying.running ? texts.replaying : texts.replay}
        </Button>
        <span class="soft small">{texts.replayHint}</span>
      </div>
      {replaying.error && <ErrorNotice error={replaying.error} />}
      {result && !replaying.running && (
        <Notice
          kind={good ? 'good' : 'warn'}
          title={good ? texts.replayed.success : texts.replayed.failed}
        >
          <div class="row">
            <StatusBadge status={result.status} />
            <AnswerText delivery={result} />
            <a href={`${base}/deliveries/${result.id}`}>{texts.openReplay}</a>
          </div>
        </Notice>
      )}
    </div>
  );
}
