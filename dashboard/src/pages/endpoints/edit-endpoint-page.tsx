import { useLocation, useRoute } from 'preact-iso';
import { base } from '../../api/base.js';
import { execute } from '../../api/request.js';
import { can } from '../../api/session-state.js';
import { useAction } from '../../api/use-action.js';
import { refresh, useQuery } from '../../api/use-query.js';
import { EmptyState } from '../../components/card.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { showToast } from '../../components/toast.js';
import {
  endpointDocument,
  type endpointQuery,
  updateEndpointDocument,
} from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { changesOf, draftOf, type EndpointDraft } from './endpoint-draft.js';
import { EndpointForm } from './endpoint-form.js';
import { hostOf } from './host.js';
import './endpoints.css';

/** Changes an endpoint. */
export function EditEndpointPage() {
  const id = useRoute().params['id'] ?? '';
  const { data, error, reload } = useQuery(endpointDocument, { id });
  const path = `${base}/endpoints/${id}`;
  const label = data ? hostOf(data.endpoint.url) : text.endpoints.title;
  return (
    <>
      <PageHeader title={text.endpointForm.editTitle} back={{ href: path, label }} />
      {error && <ErrorNotice error={error} retry={reload} />}
      {can('webhooks', 'write') ? (
        data && <EditForm key={id} endpoint={data.endpoint} path={path} />
      ) : (
        <EmptyState title={text.endpointForm.readOnly}>{text.endpointForm.editReadOnly}</EmptyState>
      )}
    </>
  );
}

interface EditFormProps {
  readonly endpoint: endpointQuery['endpoint'];
  readonly path: string;
}

function EditForm({ endpoint, path }: EditFormProps) {
  const { route } = useLocation();
  const saving = useAction(async (draft: EndpointDraft) => {
    const input = changesOf(endpoint, draft);
    if (Object.keys(input).length > 0) {
      await execute(updateEndpointDocument, { id: endpoint.id, input });
      refresh();
      showToast(text.endpointForm.saved);
    }
    route(path);
  });

  return (
    <EndpointForm
      initial={draftOf(endpoint)}
      exists
      action={text.endpointForm.save}
      back={path}
      busy={saving.running}
      error={saving.error}
      onSubmit={(draft) => void saving.run(draft)}
    />
  );
}
