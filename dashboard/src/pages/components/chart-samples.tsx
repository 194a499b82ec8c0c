import { Tiles } from '../../components/tiles.js';
import { fill, text } from '../../texts/text.js';
import { Waterfall } from '../deliveries/delivery-page.js';
import { AttemptLine } from '../deliveries/event-parts.js';
import { OverlapBar } from '../endpoints/endpoint-dialogs.js';
import { HealthFacts } from '../endpoints/health-facts.js';
import { ColumnChart } from '../overview/column-chart.js';
import { Charts, LagCard } from '../overview/overview-page.js';
import { ProgressFacts, RecoveryFacts } from '../recoveries/recovery-page.js';
import { buckets, delivery, evidence, health, recovery } from './sample-data.js';
import { Group, Specimen, State, States } from './specimen.js';

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
      <Specimen file="pages/deliveries/event-parts.tsx: AttemptLine">
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
      <Specimen file="pages/endpoints/health-facts.tsx">
        <HealthFacts health={health} />
        <State name="on its way">
          <HealthFacts health={undefined} />
        </State>
      </Specimen>
      <Specimen file="pages/recoveries/recovery-page.tsx: ProgressFacts, RecoveryFacts">
        <progress class="progress" max={1} value={0.4} aria-label={text.recoveries.progress} />
        <ProgressFacts recovery={recovery} />
        <RecoveryFacts recovery={recovery} />
      </Specimen>
    </Group>
  );
}
