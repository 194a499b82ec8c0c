import type { ComponentChildren } from 'preact';
import { useAction } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { DataText } from '../../components/data-text.js';
import { Instant } from '../../components/instant.js';
import { ErrorNotice } from '../../components/notice.js';
import { showToast } from '../../components/toast.js';
import { fill } from '../../texts/text.js';
import { RecordRow } from './record-row.js';
import { browserName } from './user-agent.js';

interface SessionRowProps {
  readonly id: string;
  readonly userAgent: string;
  readonly badge: ComponentChildren;
  readonly note?: string;
  /** Times with their names, such as the last use. */
  readonly times: readonly (readonly [name: string, at: string])[];
  readonly texts: { readonly end: string; readonly endOf: string; readonly ended: string };
  /** Ends the session. Undefined if it cannot be ended here. */
  readonly end: (() => Promise<unknown>) | undefined;
}

/** One session of a list: its browser, its times, and a button that ends it. */
export function SessionRow({ id, userAgent, badge, note, times, texts, end }: SessionRowProps) {
  const browser = browserName(userAgent);
  const ending = useAction(async () => {
    await end?.();
    refresh();
    showToast(texts.ended);
  });

  return (
    <RecordRow id={id}>
      <div class="record-main">
        <p class="row">
          <strong>
            <DataText value={browser} />
          </strong>
          {badge}
        </p>
        {note !== undefined && <p class="soft small">{note}</p>}
        <dl class="record-facts soft small">
          {times.map(([name, at]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Instant at={at} style="relative" />
              </dd>
            </div>
          ))}
        </dl>
        {ending.error && <ErrorNotice error={ending.error} />}
      </div>
      {end && (
        <Button
          small
          label={fill(texts.endOf, { browser })}
          busy={ending.running}
          onClick={() => void ending.run()}
        >
          {texts.end}
        </Button>
      )}
    </RecordRow>
  );
}
