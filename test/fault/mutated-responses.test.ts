import { expect } from 'chai';
import * as fc from 'fast-check';
import { ResponseParser, type Progress } from '../../src/outbound/response-parser.js';
import {
  type ResponseStream,
  mutatedResponses,
  validResponses,
} from '../support/response-streams.js';
import { parseWithNode, type ParseResult } from '../support/node-client.js';
import { FaultInjection } from '../support/fault-injection.js';
import { seededRandom } from '../support/seeded-random.js';

/** Each blow has the next seed: `SEED=42 npm test -- mutated-answers` repeats all of a run. */
const streamsPerInjection = 1_000;

/** How our parser reads a stream. */
function parseWithOurs({ pieces, endsConnection }: ResponseStream): ParseResult {
  let [status, statusAt, endedAt, refusal]: [number?, number?, number?, string?] = [];
  let [at, progress]: [number, Progress] = [0, 'more'];
  const parser = new ResponseParser((head) => {
    if (head.status >= 200) [status, statusAt] = [head.status, at];
  });
  try {
    for (const [place, piece] of pieces.entries()) {
      if (progress !== 'more') break;
      at = place;
      progress = parser.feed(piece);
    }
    if (progress !== 'more') endedAt = at;
    else if (endsConnection && parser.endsWithConnection) endedAt = pieces.length;
  } catch (error) {
    refusal = (error as Error).message;
  }
  return { status, statusAt, endedAt, kept: progress === 'whole', refusal };
}

/** What we accept of a stream that Node's client refuses or reads otherwise. */
function looser(ours: ParseResult, node: ParseResult): string[] {
  const found: string[] = [];
  if (ours.status !== undefined && ours.status !== node.status) found.push('another status');
  if (ours.status !== undefined && ours.statusAt !== node.statusAt) found.push('another head');
  if (ours.endedAt !== undefined && ours.endedAt !== node.endedAt) found.push('another end');
  if (ours.kept && !node.kept) found.push('a connection kept');
  const waits = ours.endedAt === undefined && ours.refusal === undefined;
  if (waits && node.endedAt !== undefined) found.push('no end');
  return found;
}

/** What we refuse of a proper answer; HTTP/1.0 and bodies that a status forbids end our connections. */
function stricter(ours: ParseResult, node: ParseResult, text: string): string[] {
  const found: string[] = [];
  if (ours.status !== node.status) found.push('no status');
  if (ours.endedAt !== node.endedAt) found.push('no end');
  const single = text.includes('HTTP/1.0') || ours.status === 204 || ours.status === 304;
  if (node.kept && !ours.kept && !single) found.push('no connection kept');
  return found;
}

/** Compares both clients; `blame` says what is wrong. */
function compared(
  streams: fc.Arbitrary<ResponseStream>,
  blame: (ours: ParseResult, node: ParseResult, text: string) => string[],
) {
  const met = { streams: 0, ended: 0, kept: 0 };
  const property = fc.asyncProperty(streams, async (stream) => {
    const text = Buffer.concat(stream.pieces).toString('latin1');
    const ours = parseWithOurs(stream);
    const node = await parseWithNode(stream.pieces, stream.endsConnection);
    const found = blame(ours, node, text);
    if (found.length > 0) throw new Error(JSON.stringify({ found, text, ours, node }));
    met.streams += 1;
    if (ours.endedAt !== undefined) met.ended += 1;
    if (ours.kept) met.kept += 1;
  });
  return { met, property };
}

describe('an answer, read by us and by llhttp', function () {
  const injection = new FaultInjection('mutated answers');
  const { seed } = seededRandom();
  this.timeout(injection.limitMs);

  it(`H65, H115: of mutated bytes is read no more loosely than by Node's client (seed ${seed})`, async () => {
    const { met, property } = compared(mutatedResponses, looser);
    await injection.repeat((injected) =>
      fc.assert(property, { numRuns: streamsPerInjection, seed: seed + injected }),
    );
    process.stdout.write(`      ${JSON.stringify(met)} seed=${seed}\n`);
    // Streams that are all refused would show nothing.
    expect(met.ended).to.be.above(met.streams / 5);
    expect(met.kept).to.be.above(met.streams / 50);
  });

  it(`H65, H115: of a proper receiver means the same to both (seed ${seed})`, async () => {
    const { met, property } = compared(validResponses, (ours, node, text) => [
      ...looser(ours, node),
      ...stricter(ours, node, text),
    ]);
    await fc.assert(property, { numRuns: 2 * streamsPerInjection, seed });
    expect(met.kept).to.be.above(met.streams / 10);
  });
});
