import { useEffect, useRef } from 'preact/hooks';
import { base } from '../../api/base.js';
import { Button, ButtonLink } from '../../components/button.js';
import { lazyPart } from '../../components/lazy-part.js';
import { useShortcuts } from '../../shell/shortcuts.js';
import { text } from '../../texts/text.js';

const AttemptInspector = lazyPart(() =>
  import('./attempt-inspector.js').then((module) => module.AttemptInspector),
);

interface AttemptDrawerProps {
  readonly id: string;
  readonly onClose: () => void;
  /** Goes to the next row (1) or the one before (-1). */
  readonly onMove: (distance: number) => void;
}

/** One attempt beside the list. The list stays usable. */
export function AttemptDrawer({ id, onClose, onMove }: AttemptDrawerProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, [id]);
  // The row that was open gets the focus back.
  const close = () => {
    onClose();
    document.getElementById(`row-${id}`)?.focus();
  };
  useShortcuts({ Escape: close });
  return (
    <aside class="drawer" aria-labelledby="attempt">
      <div class="drawer-head">
        <h2 id="attempt" ref={heading} tabIndex={-1}>
          {text.attempt.title}
        </h2>
        <div class="row">
          <Button small kind="quiet" onClick={() => onMove(-1)}>
            ↑<span class="visually-hidden">{text.attempt.newer}</span>
          </Button>
          <Button small kind="quiet" onClick={() => onMove(1)}>
            ↓<span class="visually-hidden">{text.attempt.older}</span>
          </Button>
          <ButtonLink small href={`${base}/deliveries/${id}`}>
            {text.attempt.page}
          </ButtonLink>
          <Button small kind="quiet" onClick={close}>
            ✕<span class="visually-hidden">{text.common.close}</span>
          </Button>
        </div>
      </div>
      <div class="stack drawer-body">
        <AttemptInspector key={id} id={id} />
      </div>
    </aside>
  );
}
