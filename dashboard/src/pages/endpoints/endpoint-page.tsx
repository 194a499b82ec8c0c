import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { base } from '../../api/base.js';
import { can } from '../../api/session-state.js';
import { useQuery } from '../../api/use-query.js';
import { Button, ButtonLink } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { DataText } from '../../components/data-text.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { endpointDocument, endpointHealthDocument } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { pathOfList } from '../deliveries/delivery-filter.js';
import { RecoverableNotice } from '../recoveries/recoverable-notice.js';
import { recoveriesPath, startPath } from '../recoveries/recovery-draft.js';
import { DeleteDialog } from './delete-dialog.js';
import { DisableDialog } from './disable-dialog.js';
import { DisabledNotice } from './disabled-notice.js';
import { EndpointDetails } from './endpoint-details.js';
import { HealthFacts } from './health-facts.js';
import { hostOf } from './host.js';
import { RateLimitDialog } from './rate-limit-dialog.js';
import { RotateDialog } from './rotate-dialog.js';
import { StateBadge, WaitingBadge } from './state-badge.js';
import { TestEventDialog } from './test-event-dialog.js';
import './endpoints.css';

type Opened = 'test' | 'limit' | 'rotate' | 'disable' | 'delete' | undefined;

const listPath = `${base}/endpoints`;

/** One endpoint: its health, its settings, and what can be done with it. */
export function EndpointPage() {
  const id = useRoute().params['id'] ?? '';
  const { route } = useLocation();
  const [opened, setOpened] = useState<Opened>();
  const { data, error, reload } = useQuery(endpointDocument, { id });
  const health = useQuery(endpointHealthDocument, { id }).data?.health;
  const mayChange = can('webhooks', 'write');
  const close = () => setOpened(undefined);
  const endpoint = data?.endpoint;
  const title = endpoint ? hostOf(endpoint.url) : text.endpoints.one;
  return (
    <>
      <PageHeader
        title={title}
        heading={<DataText value={title} />}
        back={{ href: listPath, label: text.endpoints.title }}
        lead={health ? <StateBadge state={health.state} /> : <WaitingBadge />}
        actions={
          endpoint && (
            <>
              {mayChange && (
                <>
                  <Button onClick={() => setOpened('test')}>{text.endpoints.test}</Button>
                  <ButtonLink href={`${listPath}/${id}/edit`}>{text.endpoints.edit}</ButtonLink>
                </>
              )}
              <ButtonLink href={pathOfList({ endpoint: id })}>
                {text.endpoints.deliveries}
              </ButtonLink>
            </>
          )
        }
      />
      {error && <ErrorNotice error={error} retry={reload} />}
      {endpoint && !endpoint.active && <DisabledNotice endpoint={endpoint} mayEnable={mayChange} />}
      {endpoint && <RecoverableNotice endpoint={endpoint} mayStart={mayChange} />}
      {endpoint && (
        <>
          <Card title={text.endpoints.health}>
            <HealthFacts health={health} />
          </Card>
          <Card title={text.endpoints.details}>
            <EndpointDetails endpoint={endpoint} />
          </Card>
          <Card
            title={text.recoveries.card}
            actions={
              <>
                <ButtonLink small kind="quiet" href={recoveriesPath}>
                  {text.recoveries.past}
                </ButtonLink>
                {mayChange && endpoint.active && (
                  <ButtonLink small href={startPath(id)}>
                    {text.recoveries.start}
                  </ButtonLink>
                )}
              </>
            }
          >
            <p class="soft">{text.recoveries.cardLead}</p>
          </Card>
        </>
      )}
      {endpoint && mayChange && (
        <>
          <Card
            title={text.endpoints.secret}
            actions={
              <Button small onClick={() => setOpened('rotate')}>
                {text.endpoints.rotate}
              </Button>
            }
          >
            <p class="soft">{text.endpoints.secretLead}</p>
          </Card>
          <Card
            title={text.endpoints.limit}
            actions={
              <Button small onClick={() => setOpened('limit')}>
                {text.endpoints.limitChange}
                <span class="visually-hidden"> {text.endpoints.limit}</span>
              </Button>
            }
          >
            <p class="soft">
              {endpoint.maxPerSecond === null
                ? text.endpoints.limitNone
                : fill(text.endpoints.limitValue, { count: endpoint.maxPerSecond })}
            </p>
          </Card>
          <Card title={text.endpoints.danger}>
            <div class="row">
              {endpoint.active && (
                <Button onClick={() => setOpened('disable')}>{text.endpoints.disable}</Button>
              )}
              <Button kind="danger" onClick={() => setOpened('delete')}>
                {text.endpoints.delete}
              </Button>
            </div>
          </Card>
        </>
      )}
      {endpoint && opened === 'test' && <TestEventDialog endpoint={endpoint} onClose={close} />}
      {endpoint && opened === 'limit' && <RateLimitDialog endpoint={endpoint} onClose={close} />}
      {opened === 'rotate' && <RotateDialog id={id} onClose={close} />}
      {opened === 'disable' && <DisableDialog id={id} onClose={close} />}
      {endpoint && opened === 'delete' && (
        <DeleteDialog endpoint={endpoint} onClose={close} onDeleted={() => route(listPath, true)} />
      )}
    </>
  );
}
