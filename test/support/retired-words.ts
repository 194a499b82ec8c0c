/** Where a retired word may stay, and why. */
export interface Exception {
  /** Part of a path. */
  readonly path: string;
  /** The names that are meant; all of that path when absent. */
  readonly names?: readonly string[];
  readonly why: string;
}

/** Words of names, and the word in their place. */
export interface RetiredWord {
  /** Words of a name, in lower case; a phrase names words that follow each other. */
  readonly words: readonly string[];
  readonly use: string;
  readonly exceptions?: readonly Exception[];
}

const faultInjection = 'fault injection is what these tests do';

/** Words that names of this project used and use no more; the glossary is src/domain/README.md. */
export const retiredWords: readonly RetiredWord[] = [
  {
    words: ['chain', 'chains', 'chn'],
    use: 'pending delivery',
    exceptions: [
      {
        path: 'test/unit/outbound/',
        names: ['chain'],
        why: 'a chain of certificates',
      },
      {
        path: 'test/unit/process/log',
        names: ['chain'],
        why: 'a chain of causes',
      },
    ],
  },
  {
    words: ['park', 'parks', 'parked', 'parking', 'unpark', 'unparked'],
    use: 'dead letter',
  },
  {
    words: ['settle', 'settles', 'settled', 'settler', 'settling', 'settlement', 'settlements'],
    use: 'record, result writer',
  },
  {
    words: ['unsettled'],
    use: 'unrecorded',
    exceptions: [
      {
        path: 'src/',
        names: ['replay_unsettled', 'UnsettledCode'],
        why: 'a code that never changes',
      },
      { path: 'test/', names: ['replay_unsettled'], why: 'a code that never changes' },
    ],
  },
  { words: ['sweep', 'sweeps', 'swept', 'sweeper', 'sweeping'], use: 'poll' },
  {
    words: ['alone', 'solitude'],
    use: 'isolated, isolation',
    exceptions: [
      { path: 'bench/', why: 'a figure measured with nothing beside' },
      {
        path: 'test/',
        names: ['alone'],
        why: 'one request or figure with nothing beside',
      },
      {
        path: 'test/fault/',
        names: ['p99_alone_ms'],
        why: 'a figure measured with nothing beside',
      },
    ],
  },
  { words: ['heard', 'unheard'], use: 'received, ambiguous' },
  { words: ['appetite', 'overate'], use: 'claim size' },
  {
    words: ['pace', 'paced', 'paces', 'pacer'],
    use: 'throughput estimate, rate-limited, spacing',
  },
  { words: ['empty looks', 'signalled looks'], use: 'poll' },
  { words: ['lively', 'unasked'], use: 'responsive, not started' },
  { words: ['steadiness', 'bell'], use: 'database stability, wake-up sender' },
  { words: ['press', 'paper'], use: 'PDF renderer, page layout' },
  {
    words: ['forget', 'forgets', 'forgetting', 'leftover', 'leftovers', 'upkeep'],
    use: 'purge, retention, maintenance',
  },
  { words: ['owe', 'owes', 'owed', 'owing'], use: 'enqueue, pending, backlog' },
  { words: ['judge', 'judges', 'judged', 'judging'], use: 'validate' },
  {
    words: ['fault', 'faults', 'faulty'],
    use: 'issue (of input), error',
    exceptions: [
      { path: 'test/fault/', why: faultInjection },
      { path: 'test/simulation/', why: faultInjection },
      { path: 'test/support/', why: faultInjection },
      { path: 'scripts/test.mjs', why: faultInjection },
      { path: 'scripts/soak.mjs', why: faultInjection },
    ],
  },
  {
    words: ['tell', 'tells', 'told', 'telling'],
    use: 'notify, publish, emit, log',
  },
  { words: ['examine', 'examines', 'examined'], use: 'check' },
  { words: ['door', 'doors'], use: 'handler' },
  {
    words: ['dial rule', 'target guard', 'may dial'],
    use: 'egress policy, SSRF guard',
  },
  { words: ['stored response', 'stored responses'], use: 'idempotency record' },
  {
    words: ['share of', 'pause after', 'late server', 'opened secrets', 'give backs'],
    use: 'prorate, backoff, lazy server, secret cache, releases',
  },
  {
    words: ['turns', 'take turn'],
    use: 'keyed semaphore, mutex, lock',
    exceptions: [
      { path: 'test/simulation/', why: 'turns of the event loop' },
      { path: 'bench/', why: 'rounds of a measurement' },
    ],
  },
  {
    words: ['stretch', 'goods', 'chance'],
    use: 'time window, products, random',
  },
  {
    words: [
      'ordeal',
      'reckon',
      'reckoning',
      'misfortune',
      'misfortunes',
      'mishap',
      'mishaps',
      'witness',
      'tally',
    ],
    use: 'fault injection, reconciliation, invariant checker',
  },
  {
    words: ['surf', 'surfer', 'stand in', 'standin', 'tripwire'],
    use: 'browser user, fake, failpoint',
  },
  {
    words: ['own endpoint', 'note use', 'spend', 'when gone', 'secret text', 'secret texts'],
    use: 'account endpoint, record last use, redeem, on disconnect, secret token',
  },
  {
    words: ['whoever', 'whatever', 'nobody', 'somebody', 'lest', 'anew'],
    use: 'a noun or a plain word',
  },
];

/** Whole names that say nothing of what they hold. */
export const retiredNames = new Map([
  ['World', 'dependencies'],
  ['Arrival', 'incoming request'],
  ['Asked', 'operation input'],
  ['Served', 'handler'],
  ['Moment', 'timed snapshot'],
]);
