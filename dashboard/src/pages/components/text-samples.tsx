import { useRef } from 'preact/hooks';
import { Card, Fact, Facts } from '../../components/card.js';
import { Secret } from '../../components/copy-button.js';
import { DataText, Sentence } from '../../components/data-text.js';
import { Instant } from '../../components/instant.js';
import { lazyPart } from '../../components/lazy-part.js';
import { Windowed } from '../../components/windowed.js';
import { MoneyText } from '../commerce/sale-values.js';
import { AnswerText } from '../deliveries/outcome.js';
import { delivery, hiddenText, longText, longUrl, minutesAgo } from './sample-data.js';
import { Group, Specimen, State, States } from './specimen.js';

const LoadedPart = lazyPart(() => Promise.resolve(() => <p>This part was loaded.</p>));
const FailedPart = lazyPart<object>(() => Promise.reject(new Error('The connection dropped.')));
const WaitingPart = lazyPart<object>(() => new Promise(() => undefined));
const rowHeight = 32;

/** Texts, times and amounts, and their containers. */
export function TextSamples() {
  return (
    <Group title="Texts">
      <Specimen file="components/data-text.tsx: DataText">
        <States>
          <State name="plain">
            <DataText value="Orders into the warehouse" />
          </State>
          <State name="hidden characters">
            <DataText value={hiddenText} />
          </State>
          <State name="from right to left">
            <DataText value="طلب جديد" />
          </State>
          <State name="markup of others">
            <DataText value={'<img src=x onerror="alert(1)">'} />
          </State>
          <State name="long">
            <DataText value={longUrl} />
          </State>
        </States>
      </Specimen>
      <Specimen file="components/data-text.tsx: Sentence">
        <p>
          <Sentence
            template="{who} paid {amount}."
            values={{ who: <strong>Ann</strong>, amount: <code>€19.00</code> }}
          />
        </p>
      </Specimen>
      <Specimen file="components/instant.tsx">
        <States>
          {(['full', 'short', 'relative', 'utc', 'day'] as const).map((style) => (
            <State key={style} name={style}>
              {[0, 4, 200, 5_000].map((minutes) => (
                <Instant key={minutes} at={minutesAgo(minutes)} style={style} />
              ))}
            </State>
          ))}
        </States>
      </Specimen>
      <Specimen file="components/card.tsx: Facts">
        <Card title="components/card.tsx">
          <Facts>
            <Fact name="Time">
              <Instant at={minutesAgo(4)} />
            </Fact>
            <Fact name="Id">
              <code>{delivery.id}</code>
            </Fact>
            <Fact name="Long">
              <DataText value={longUrl} />
            </Fact>
            <Fact name="None">
              <span class="soft">None</span>
            </Fact>
          </Facts>
        </Card>
      </Specimen>
      <Specimen file="components/copy-button.tsx: Secret">
        <Secret value="whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" />
      </Specimen>
      <Specimen file="pages/commerce/sale-values.tsx: MoneyText">
        <div class="row">
          <MoneyText minorUnits={123_456_789} currency="EUR" />
          <MoneyText minorUnits={-1_200} currency="JPY" />
          <MoneyText minorUnits={0} currency="USD" />
        </div>
      </Specimen>
      <Specimen file="pages/deliveries/outcome.tsx: AnswerText">
        <div class="row">
          <span>
            <AnswerText delivery={delivery} />
          </span>
          <span>
            <AnswerText
              delivery={{ ...delivery, responseStatus: null, failureReason: 'timeout' }}
            />
          </span>
        </div>
      </Specimen>
      <Specimen file="components/windowed.tsx">
        <WindowedSample />
      </Specimen>
      <Specimen file="components/lazy-part.tsx">
        <States>
          <State name="loaded">
            <LoadedPart />
          </State>
          <State name="not loaded">
            <FailedPart />
          </State>
          <State name="on its way: nothing">
            <WaitingPart />
          </State>
        </States>
      </Specimen>
    </Group>
  );
}

function WindowedSample() {
  const scroller = useRef<HTMLDivElement>(null);
  return (
    <div
      class="specimen-scroller"
      ref={scroller}
      tabIndex={0}
      role="group"
      aria-label="10,000 rows, of which a few are in the page"
    >
      <Windowed
        count={10_000}
        rowHeight={rowHeight}
        scroller={scroller}
        renderRow={(index) => (
          <div key={index} class="specimen-row">
            Row {index + 1}: {longText}
          </div>
        )}
      />
    </div>
  );
}
