import { RequestError } from '../../api/request-error.js';
import { Button } from '../../components/button.js';
import { Card, EmptyState, LoadingCard } from '../../components/card.js';
import { ErrorNotice, Notice } from '../../components/notice.js';
import { text } from '../../texts/text.js';
import { SaleBadge, type SaleStatus } from '../commerce/sale-badge.js';
import { StatusBadge } from '../deliveries/status-badge.js';
import { MissingRecord } from '../account/missing-record.js';
import { DisabledBecause } from '../endpoints/disabled-because.js';
import { DisabledNotice } from '../endpoints/disabled-notice.js';
import { StateBadge, WaitingBadge } from '../endpoints/state-badge.js';
import { RecoverableNotice } from '../recoveries/recoverable-notice.js';
import { RecoveryBadge } from '../recoveries/recovery-badge.js';
import { endpoint } from './sample-endpoints.js';
import { hiddenText, longText, longUrl } from './sample-texts.js';
import { Group, Specimen, State, States } from './specimen.js';

const saleStatuses = Object.keys(text.commerce.statuses) as SaleStatus[];

/** What says how something is: cards, notices, badges, what is empty or on its way. */
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
        <Specimen file="pages/deliveries/status-badge.tsx">
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
        <Specimen file="pages/commerce/sale-badge.tsx">
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
      <Specimen file="pages/endpoints/disabled-notice.tsx">
        <DisabledNotice endpoint={{ ...endpoint, disabledReason: 'receiver_gone' }} mayEnable />
        <DisabledNotice endpoint={endpoint} mayEnable={false} />
      </Specimen>
      <Specimen file="pages/endpoints/disabled-because.tsx">
        <DisabledBecause id={endpoint.id} />
      </Specimen>
      <Specimen file="pages/account/missing-record.tsx">
        <MissingRecord wanted="mem_0VbGone" records={[]} detail={text.members.missing} />
      </Specimen>
      <Specimen file="pages/recoveries/recoverable-notice.tsx">
        <RecoverableNotice endpoint={endpoint} mayStart />
      </Specimen>
    </Group>
  );
}

function nothing(): void {
  // A specimen changes nothing.
}
