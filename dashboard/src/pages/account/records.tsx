import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useEffect, useRef } from 'preact/hooks';
import { useAction } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { DataText, Sentence } from '../../components/data-text.js';
import { Instant } from '../../components/instant.js';
import { ErrorNotice, Notice } from '../../components/notice.js';
import { showToast } from '../../components/toast.js';
import { fill, text } from '../../texts/text.js';
import { browserName } from './user-agent.js';

interface RecordRowProps {
  readonly id: string;
  readonly children: ComponentChildren;
}

/** A row of a list. The one that a search linked to is highlighted and scrolled into view. */
export function RecordRow({ id, children }: RecordRowProps) {
  const wanted = useLocation().query['find'] === id;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (wanted) row.current?.scrollIntoView({ block: 'center' });
  }, [wanted]);

  return (
    <li
      ref={row}
      class={wanted ? 'record record-found' : 'record'}
      aria-current={wanted ? 'true' : undefined}
    >
      {children}
    </li>
  );
}

interface MissingRecordProps {
  /** The id that a search or the audit log linked to. */
  readonly wanted: string | undefined;
  /** The list; undefined until it has loaded. */
  readonly records: readonly { readonly id: string }[] | undefined;
  /** Where to find a record that is no longer listed. */
  readonly detail: string;
}

/** Only ids from the URL are repeated: otherwise a link could make the page say anything. */
const id = /^(?:mem|crd|ses)_\w{1,60}$/;

/** Says that the list does not contain the record that a search or the audit log linked to. */
export function MissingRecord({ wanted = '', records, detail }: MissingRecordProps) {
  if (!records || !id.test(wanted) || records.some((record) => record.id === wanted)) return null;

  return (
    <Notice kind="warn" title={text.common.notListed}>
      <p>
        <Sentence
          template={detail}
          values={{
            id: (
              <code>
                <DataText value={wanted} />
              </code>
            ),
          }}
        />
      </p>
    </Notice>
  );
}

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
