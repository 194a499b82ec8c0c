import { useId, useState } from 'preact/hooks';
import { useUnsaved } from '../../api/new-version.js';
import { execute } from '../../api/request.js';
import { useAction } from '../../api/use-action.js';
import { refresh, useQuery } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { Secret } from '../../components/copy-button.js';
import { ConfirmDialog, Dialog } from '../../components/dialog.js';
import { TextField } from '../../components/fields.js';
import { showToast } from '../../components/toast.js';
import {
  deleteEndpointDocument,
  eventTypesDocument,
  rotateSecretDocument,
  sendTestEventDocument,
  updateEndpointDocument,
} from '../../generated/documents.js';
import { formatInstant } from '../../texts/format.js';
import { fill, text } from '../../texts/text.js';
import { reasonProblem } from './endpoint-rules.js';
import { hostOf } from './host.js';

const texts = text.endpoints;

interface TestEventDialogProps {
  readonly endpoint: { readonly id: string; readonly eventTypes: readonly string[] };
  readonly onClose: () => void;
}

/** Sends the example of an event type to an endpoint. */
export function TestEventDialog({ endpoint, onClose }: TestEventDialogProps) {
  const id = useId();
  const { data, error } = useQuery(eventTypesDocument, {});
  const sent = (data?.eventTypes.data ?? []).filter((type) => type.sent);
  const subscribed = sent.find((type) => endpoint.eventTypes.includes(type.id));
  const [chosen, setChosen] = useState<string>();
  const type = chosen ?? subscribed?.id ?? sent[0]?.id;
  const sending = useAction(async () => {
    if (type === undefined) return;
    const { event } = await execute(sendTestEventDocument, { endpoint: endpoint.id, type });
    showToast(fill(texts.testSent, { id: event.id }));
    onClose();
    refresh();
  });

  return (
    <ConfirmDialog
      title={texts.testTitle}
      action={texts.testSend}
      busy={sending.running || type === undefined}
      error={sending.error ?? error}
      onConfirm={() => void sending.run()}
      onClose={onClose}
    >
      <p class="soft">{texts.testDetail}</p>
      <div class="field">
        <label for={id}>{texts.testType}</label>
        <select
          id={id}
          class="input mono"
          value={type}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          {sent.map((choice) => (
            <option key={choice.id} value={choice.id}>
              {choice.id}
            </option>
          ))}
        </select>
      </div>
    </ConfirmDialog>
  );
}

interface RotateDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

interface Rotated {
  readonly secret: string;
  readonly at: number;
}

/** Rotates the secret, then shows the new one once. */
export function RotateDialog({ id, onClose }: RotateDialogProps) {
  const [rotated, setRotated] = useState<Rotated>();
  const rotating = useAction(async () => {
    const answer = await execute(rotateSecretDocument, { id });
    setRotated({ secret: answer.rotated.signingSecret, at: Date.now() });
    refresh();
  });

  if (!rotated) {
    return (
      <ConfirmDialog
        title={texts.rotateTitle}
        action={texts.rotate}
        busy={rotating.running}
        error={rotating.error}
        onConfirm={() => void rotating.run()}
        onClose={onClose}
      >
        <p>{texts.rotateDetail}</p>
        <OverlapBar />
      </ConfirmDialog>
    );
  }

  return (
    <Dialog key="rotated" sticky title={texts.newSecret} onClose={onClose}>
      <Secret value={rotated.secret} />
      <OverlapBar rotatedAt={rotated.at} />
      <div class="dialog-actions">
        <Button kind="primary" onClick={onClose}>
          {texts.stored}
        </Button>
      </div>
    </Dialog>
  );
}

const overlapMs = 24 * 60 * 60 * 1_000;

interface OverlapBarProps {
  /** When the secret was rotated, in milliseconds; absent before the rotation. */
  readonly rotatedAt?: number;
}

/** Draws which secrets sign: the old one for 24 more hours, the new one from now on. */
export function OverlapBar({ rotatedAt }: OverlapBarProps) {
  const end =
    rotatedAt === undefined
      ? texts.overlapLater
      : fill(texts.overlapUntil, { time: formatInstant(rotatedAt + overlapMs) });

  return (
    <figure class="overlap">
      <figcaption class="label small">{texts.overlap}</figcaption>
      <div class="overlap-row">
        <span>{texts.overlapOld}</span>
        <div class="overlap-track">
          <span class="overlap-old" />
        </div>
        <span>{texts.overlapNew}</span>
        <div class="overlap-track">
          <span class="overlap-new" />
        </div>
        <span />
        <div class="overlap-scale">
          <span>{texts.overlapNow}</span>
          <span>{end}</span>
        </div>
      </div>
      <p class="field-hint">{texts.overlapEnd}</p>
    </figure>
  );
}

interface DisableDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Asks for a reason before it disables an endpoint, which cancels its pending deliveries. */
export function DisableDialog({ id, onClose }: DisableDialogProps) {
  const [typed, setTyped] = useState('');
  const reason = typed.trim();
  const problem = reasonProblem(typed);
  const disabling = useAction(async () => {
    if (problem !== undefined) return;
    const input = { active: false };
    await execute(updateEndpointDocument, { id, input, ...(reason && { reason }) });
    refresh();
    showToast(texts.disabled);
    onClose();
  });

  useUnsaved(reason !== '');

  const refused = disabling.error?.fields['reason'];
  return (
    <ConfirmDialog
      title={texts.disableTitle}
      action={texts.disable}
      busy={disabling.running || problem !== undefined}
      error={disabling.error}
      onConfirm={() => void disabling.run()}
      onClose={onClose}
    >
      <p>{texts.disableDetail}</p>
      <TextField
        label={texts.reason}
        hint={texts.reasonHint}
        value={typed}
        error={problem === undefined ? refused : texts.reasonProblems[problem]}
        onInput={(value) => {
          setTyped(value);
          disabling.clear();
        }}
      />
    </ConfirmDialog>
  );
}

interface DeleteDialogProps {
  readonly endpoint: { readonly id: string; readonly url: string };
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks for the host before it deletes an endpoint, which cannot be undone. */
export function DeleteDialog({ endpoint, onClose, onDeleted }: DeleteDialogProps) {
  const host = hostOf(endpoint.url);
  const [typed, setTyped] = useState('');
  const deleting = useAction(async () => {
    await execute(deleteEndpointDocument, { id: endpoint.id });
    showToast(texts.deleted);
    onDeleted();
    refresh();
  });

  return (
    <ConfirmDialog
      title={texts.deleteTitle}
      action={texts.delete}
      kind="danger"
      busy={deleting.running || typed.trim() !== host}
      error={deleting.error}
      onConfirm={() => void deleting.run()}
      onClose={onClose}
    >
      <p>{texts.deleteDetail}</p>
      <TextField
        label={fill(texts.deleteConfirm, { host })}
        class="mono"
        value={typed}
        onInput={setTyped}
      />
    </ConfirmDialog>
  );
}
