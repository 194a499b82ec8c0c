import { session } from '../api/session-state.js';
import { base, inPortal } from '../api/base.js';
import { DataText } from '../components/data-text.js';
import { escapeHidden } from '../components/data-text-parts.js';
import icon from '../icon.svg';
import { portalMeta } from '../portal/portal-meta.js';
import { startPath } from './navigation.js';

/** Whose pages these are, with the way home: in the portal the logo or the name of the account. */
export function Brand() {
  if (inPortal) return <PortalBrand />;
  return (
    <a class="brand" href={startPath()}>
      <img src={icon} alt="" width="28" height="28" />
      Signalpost
    </a>
  );
}

function PortalBrand() {
  const current = session.value;
  const name = current.state === 'signedIn' ? current.viewer.account.name : '';
  const { logo } = portalMeta();
  return (
    <a class="brand" href={startPath()}>
      {logo === null ? (
        <DataText value={name} />
      ) : (
        <img class="brand-logo" src={`${base}/${logo}`} alt={escapeHidden(name)} />
      )}
    </a>
  );
}
