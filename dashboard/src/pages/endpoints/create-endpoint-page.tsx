import { useState } from 'preact/hooks';
import { base } from '../../api/base.js';
import { execute } from '../../api/request.js';
import { can, session } from '../../api/session-state.js';
import { useAction } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { ButtonLink } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { Secret } from '../../components/copy-button.js';
import { DataText } from '../../components/data-text.js';
import { PageHeader } from '../../components/page-header.js';
import { createEndpointDocument, type createEndpointMutation } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import type { EndpointDraft } from './endpoint-draft.js';
import { EndpointForm } from './endpoint-form.js';
import './endpoints.css';

const listPath = `${base}/endpoints`;
const back = { href: listPath, label: text.endpoints.title };

/** Creates an endpoint, then shows its secret once. */
export function CreateEndpointPage() {
  const [created, setCreated] = useState<createEndpointMutation['created']>();
  const current = session.value;
  const [initial] = useState<EndpointDraft>({
    url: '',
    description: '',
    notificationEmail: (current.state === 'signedIn' && current.viewer.member?.email) || '',
    eventTypes: [],
  });

  const creating = useAction(async (draft: EndpointDraft) => {
    const { created: endpoint } = await execute(createEndpointDocument, {
      input: {
        url: draft.url.trim(),
        notificationEmail: draft.notificationEmail.trim(),
        eventTypes: [...draft.eventTypes],
        ...(draft.description.trim() !== '' && { description: draft.description }),
      },
    });
    setCreated(endpoint);
    refresh();
  });

  if (created) return <CreatedEndpoint created={created} />;

  return (
    <>
      <PageHeader title={text.endpointForm.createTitle} back={back} />
      {can('webhooks', 'write') ? (
        <EndpointForm
          initial={initial}
          exists={false}
          action={text.endpoints.create}
          back={listPath}
          busy={creating.running}
          error={creating.error}
          onSubmit={(draft) => void creating.run(draft)}
        />
      ) : (
        <EmptyState title={text.endpointForm.readOnly}>{text.endpoints.emptyReadOnly}</EmptyState>
      )}
    </>
  );
}

function CreatedEndpoint({ created }: { readonly created: createEndpointMutation['created'] }) {
  return (
    <>
      <PageHeader key="created" title={text.endpointForm.createdTitle} back={back} />
      <div class="card card-body">
        <p class="mono">
          <DataText value={created.url} />
        </p>
        <h2>{text.endpoints.secret}</h2>
        <p>{text.endpointForm.createdLead}</p>
        <Secret value={created.signingSecret} />
        <div class="row">
          <ButtonLink kind="primary" href={`${listPath}/${created.id}`}>
            {text.endpoints.stored}
          </ButtonLink>
        </div>
      </div>
    </>
  );
}
