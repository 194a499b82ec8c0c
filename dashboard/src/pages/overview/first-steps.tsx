import { base } from '../../api/base.js';
import { useQuery } from '../../api/use-query.js';
import { ButtonLink } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { can } from '../../api/session-state.js';
import { firstEndpointDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';

/** What a webhook is, and what to do until the first delivery. */
export function FirstSteps() {
  const endpoints = useQuery(firstEndpointDocument, {}).data?.endpoints.data;
  const texts = text.overview;
  const created = (endpoints?.length ?? 0) > 0;
  return (
    <Card title={texts.stepsTitle}>
      <p>{texts.stepsLead}</p>
      <ol class="steps">
        <li class={created ? 'step-done' : undefined}>
          {texts.steps.endpoint} {created && <span class="tag small">{texts.done}</span>}
        </li>
        <li>{texts.steps.test}</li>
        <li>{texts.steps.see}</li>
      </ol>
      <div class="row">
        {!created && can('webhooks', 'write') ? (
          <ButtonLink kind="primary" href={`${base}/endpoints/new`}>
            {texts.createEndpoint}
          </ButtonLink>
        ) : (
          <ButtonLink kind="primary" href={`${base}/endpoints`}>
            {texts.openEndpoints}
          </ButtonLink>
        )}
        <ButtonLink href={`${base}/deliveries`}>{texts.openDeliveries}</ButtonLink>
      </div>
    </Card>
  );
}
