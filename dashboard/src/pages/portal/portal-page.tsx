import { useState } from 'preact/hooks';
import { useQuery } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { portalSettingsDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { CreateLinkDialog } from './create-link-dialog.js';
import { SessionList } from './session-list.js';
import { SettingsForm } from './settings-form.js';
import './portal.css';

/** The portal of the account: where it may be framed, its look, links and sessions. */
export function PortalPage() {
  const { data, error, reload } = useQuery(portalSettingsDocument, {});
  const [creating, setCreating] = useState(false);
  const texts = text.portalSettings;
  const create = data && <Button onClick={() => setCreating(true)}>{texts.createLink}</Button>;
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} actions={create} />
      {error && <ErrorNotice error={error} retry={reload} />}
      {data && <SettingsForm settings={data.portalSettings} />}
      {data && <SessionList />}
      {creating && <CreateLinkDialog onClose={() => setCreating(false)} />}
    </>
  );
}
