import { RequestError } from '../../api/request-error.js';
import { Button } from '../../components/button.js';
import { Card, EmptyState, LoadingCard } from '../../components/card.js';
import { ErrorNotice, Notice } from '../../components/notice.js';
import { text } from '../../texts/text.js';
import { MissingRecord } from '../account/missing-record.js';
import { SaleBadge, type SaleStatus } from '../commerce/sale-values.js';
import { StatusBadge } from '../deliveries/outcome.js';
import { DisabledBecause, DisabledNotice, RecoverableNotice } from '../endpoints/endpoint-page.js';
import { StateBadge, WaitingBadge } from '../endpoints/state-badge.js';
import { RecoveryBadge } from '../recoveries/recovery-badge.js';
import { endpoint, hiddenText, longText, longUrl } from './sample-data.js';
import { Group, nothing, Specimen, State, States } from './specimen.js';

const saleStatuses = Object.keys(text.commerce.statuses) as SaleStatus[];

/** Cards, notices and badges, empty states and placeholders. */
export function NoticeSamples() {
  return (
    <Group title="States">
      <Specimen file="components/card.tsx: Card">
        <Card title="A card" actions={<Button small>Action</Button>}>
          <p>What belongs together.</p>
        </Card>
        <Card title={longText} actions={<Button small>Action</Button>}>
          <p>{longUrl}</p>
        </Card>
      </Specimen>
      <Specimen file="components/notice.tsx: Notice">
        <Notice kind="bad" title="Something is wrong">
          <p>It says what to do.</p>
        </Notice>
        <Notice kind="warn" title="A warning">
          <p>It says what follows.</p>
        </Notice>
        <Notice kind="good" title="It is done" />
      </Specimen>
      <Specimen file="components/notice.tsx: ErrorNotice">
        <ErrorNotice error={new RequestError('example', 'It says why.')} retry={nothing} />
        <ErrorNotice error={new RequestError('example', hiddenText)} />
      </Specimen>
      <Specimen file="components/card.tsx: EmptyState">
        <EmptyState title="Nothing yet" action={<Button kind="primary">Create one</Button>}>
          It says what to do next.
        </EmptyState>
      </Specimen>
      <Specimen file="components/card.tsx: LoadingCard">
        <LoadingCard />
      </Specimen>
      <States>
        <Specimen file="pages/deliveries/outcome.tsx: StatusBadge">
          <div class="row">
            <StatusBadge status="success" />
            <StatusBadge status="failed" />
            <StatusBadge status="abandoned" />
          </div>
        </Specimen>
        <Specimen file="pages/recoveries/recovery-badge.tsx">
          <div class="row">
            <RecoveryBadge status="running" />
            <RecoveryBadge status="paused" />
            <RecoveryBadge status="completed" />
            <RecoveryBadge status="cancelled" />
          </div>
        </Specimen>
        <Specimen file="pages/commerce/sale-values.tsx: SaleBadge">
          <div class="row">
            {saleStatuses.map((status) => (
              <SaleBadge key={status} status={status} />
            ))}
          </div>
        </Specimen>
        <Specimen file="pages/endpoints/state-badge.tsx">
          <div class="row">
            <StateBadge state="healthy" />
            <StateBadge state="failing" />
            <StateBadge state="disabled" />
            <StateBadge state="inactive" />
          </div>
          <State name="on its way">
            <div class="row">
              <WaitingBadge />
            </div>
          </State>
        </Specimen>
      </States>
      <Specimen file="pages/endpoints/endpoint-page.tsx: DisabledNotice">
        <DisabledNotice endpoint={{ ...endpoint, disabledReason: 'receiver_gone' }} mayEnable />
        <DisabledNotice endpoint={endpoint} mayEnable={false} />
      </Specimen>
      <Specimen file="pages/endpoints/endpoint-page.tsx: DisabledBecause">
        <DisabledBecause id={endpoint.id} />
      </Specimen>
      <Specimen file="pages/account/missing-record.tsx">
        <MissingRecord wanted="mem_0VbGone" records={[]} detail={text.members.missing} />
      </Specimen>
      <Specimen file="pages/endpoints/endpoint-page.tsx: RecoverableNotice">
        <RecoverableNotice endpoint={endpoint} mayStart />
      </Specimen>
    </Group>
  );
}
