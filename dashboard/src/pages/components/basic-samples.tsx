import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { RequestError } from '../../api/request-error.js';
import { Button } from '../../components/button.js';
import { Card, EmptyState, Fact, Facts, LoadingCard } from '../../components/card.js';
import { Secret } from '../../components/copy-button.js';
import { DataText, Sentence } from '../../components/data-text.js';
import { Instant } from '../../components/instant.js';
import { CodeText, JsonView } from '../../components/json-view.js';
import { lazyPart } from '../../components/lazy-part.js';
import { ErrorNotice, Notice } from '../../components/notice.js';
import { Windowed } from '../../components/windowed.js';
import tokensCss from '../../styles/tokens.css?raw';
import { text } from '../../texts/text.js';
import { MissingRecord } from '../account/records.js';
import { MoneyText, SaleBadge, type SaleStatus } from '../commerce/sale-values.js';
import { RequestCard, ResponseCard, SignedText } from '../deliveries/delivery-page.js';
import { AnswerText, StatusBadge } from '../deliveries/outcome.js';
import { DeliveryOptions } from '../endpoints/delivery-options.js';
import { DisabledBecause, DisabledNotice, RecoverableNotice } from '../endpoints/endpoint-page.js';
import { StateBadge, WaitingBadge } from '../endpoints/health-facts.js';
import { SchemaCard } from '../event-types/event-type-page.js';
import { ReceiverCode } from '../event-types/receiver-code.js';
import { RecoveryBadge } from '../recoveries/recoveries.js';
import {
  body,
  delivery,
  endpoint,
  evidence,
  hiddenText,
  longText,
  longUrl,
  minutesAgo,
} from './sample-service.js';
import { Group, nothing, Specimen, State, States } from './specimen.js';

