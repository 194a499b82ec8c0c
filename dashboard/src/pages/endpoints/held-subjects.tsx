/*
 * What waits behind what at an endpoint with order, and a dialog that gives up what keeps the others waiting.
 */
import { useState } from 'preact/hooks';
import { execute } from '../../api/request.js';
import { useAction } from '../../api/use-action.js';
import { refresh, useQuery } from '../../api/use-query.js';
import { Button, ButtonLink } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { DataText, Sentence } from '../../components/data-text.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { Instant } from '../../components/instant.js';
import { ErrorNotice } from '../../components/notice.js';
import { showToast } from '../../components/toast.js';
import {
  giveUpDeliveryDocument,
  heldSubjectsDocument,
  type heldSubjectsQuery,
} from '../../generated/documents.js';
import { fill } from '../../texts/text.js';
import { pathOfList } from '../deliveries/delivery-filter.js';
import { optionTexts } from './option-texts.js';

type Held = heldSubjectsQuery['held'][number];
type HeldBy = NonNullable<Held['heldBy']>;

interface HeldSubjectsProps {
  readonly endpointId: string;
  readonly mayGiveUp: boolean;
}

/** Lists the subjects in which deliveries wait, each with the delivery that they wait for. */
export function HeldSubjects({ endpointId, mayGiveUp }: HeldSubjectsProps) {
  const [opened, setOpened] = useState<HeldBy>();
  const { data, error, reload } = useQuery(heldSubjectsDocument, { endpoint: endpointId });
  return (
    <Card title={optionTexts.held}>
      {error && <ErrorNotice error={error} retry={reload} />}
      {data?.held.length === 0 && <p class="soft">{optionTexts.heldNone}</p>}
      {data?.held.map((held) => (
        <HeldRow
          key={held.heldBy?.pendingDeliveryId ?? held.subject}
          held={held}
          onGiveUp={mayGiveUp ? (heldBy) => setOpened(heldBy) : undefined}
        />
      ))}
      {opened && <GiveUpDialog heldBy={opened} onClose={() => setOpened(undefined)} />}
    </Card>
  );
}

interface HeldRowProps {
  readonly held: Held;
  /** Undefined for viewers who may not. */
  readonly onGiveUp: ((heldBy: HeldBy) => void) | undefined;
}

/** One subject: how many wait, and for what. */
function HeldRow({ held, onGiveUp }: HeldRowProps) {
  const { subject, waiting, waitingIsComplete, heldBy } = held;
  const count = fill(waitingIsComplete ? optionTexts.heldCount : optionTexts.heldAtLeast, {
    count: waiting,
  });
  return (
    <div class="delivery-option">
      <div>
        <h3>
          <DataText value={subject} />
        </h3>
        <p class="soft">{count}</p>
        {heldBy && (
          <p class="soft">
            <Sentence
              template={optionTexts.heldStates[heldBy.state]}
              values={{
                type: <code>{heldBy.eventType}</code>,
                attempt: heldBy.attempt,
                time: <Instant at={heldBy.dueAt} style="relative" />,
              }}
            />
          </p>
        )}
      </div>
      {heldBy && (
        <div class="row">
          {heldBy.lastDeliveryId !== null && (
            <ButtonLink
              small
              kind="quiet"
              href={pathOfList({ event: heldBy.eventId }, heldBy.lastDeliveryId)}
            >
              {optionTexts.heldAttempts}
              <span class="visually-hidden"> {subject}</span>
            </ButtonLink>
          )}
          {onGiveUp && (
            <Button small onClick={() => onGiveUp(heldBy)}>
              {optionTexts.giveUp}
              <span class="visually-hidden"> {subject}</span>
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

interface GiveUpDialogProps {
  readonly heldBy: HeldBy;
  readonly onClose: () => void;
}

/** Gives up a delivery, so that the next one of its subject goes. */
export function GiveUpDialog({ heldBy, onClose }: GiveUpDialogProps) {
  const givingUp = useAction(async () => {
    await execute(giveUpDeliveryDocument, { id: heldBy.pendingDeliveryId });
    refresh();
    showToast(optionTexts.givenUp);
    onClose();
  });

  return (
    <ConfirmDialog
      title={optionTexts.giveUpTitle}
      action={optionTexts.giveUp}
      kind="danger"
      busy={givingUp.running}
      error={givingUp.error}
      onConfirm={() => void givingUp.run()}
      onClose={onClose}
    >
      <p>
        <Sentence
          template={optionTexts.giveUpDetail}
          values={{ type: <code>{heldBy.eventType}</code> }}
        />
      </p>
    </ConfirmDialog>
  );
}
