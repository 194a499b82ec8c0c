import { Button } from '../../components/button.js';
import { fill, text } from '../../texts/text.js';
import { AuditRow } from '../account/audit-page.js';
import { RecordRow } from '../account/record-row.js';
import { SessionRow } from '../account/session-row.js';
import { NumberedPager, SaleList } from '../commerce/sale-list.js';
import { TotalsCard } from '../commerce/totals-card.js';
import { HeadersTable } from '../deliveries/delivery-page.js';
import { DeliveryTable } from '../deliveries/delivery-table.js';
import { EndpointRow } from '../endpoints/endpoints-page.js';
import { FailingEndpoints, FirstSteps } from '../overview/overview-page.js';
import { SessionList } from '../portal/portal-page.js';
import { RecoveryRow } from '../recoveries/recoveries-page.js';
import {
  changes,
  delivery,
  endpoint,
  endpoints,
  evidence,
  firefox,
  lineItems,
  member,
  minutesAgo,
  recovery,
  rows,
  saleRows,
  totals,
} from './sample-data.js';
import { Group, nothing, Specimen, State } from './specimen.js';

const answered = { error: undefined, loading: false, reload: nothing };
const pagination = { currentPage: 1, totalPages: 12, totalCount: 1_187 };

/** Lists and tables, with their pagers. */
export function ListSamples() {
  return (
    <Group title="Lists">
      <Specimen file="pages/endpoints/endpoints-page.tsx: EndpointRow">
        <ul class="card endpoints">
          {endpoints.map((listed) => (
            <EndpointRow key={listed.id} endpoint={listed} />
          ))}
        </ul>
      </Specimen>
      <Specimen file="pages/deliveries/delivery-table.tsx">
        <State name="with one that is open, and what arrived meanwhile">
          <Deliveries filled />
        </State>
        <State name="on its way">
          <Deliveries filled={false} />
        </State>
      </Specimen>
      <Specimen file="pages/deliveries/delivery-page.tsx: HeadersTable">
        <HeadersTable headers={evidence.responseHeaders ?? []} />
      </Specimen>
      <Specimen file="pages/recoveries/recoveries-page.tsx: RecoveryRow">
        <ul class="card endpoints">
          <RecoveryRow recovery={recovery} url={endpoint.url} />
          <RecoveryRow recovery={{ ...recovery, status: 'completed' }} url={undefined} />
        </ul>
      </Specimen>
      <Specimen file="pages/account/record-row.tsx">
        <ul class="card records">
          <RecordRow id={member.id}>
            <p class="record-main">{member.email}</p>
            <Button small>Remove</Button>
          </RecordRow>
        </ul>
      </Specimen>
      <Specimen file="pages/account/session-row.tsx">
        <ul class="card records">
          <SessionRow
            id="ses_1"
            userAgent={firefox}
            badge={<span class="badge badge-good">{text.sessions.current}</span>}
            times={[[text.sessions.used, minutesAgo(2)]]}
            texts={text.sessions}
            end={undefined}
          />
        </ul>
      </Specimen>
      <Specimen file="pages/portal/portal-page.tsx: SessionList">
        <SessionList />
      </Specimen>
      <Specimen file="pages/account/audit-page.tsx: AuditRow">
        <ul class="card records">
          {changes.map((change) => (
            <AuditRow key={change.id} entry={change} />
          ))}
        </ul>
      </Specimen>
      <Specimen file="pages/commerce/sale-list.tsx">
        <SaleList
          kind="offers"
          query={answered}
          rows={saleRows}
          part={false}
          pager={<NumberedPager kind="offers" pagination={pagination} />}
        />
      </Specimen>
      <Specimen file="pages/commerce/totals-card.tsx">
        <TotalsCard totals={totals} lineItems={lineItems} />
      </Specimen>
      <Specimen file="pages/overview/overview-page.tsx: FailingEndpoints">
        <FailingEndpoints since={minutesAgo(1_440)} range="day" />
      </Specimen>
      <Specimen file="pages/overview/overview-page.tsx: FirstSteps">
        <FirstSteps />
      </Specimen>
    </Group>
  );
}

function Deliveries({ filled }: { readonly filled: boolean }) {
  return (
    <DeliveryTable
      rows={filled ? [delivery, ...rows] : []}
      filter={{}}
      open={filled ? delivery.id : undefined}
      endpoints={new Map()}
      hasMore={!filled}
      busy={!filled}
      onNearEnd={nothing}
      onTop={nothing}
      round={0}
      notice={filled && <Arrived />}
      footer={
        <p class="deliveries-foot soft small">
          {filled ? text.deliveries.end : text.common.loading}
        </p>
      }
    />
  );
}

function Arrived() {
  return (
    <div class="arrived" role="status">
      <Button small kind="primary">
        ↑ {fill(text.live.arrived, { count: 12 })}
      </Button>
    </div>
  );
}
