import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { RequestError } from '../../api/request-error.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog, Dialog } from '../../components/dialog.js';
import { KeyboardHelp } from '../../shell/shortcuts.js';
import { menu } from '../../shell/navigation.js';
import { AddMemberDialog } from '../account/add-member-dialog.js';
import { ChangeRoleDialog } from '../account/change-role-dialog.js';
import { CreateKeyDialog } from '../account/create-key-dialog.js';
import { RemoveMemberDialog } from '../account/remove-member-dialog.js';
import { RevokeKeyDialog } from '../account/revoke-key-dialog.js';
import { OfferActions } from '../commerce/offer-actions.js';
import { RefundDialog } from '../commerce/refund-dialog.js';
import { AttemptDrawer } from '../deliveries/attempt-drawer.js';
import { DeleteDialog } from '../endpoints/delete-dialog.js';
import { DisableDialog } from '../endpoints/disable-dialog.js';
import { RateLimitDialog } from '../endpoints/rate-limit-dialog.js';
import { RotateDialog } from '../endpoints/rotate-dialog.js';
import { TestEventDialog } from '../endpoints/test-event-dialog.js';
import { TestTypeDialog } from '../event-types/test-type-dialog.js';
import { CreateLinkDialog } from '../portal/create-link-dialog.js';
import { RecoveryActions } from '../recoveries/recovery-actions.js';
import { member } from './sample-account.js';
import { delivery } from './sample-deliveries.js';
import { endpoint, recovery } from './sample-endpoints.js';
import { offer, payment } from './sample-sales.js';
import { hiddenText, longText } from './sample-texts.js';
import { Group, Specimen, States } from './specimen.js';

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
    'pages/deliveries/attempt-drawer.tsx',
    { Open: (close) => <AttemptDrawer id={delivery.id} onClose={close} onMove={nothing} /> },
  ],
  [
    'pages/endpoints/rotate-dialog.tsx',
    { Open: (close) => <RotateDialog id={endpoint.id} onClose={close} /> },
  ],
  [
    'pages/endpoints/rate-limit-dialog.tsx',
    { Open: (close) => <RateLimitDialog endpoint={endpoint} onClose={close} /> },
  ],
  [
    'pages/endpoints/disable-dialog.tsx',
    { Open: (close) => <DisableDialog id={endpoint.id} onClose={close} /> },
  ],
  [
    'pages/endpoints/delete-dialog.tsx',
    { Open: (close) => <DeleteDialog endpoint={endpoint} onClose={close} onDeleted={close} /> },
  ],
  [
    'pages/endpoints/test-event-dialog.tsx',
    { Open: (close) => <TestEventDialog endpoint={endpoint} onClose={close} /> },
  ],
  [
    'pages/event-types/test-type-dialog.tsx',
    { Open: (close) => <TestTypeDialog type="offer.sent" onClose={close} /> },
  ],
  ['pages/account/create-key-dialog.tsx', { Open: (close) => <CreateKeyDialog onClose={close} /> }],
  [
    'pages/account/revoke-key-dialog.tsx',
    { Open: (close) => <RevokeKeyDialog apiKey={apiKey} onClose={close} /> },
  ],
  ['pages/account/add-member-dialog.tsx', { Open: (close) => <AddMemberDialog onClose={close} /> }],
  [
    'pages/account/change-role-dialog.tsx',
    { Open: (close) => <ChangeRoleDialog member={member} onClose={close} /> },
  ],
  [
    'pages/account/remove-member-dialog.tsx',
    { Open: (close) => <RemoveMemberDialog member={member} onClose={close} /> },
  ],
  [
    'pages/commerce/refund-dialog.tsx',
    { Open: (close) => <RefundDialog payment={payment} onClose={close} /> },
  ],
  [
    'pages/portal/create-link-dialog.tsx',
    { Open: (close) => <CreateLinkDialog onClose={close} /> },
  ],
];

/** Every dialog, behind a button that opens it. Those of offers and recoveries open by their own. */
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
        <Specimen file="pages/commerce/offer-actions.tsx">
          <div class="row">
            <OfferActions offer={offer} />
          </div>
          <div class="row">
            <OfferActions offer={{ ...offer, status: 'sent' }} />
          </div>
        </Specimen>
        <Specimen file="pages/recoveries/recovery-actions.tsx">
          <RecoveryActions recovery={recovery} />
          <RecoveryActions recovery={{ ...recovery, status: 'paused' }} />
        </Specimen>
      </States>
      {open?.(close)}
    </Group>
  );
}

function nothing(): void {
  // A specimen changes nothing.
}
