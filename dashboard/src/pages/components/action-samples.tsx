import { base } from '../../api/base.js';
import { Button, ButtonLink } from '../../components/button.js';
import { CopyButton } from '../../components/copy-button.js';
import { PageHeader } from '../../components/page-header.js';
import { showToast } from '../../components/toast.js';
import { FindField } from '../../shell/find-field.js';
import { LiveTail } from '../deliveries/deliveries-page.js';
import { Replay } from '../deliveries/delivery-page.js';
import { delivery, hiddenText, longText } from './sample-data.js';
import { Group, nothing, Specimen, State, States } from './specimen.js';

/** Buttons and actions, and the heading of a view. */
export function ActionSamples() {
  return (
    <Group title="Actions">
      <Specimen file="components/button.tsx">
        <div class="row">
          <Button kind="primary">Primary</Button>
          <Button>Plain</Button>
          <Button kind="danger">Danger</Button>
          <Button kind="quiet">Quiet</Button>
          <Button small>Small</Button>
          <Button small kind="primary">
            Small primary
          </Button>
          <ButtonLink href={`${base}/endpoints`}>Link</ButtonLink>
        </div>
        <div class="row">
          <Button kind="primary" busy>
            Primary, busy
          </Button>
          <Button busy>Plain, busy</Button>
          <Button kind="danger" busy>
            Danger, busy
          </Button>
          <Button small label="Remove ada@example.com">
            Remove
          </Button>
          <Button>{longText}</Button>
        </div>
      </Specimen>
      <Specimen file="components/copy-button.tsx: CopyButton">
        <div class="row">
          <CopyButton value="whd_0Vb" label="the id of the delivery" />
        </div>
      </Specimen>
      <Specimen file="components/toast.tsx">
        <div class="row">
          <Button onClick={() => showToast('The endpoint is enabled.')}>Say what happened</Button>
          <Button onClick={() => showToast(longText)}>Say it at length</Button>
        </div>
      </Specimen>
      <Specimen file="components/page-header.tsx">
        <PageHeader
          title="A view"
          lead="What it is for."
          back={{ href: `${base}/endpoints`, label: hiddenText }}
          actions={<Button kind="primary">Action</Button>}
        />
        <PageHeader title={longText} />
      </Specimen>
      <Specimen file="pages/deliveries/deliveries-page.tsx: LiveTail">
        <States>
          {(['connecting', 'live', 'lost'] as const).map((state) => (
            <State key={state} name={state}>
              <div class="row">
                <LiveTail state={state} detail={undefined} paused={false} onPause={nothing} />
              </div>
            </State>
          ))}
          <State name="paused">
            <div class="row">
              <LiveTail state="live" detail={undefined} paused onPause={nothing} />
            </div>
          </State>
        </States>
      </Specimen>
      <Specimen file="pages/deliveries/delivery-page.tsx: Replay">
        <Replay id={delivery.id} />
      </Specimen>
      <Specimen file="shell/find-field.tsx">
        <FindField />
      </Specimen>
    </Group>
  );
}
