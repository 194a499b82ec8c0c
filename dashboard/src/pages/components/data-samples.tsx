import { Button } from '../../components/button.js';
import { Tiles } from '../../components/tiles.js';
import { fill, text } from '../../texts/text.js';
import { AuditRow } from '../account/audit-page.js';
import { RecordRow, SessionRow } from '../account/records.js';
import { NumberedPager, SaleList } from '../commerce/sale-list.js';
import { TotalsCard } from '../commerce/sale-page.js';
import { HeadersTable, Waterfall } from '../deliveries/delivery-page.js';
import { DeliveryTable } from '../deliveries/delivery-table.js';
import { Answer, AttemptLine } from '../deliveries/event-page.js';
import { FilterValue, TriedEvents } from '../endpoints/filter-dialog.js';
import { OverlapBar } from '../endpoints/endpoint-dialogs.js';
import { EndpointRow } from '../endpoints/endpoints-page.js';
import { HealthFacts } from '../endpoints/health-facts.js';
import { HeldSubjects } from '../endpoints/held-subjects.js';
import { ColumnChart } from '../overview/column-chart.js';
import { Charts, FailingEndpoints, FirstSteps, LagCard } from '../overview/overview-page.js';
import { SessionList } from '../portal/portal-page.js';
import { ProgressFacts, RecoveryFacts, RecoveryRow } from '../recoveries/recoveries.js';
import {
  eventAnswers,
  buckets,
  changes,
  delivery,
  endpoint,
  endpoints,
  evidence,
  firefox,
  health,
  lineItems,
  member,
  minutesAgo,
  recovery,
  rows,
  saleRows,
  totals,
  triedEvents,
} from './sample-service.js';
import { Group, nothing, Specimen, State, States } from './specimen.js';

const answered = { error: undefined, loading: false, reload: nothing };
const pagination = { currentPage: 1, totalPages: 12, totalCount: 1_187 };

/** Lists and tables, with their pagers. */
export function ListSamples() {
  return (
    <Group title="Lists">
      <Specimen file="pages/endpoints/endpoints-page.tsx: EndpointRow">
        <ul class="card list">
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
      <Specimen file="pages/recoveries/recoveries.tsx: RecoveryRow">
        <ul class="card list">
          <RecoveryRow recovery={recovery} url={endpoint.url} />
          <RecoveryRow recovery={{ ...recovery, status: 'completed' }} url={undefined} />
        </ul>
      </Specimen>
      <Specimen file="pages/account/records.tsx: RecordRow">
        <ul class="card records">
          <RecordRow id={member.id}>
            <p class="record-main">{member.email}</p>
            <Button small>Remove</Button>
          </RecordRow>
        </ul>
      </Specimen>
      <Specimen file="pages/account/records.tsx: SessionRow">
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
      <Specimen file="pages/commerce/sale-list.tsx: SaleList, NumberedPager">
        <SaleList
          kind="offers"
          query={answered}
          rows={saleRows}
          isPartial={false}
          pager={<NumberedPager kind="offers" pagination={pagination} />}
        />
      </Specimen>
      <Specimen file="pages/commerce/sale-page.tsx: TotalsCard">
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

const { timings } = evidence;
const ms = (value: number) => fill(text.common.ms, { ms: value });

/** Numbers, alone and over time. */
export function ChartSamples() {
  return (
    <Group title="Charts">
      <Specimen file="components/tiles.tsx">
        <Tiles
          tiles={[
            { name: 'Delivered', value: '1,204' },
            { name: 'Dead letters', value: '3', bad: true },
            { name: 'On its way', value: '…' },
          ]}
        />
        <State name="dense">
          <Tiles
            dense
            tiles={[
              { name: 'Due now', value: '64' },
              { name: 'Dead letters', value: <a href="#charts">3</a>, bad: true },
            ]}
          />
        </State>
      </Specimen>
      <Specimen file="pages/overview/overview-page.tsx: Charts">
        <Charts buckets={buckets} by="hour" />
      </Specimen>
      <Specimen file="pages/overview/column-chart.tsx">
        <States>
          <State name="one column">
            <ColumnChart
              columns={[{ key: 'a', label: 'Monday', values: [7] }]}
              series={[{ kind: 'good', label: 'Delivered' }]}
            />
          </State>
          <State name="nothing measured">
            <ColumnChart
              columns={[{ key: 'a', label: 'Monday', values: [null] }]}
              series={[{ kind: 'accent', label: 'p50' }]}
              format={ms}
            />
          </State>
        </States>
      </Specimen>
      <Specimen file="pages/overview/overview-page.tsx: LagCard">
        <LagCard lag={{ oldestDueSeconds: 4, oldestBacklogSeconds: 18_000 }} />
      </Specimen>
      <Specimen file="pages/deliveries/delivery-page.tsx: Waterfall">
        <States>
          <State name="every phase">
            <Waterfall timings={timings} />
          </State>
          <State name="a connection that was there">
            <Waterfall timings={{ ...timings, lookupMs: null, connectMs: null, tlsMs: null }} />
          </State>
          <State name="no answer">
            <Waterfall timings={{ ...timings, firstByteMs: null, totalMs: 10_000 }} />
          </State>
        </States>
      </Specimen>
      <Specimen file="pages/deliveries/event-page.tsx: Answer">
        <States>
          {eventAnswers.map((answer) => (
            <State key={answer.state} name={answer.state}>
              <Answer answer={answer} />
            </State>
          ))}
        </States>
      </Specimen>
      <Specimen file="pages/endpoints/filter-dialog.tsx: FilterValue, TriedEvents">
        <States>
          <State name="some match">
            <TriedEvents events={triedEvents} />
          </State>
          <State name="no event">
            <TriedEvents events={[]} />
          </State>
          <State name="a filter">
            <FilterValue filter={endpoint.options.filter} />
          </State>
        </States>
      </Specimen>
      <Specimen file="pages/deliveries/event-page.tsx: AttemptLine">
        <AttemptLine event={delivery.eventId} current={delivery.id} />
      </Specimen>
      <Specimen file="pages/endpoints/endpoint-dialogs.tsx: OverlapBar">
        <States>
          <State name="before the rotation">
            <OverlapBar />
          </State>
          <State name="after it">
            <OverlapBar rotatedAt={Date.parse(recovery.createdAt)} />
          </State>
        </States>
      </Specimen>
      <Specimen file="pages/endpoints/health-facts.tsx: HealthFacts">
        <HealthFacts health={health} />
        <State name="on its way">
          <HealthFacts health={undefined} />
        </State>
      </Specimen>
      <Specimen file="pages/endpoints/held-subjects.tsx: HeldSubjects">
        <HeldSubjects endpointId={endpoint.id} mayGiveUp />
      </Specimen>
      <Specimen file="pages/recoveries/recoveries.tsx: ProgressFacts, RecoveryFacts">
        <progress class="progress" max={1} value={0.4} aria-label={text.recoveries.progress} />
        <ProgressFacts recovery={recovery} />
        <RecoveryFacts recovery={recovery} />
      </Specimen>
    </Group>
  );
}
