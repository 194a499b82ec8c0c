import { Button } from '../../components/button.js';
import { text } from '../../texts/text.js';
import type { LiveState } from './use-live.js';

interface LiveTailProps {
  readonly state: Exclude<LiveState, 'off'>;
  /** What the service said when it ended the stream. */
  readonly detail: string | undefined;
  readonly paused: boolean;
  readonly onPause: () => void;
}

/** Whether the list follows what happens, and the button that holds it still. */
export function LiveTail({ state, detail, paused, onPause }: LiveTailProps) {
  const shown = paused ? 'paused' : state;
  return (
    <>
      <span
        class={`badge live-${shown} ${shown === 'live' ? 'badge-good' : ''}`}
        title={state === 'lost' ? detail : undefined}
      >
        {text.live[shown]}
      </span>
      <Button small onClick={onPause}>
        {paused ? text.live.resume : text.live.pause}
        <kbd aria-hidden="true">.</kbd>
      </Button>
    </>
  );
}
