import { useLocation, useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { base } from '../../api/base.js';
import { execute } from '../../api/request.js';
import { can } from '../../api/session-state.js';
import { useAction } from '../../api/use-action.js';
import { refresh, useQuery } from '../../api/use-query.js';
import { Button, ButtonLink } from '../../components/button.js';
import { Card, Fact, Facts } from '../../components/card.js';
import { CopyButton } from '../../components/copy-button.js';
import { DataText, Sentence } from '../../components/data-text.js';
import { Instant } from '../../components/instant.js';
import { lazyPart } from '../../components/lazy-part.js';
import { ErrorNotice, Notice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { showToast } from '../../components/toast.js';
import {
  endpointDisablingDocument,
  endpointDocument,
  endpointHealthDocument,
  type endpointQuery,
  recoverableDocument,
  type recoverableQuery,
  recoveriesDocument,
  updateEndpointDocument,
} from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { reasonOf, whoOf } from '../account/audit-words.js';
import { pathOfList } from '../deliveries/delivery-filter.js';
import { isActive, recoveriesPath, startPath } from '../recoveries/recovery-rules.js';
import { DeleteDialog, DisableDialog, RotateDialog, TestEventDialog } from './endpoint-dialogs.js';
import { HealthFacts, StateBadge, WaitingBadge } from './health-facts.js';
import { hostOf } from './host.js';
import './endpoints.css';

const texts = text.endpoints;

const DeliveryOptions = lazyPart(() =>
  import('./delivery-options.js').then((part) => part.DeliveryOptions),
);
const HeldSubjects = lazyPart(() => import('./held-subjects.js').then((part) => part.HeldSubjects));

type Opened = 'test' | 'rotate' | 'disable' | 'delete' | undefined;

const listPath = `${base}/endpoints`;

/** One endpoint: its health, its settings and its actions. */
export function EndpointPage() {
  const id = useRoute().params['id'] ?? '';
  const { route } = useLocation();
  const [opened, setOpened] = useState<Opened>();
  const { data, error, reload } = useQuery(endpointDocument, { id });
  const health = useQuery(endpointHealthDocument, { id }).data?.health;
  const mayChange = can('webhooks', 'write');
  const close = () => setOpened(undefined);
  const endpoint = data?.endpoint;
  const title = endpoint ? hostOf(endpoint.url) : texts.one;
  return (
    <>
      <PageHeader
        title={title}
        heading={<DataText value={title} />}
        back={{ href: listPath, label: texts.title }}
        lead={health ? <StateBadge state={health.state} /> : <WaitingBadge />}
        actions={
          endpoint && (
            <>
              {mayChange && (
                <>
                  <Button onClick={() => setOpened('test')}>{texts.test}</Button>
                  <ButtonLink href={`${listPath}/${id}/edit`}>{texts.edit}</ButtonLink>
                </>
              )}
              <ButtonLink href={pathOfList({ endpoint: id })}>{texts.deliveries}</ButtonLink>
            </>
          )
        }
      />
      {error && <ErrorNotice error={error} retry={reload} />}
      {endpoint && !endpoint.active && <DisabledNotice endpoint={endpoint} mayEnable={mayChange} />}
      {endpoint && <RecoverableNotice endpoint={endpoint} mayStart={mayChange} />}
      {endpoint && (
        <>
          <Card title={texts.health}>
            <HealthFacts health={health} />
          </Card>
          <Card title={texts.details}>
            <EndpointDetails endpoint={endpoint} />
          </Card>
          <DeliveryOptions endpoint={endpoint} mayChange={mayChange} />
          {endpoint.options.ordering !== null && (
            <HeldSubjects endpointId={id} mayGiveUp={mayChange} />
          )}
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
            title={texts.secret}
            actions={
              <Button small onClick={() => setOpened('rotate')}>
                {texts.rotate}
              </Button>
            }
          >
            <p class="soft">{texts.secretLead}</p>
          </Card>
          <Card title={texts.danger}>
            <div class="row">
              {endpoint.active && (
                <Button onClick={() => setOpened('disable')}>{texts.disable}</Button>
              )}
              <Button kind="danger" onClick={() => setOpened('delete')}>
                {texts.delete}
              </Button>
            </div>
          </Card>
        </>
      )}
      {endpoint && opened === 'test' && <TestEventDialog endpoint={endpoint} onClose={close} />}
      {opened === 'rotate' && <RotateDialog id={id} onClose={close} />}
      {opened === 'disable' && <DisableDialog id={id} onClose={close} />}
      {endpoint && opened === 'delete' && (
        <DeleteDialog endpoint={endpoint} onClose={close} onDeleted={() => route(listPath, true)} />
      )}
    </>
  );
}

/** The settings of an endpoint. */
function EndpointDetails({ endpoint }: { readonly endpoint: endpointQuery['endpoint'] }) {
  const { id, url, description, notificationEmail, eventTypes, createdAt, updatedAt } = endpoint;
  return (
    <>
      <div class="copyable">
        <code>
          <DataText value={url} />
        </code>
        <CopyButton value={url} label={text.endpointForm.url} />
      </div>
      <Facts>
        {description !== null && (
          <Fact name={texts.description}>
            <DataText value={description} />
          </Fact>
        )}
        <Fact name={texts.notificationEmail}>
          <DataText value={notificationEmail} />
        </Fact>
        <Fact name={texts.created}>
          <Instant at={createdAt} />
        </Fact>
        <Fact name={texts.updated}>
          <Instant at={updatedAt} />
        </Fact>
        <Fact name={texts.id}>
          <code>{id}</code>
        </Fact>
      </Facts>
      <div class="stack-s">
        <h3>{texts.eventTypes}</h3>
        <ul class="row">
          {eventTypes.map((type) => (
            <li key={type}>
              <code class="tag">{type}</code>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

interface DisabledNoticeProps {
  readonly endpoint: endpointQuery['endpoint'];
  readonly mayEnable: boolean;
}

/** Says why an endpoint is disabled, with a button that enables it. */
export function DisabledNotice({ endpoint, mayEnable }: DisabledNoticeProps) {
  const { id, disabledReason } = endpoint;
  const enabling = useAction(async () => {
    await execute(updateEndpointDocument, { id, input: { active: true } });
    refresh();
    showToast(texts.enabled);
  });

  return (
    <Notice kind="warn" title={texts.states[disabledReason === null ? 'inactive' : 'disabled']}>
      {disabledReason === null ? (
        <DisabledBecause id={id} />
      ) : (
        <p>{texts.reasons[disabledReason]}</p>
      )}
      {mayEnable && (
        <div>
          <Button small kind="primary" busy={enabling.running} onClick={() => void enabling.run()}>
            {texts.enable}
          </Button>
        </div>
      )}
      {enabling.error && <ErrorNotice error={enabling.error} />}
    </Notice>
  );
}

/** Who disabled an endpoint, when and why, if the viewer may read the audit log. */
export function DisabledBecause({ id }: { readonly id: string }) {
  const document = can('account', 'read') ? endpointDisablingDocument : undefined;
  const { data, loading } = useQuery(document, { id });
  const [entry] = data?.auditLog.data ?? [];
  const isDisabling = entry?.changes.some(({ field, to }) => field === 'active' && to === 'false');

  // An older answer may be about an earlier time, and a screen reader would read both.
  if (document && loading) return <p>{texts.noEvents}</p>;
  if (!entry || isDisabling !== true) return <p>{texts.inactiveReason}</p>;

  const reason = reasonOf(entry);
  return (
    <>
      <p>
        <Sentence
          template={reason === undefined ? texts.disabledBy : texts.disabledBecause}
          values={{
            who: <DataText value={whoOf(entry)} />,
            when: <Instant at={entry.createdAt} style="relative" />,
            reason: reason !== undefined && <DataText value={reason} />,
          }}
        />
      </p>
      <p>{texts.noEvents}</p>
    </>
  );
}

interface RecoverableNoticeProps {
  readonly endpoint: { readonly id: string; readonly active: boolean };
  readonly mayStart: boolean;
}

type Recoverable = recoverableQuery['health'];

/** Says how many events have not reached an endpoint, and offers to send them again. */
export function RecoverableNotice({ endpoint, mayStart }: RecoverableNoticeProps) {
  const { id, active } = endpoint;
  const health = useQuery(recoverableDocument, { id }).data?.health;
  const recoveries = useQuery(recoveriesDocument, {}).data?.recoveries.data ?? [];
  const current = recoveries.find((recovery) => recovery.endpointId === id && isActive(recovery));
  if (current) {
    return (
      <Notice kind="good" title={text.recoveries.running}>
        <div>
          <ButtonLink small href={`${recoveriesPath}/${current.id}`}>
            {text.recoveries.open}
          </ButtonLink>
        </div>
      </Notice>
    );
  }

  if (!health || health.recoverable.failed + health.recoverable.missed === 0) return null;

  return (
    <Notice kind="warn" title={titleOf(health)}>
      <p>
        {detailOf(health)} {!active && mayStart && text.recoveries.afterEnabling}
      </p>
      {active && mayStart && (
        <div>
          <ButtonLink small kind="primary" href={startPath(id)}>
            {text.recoveries.offer}
          </ButtonLink>
        </div>
      )}
    </Notice>
  );
}

function titleOf({ recoverable: { failed, missed, complete } }: Recoverable): string {
  const template = complete ? text.recoveries.notArrived : text.recoveries.notArrivedMore;
  return fill(template, { count: failed + missed });
}

function detailOf({ lastSuccessAt, recoverable: { failed, missed } }: Recoverable): string {
  return fill(lastSuccessAt === null ? text.recoveries.inMonth : text.recoveries.sinceSuccess, {
    failed,
    missed,
  });
}
