import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { RequestError } from '../../api/request-error.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog, Dialog } from '../../components/dialog.js';
import { menu } from '../../shell/navigation.js';
import { KeyboardHelp } from '../../shell/shortcuts.js';
import { CreateKeyDialog, RevokeKeyDialog } from '../account/keys-page.js';
import { AddMemberDialog, ChangeRoleDialog, RemoveMemberDialog } from '../account/members-page.js';
import { OfferActions } from '../commerce/offer-page.js';
import { RefundDialog } from '../commerce/payment-page.js';
import { AttemptDrawer } from '../deliveries/deliveries-page.js';
import {
  DeleteDialog,
  DisableDialog,
  RateLimitDialog,
  RotateDialog,
  TestEventDialog,
} from '../endpoints/endpoint-dialogs.js';
import { TestTypeDialog } from '../event-types/event-type-page.js';
import { CreateLinkDialog } from '../portal/portal-page.js';
import { RecoveryActions } from '../recoveries/recovery-page.js';
import {
  delivery,
  endpoint,
  hiddenText,
  longText,
  member,
  offer,
  payment,
  recovery,
} from './sample-data.js';
import { Group, nothing, Specimen, States } from './specimen.js';

type Draw = (close: () => void) => ComponentChildren;

const error = new RequestError('example', 'It says why.');
const confirm = { action: 'Do it', error: undefined, onConfirm: nothing, busy: false };
const apiKey = { id: 'key_1', last4: 'LaSw' };

/** Dialogs by file, each with the states that a click cannot reach. */
const dialogs: readonly (readonly [file: string, states: Readonly<Record<string, Draw>>])[] = [
  [
    'components/dialog.tsx',
    {
      Plain: (close) => (
        <Dialog title="A dialog" onClose={close}>
          <p>What it is about.</p>
          <div class="dialog-actions">
            <Button onClick={close}>Close</Button>
          </div>
        </Dialog>
      ),
      Long: (close) => (
        <ConfirmDialog {...confirm} title={hiddenText} onClose={close}>
          <p>{`${longText}. `.repeat(40)}</p>
        </ConfirmDialog>
      ),
      Busy: (close) => (
        <ConfirmDialog {...confirm} title="Delete it?" kind="danger" busy onClose={close}>
          <p>This cannot be undone.</p>
        </ConfirmDialog>
      ),
      Failed: (close) => (
        <ConfirmDialog {...confirm} title="Delete it?" error={error} onClose={close}>
          <p>This cannot be undone.</p>
        </ConfirmDialog>
      ),
    },
  ],
  ['shell/shortcuts.tsx', { Open: (close) => <KeyboardHelp entries={menu} onClose={close} /> }],
  [
    'pages/deliveries/deliveries-page.tsx: AttemptDrawer',
    { Open: (close) => <AttemptDrawer id={delivery.id} onClose={close} onMove={nothing} /> },
  ],
  [
    'pages/endpoints/endpoint-dialogs.tsx: RotateDialog',
    { Open: (close) => <RotateDialog id={endpoint.id} onClose={close} /> },
  ],
  [
    'pages/endpoints/endpoint-dialogs.tsx: RateLimitDialog',
    { Open: (close) => <RateLimitDialog endpoint={endpoint} onClose={close} /> },
  ],
  [
    'pages/endpoints/endpoint-dialogs.tsx: DisableDialog',
    { Open: (close) => <DisableDialog id={endpoint.id} onClose={close} /> },
  ],
  [
    'pages/endpoints/endpoint-dialogs.tsx: DeleteDialog',
    { Open: (close) => <DeleteDialog endpoint={endpoint} onClose={close} onDeleted={close} /> },
  ],
  [
    'pages/endpoints/endpoint-dialogs.tsx: TestEventDialog',
    { Open: (close) => <TestEventDialog endpoint={endpoint} onClose={close} /> },
  ],
  [
    'pages/event-types/event-type-page.tsx: TestTypeDialog',
    { Open: (close) => <TestTypeDialog type="offer.sent" onClose={close} /> },
  ],
  [
    'pages/account/keys-page.tsx: CreateKeyDialog',
    { Open: (close) => <CreateKeyDialog onClose={close} /> },
  ],
  [
    'pages/account/keys-page.tsx: RevokeKeyDialog',
    { Open: (close) => <RevokeKeyDialog apiKey={apiKey} onClose={close} /> },
  ],
  [
    'pages/account/members-page.tsx: AddMemberDialog',
    { Open: (close) => <AddMemberDialog onClose={close} /> },
  ],
  [
    'pages/account/members-page.tsx: ChangeRoleDialog',
    { Open: (close) => <ChangeRoleDialog member={member} onClose={close} /> },
  ],
  [
    'pages/account/members-page.tsx: RemoveMemberDialog',
    { Open: (close) => <RemoveMemberDialog member={member} onClose={close} /> },
  ],
  [
    'pages/commerce/payment-page.tsx: RefundDialog',
    { Open: (close) => <RefundDialog payment={payment} onClose={close} /> },
  ],
  [
    'pages/portal/portal-page.tsx: CreateLinkDialog',
    { Open: (close) => <CreateLinkDialog onClose={close} /> },
  ],
];

/** Every dialog, behind a button that opens it. Those of offers and recoveries have their own buttons. */
export function DialogSamples() {
  const [open, setOpen] = useState<Draw>();
  const close = () => setOpen(undefined);
  return (
    <Group title="Dialogs">
      <States>
        {dialogs.map(([file, states]) => (
          <Specimen key={file} file={file}>
            <div class="row">
              {Object.entries(states).map(([name, draw]) => (
                <Button key={name} label={`${name}: ${file}`} onClick={() => setOpen(() => draw)}>
                  {name}
                </Button>
              ))}
            </div>
          </Specimen>
        ))}
        <Specimen file="pages/commerce/offer-page.tsx: OfferActions">
          <div class="row">
            <OfferActions offer={offer} />
          </div>
          <div class="row">
            <OfferActions offer={{ ...offer, status: 'sent' }} />
          </div>
        </Specimen>
        <Specimen file="pages/recoveries/recovery-page.tsx: RecoveryActions">
          <RecoveryActions recovery={recovery} />
          <RecoveryActions recovery={{ ...recovery, status: 'paused' }} />
        </Specimen>
      </States>
      {open?.(close)}
    </Group>
  );
}