const tokens = designTokens(tokensCss);
const named = (part: string) => tokens.filter(({ name }) => name.startsWith(`--${part}`));
const colours = tokens.filter(({ value }) => /^light-dark\(#/.test(value));
const kinds = {
  spaces: named('space-'),
  texts: named('text-'),
  families: tokens.filter(({ value }) => /(?:serif|monospace)$/.test(value)),
  radii: named('radius-'),
  shadows: [...named('shadow'), ...named('ring')],
};
const shown = new Set([colours, ...Object.values(kinds)].flat());
const rest = tokens.filter((token) => !shown.has(token));

/** Every token of the file: colours in both themes, then sizes, then the rest. */
export function TokenSamples() {
  return (
    <Group title="Tokens">
      <Specimen file="styles/tokens.css">
        <div class="token-themes">
          <Theme scheme="light" />
          <Theme scheme="dark" />
        </div>
        <Tokens of={kinds.texts}>
          {({ name }) => <span style={{ fontSize: `var(${name})` }}>An order was paid.</span>}
        </Tokens>
        <Tokens of={kinds.families}>
          {({ name }) => <span style={{ fontFamily: `var(${name})` }}>0O 1lI whd_0Vb</span>}
        </Tokens>
        <Tokens of={kinds.spaces}>
          {({ name }) => <div class="token-size" style={{ width: `var(${name})` }} />}
        </Tokens>
        <Tokens of={kinds.radii}>
          {({ name }) => (
            <div
              class="token-box"
              style={{ borderRadius: `var(${name})`, border: '1px solid var(--line-strong)' }}
            />
          )}
        </Tokens>
        <Tokens of={kinds.shadows}>
          {({ name }) => <div class="token-box" style={{ boxShadow: `var(${name})` }} />}
        </Tokens>
        <Tokens of={rest}>{() => null}</Tokens>
      </Specimen>
    </Group>
  );
}

function Theme({ scheme }: { readonly scheme: 'light' | 'dark' }) {
  return (
    <div class="token-theme" style={{ colorScheme: scheme }}>
      <strong>{scheme}</strong>
      {colours.map(({ name, value }) => (
        <div key={name} class="token-row small">
          <div class="token-colour" style={{ background: `var(${name})` }} />
          <span>
            <code>{name}</code> <span class="soft">{colourOf(value, scheme)}</span>
          </span>
        </div>
      ))}
    </div>
  );
}

/** The colour that the token has in one of the themes. */
function colourOf(value: string, scheme: 'light' | 'dark'): string | undefined {
  return value.match(/#\w+/g)?.[scheme === 'light' ? 0 : 1];
}

interface TokensProps {
  readonly of: readonly DesignToken[];
  readonly children: (token: DesignToken) => ComponentChildren;
}

function Tokens({ of, children }: TokensProps) {
  return (
    <dl class="token-list card card-body">
      {of.map((token) => (
        <div key={token.name}>
          <dt class="small">
            <code>{token.name}</code> <span class="soft">{token.value}</span>
          </dt>
          <dd>{children(token)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A custom property of `styles/tokens.css`. */
interface DesignToken {
  /** With its two leading dashes. */
  readonly name: string;
  readonly value: string;
}

/** Reads the tokens of a style sheet, in its order. */
function designTokens(css: string): readonly DesignToken[] {
  const plain = css.replaceAll(/\/\*.*?\*\//gs, '');
  return [...plain.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => ({
    name,
    value: value.trim(),
  }));
}

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
        <Specimen file="pages/recoveries/recoveries.tsx: RecoveryBadge">
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
        <Specimen file="pages/endpoints/health-facts.tsx: StateBadge, WaitingBadge">
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
      <Specimen file="pages/endpoints/delivery-options.tsx: DeliveryOptions">
        <DeliveryOptions endpoint={endpoint} mayChange />
      </Specimen>
      <Specimen file="pages/endpoints/endpoint-page.tsx: DisabledNotice">
        <DisabledNotice endpoint={{ ...endpoint, disabledReason: 'receiver_gone' }} mayEnable />
        <DisabledNotice endpoint={endpoint} mayEnable={false} />
      </Specimen>
      <Specimen file="pages/endpoints/endpoint-page.tsx: DisabledBecause">
        <DisabledBecause id={endpoint.id} />
      </Specimen>
      <Specimen file="pages/account/records.tsx: MissingRecord">
        <MissingRecord wanted="mem_0VbGone" records={[]} detail={text.members.missing} />
      </Specimen>
      <Specimen file="pages/endpoints/endpoint-page.tsx: RecoverableNotice">
        <RecoverableNotice endpoint={endpoint} mayStart />
      </Specimen>
    </Group>
  );
}

const schema = {
  type: 'object',
  required: ['order'],
  properties: {
    order: { type: 'string', pattern: '^ord_', description: 'The order that was paid.' },
    total: { type: 'integer', minimum: 0 },
    lines: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: ['string', 'null'], maxLength: 80 } } },
    },
    [hiddenText]: { enum: ['a', 'b'] },
  },
};

/** Code and data, as they are sent. */
export function CodeSamples() {
  return (
    <Group title="Code">
      <Specimen file="components/json-view.tsx">
        <JsonView label="JSON that folds" value={body} />
        <States>
          <State name="not JSON">
            <JsonView label="A text that is not JSON" value={`<html>${hiddenText}</html>`} />
          </State>
          <State name="empty">
            <JsonView label="Empty JSON" value="{}" />
          </State>
          <State name="text in its own lines">
            <CodeText label="A text of two lines" value={'one\n\ttwo'} />
          </State>
        </States>
      </Specimen>
      <Specimen file="pages/deliveries/delivery-page.tsx: RequestCard, ResponseCard">
        <RequestCard url={evidence.url} evidence={evidence}>
          <JsonView label="The body of the request" value={body} />
        </RequestCard>
        <ResponseCard evidence={evidence} />
      </Specimen>
      <Specimen file="pages/deliveries/delivery-page.tsx: SignedText">
        <SignedText eventId={delivery.eventId} time="1795608000" body={body} />
      </Specimen>
      <Specimen file="pages/event-types/event-type-page.tsx: SchemaCard">
        <SchemaCard schema={schema} />
      </Specimen>
      <Specimen file="pages/event-types/receiver-code.tsx">
        <ReceiverCode type="offer.sent" />
      </Specimen>
    </Group>
  );
}
