import * as fc from 'fast-check';
import { answerParts, type Part } from './answer-parts.js';

/** Bytes of an answer as they arrive, and whether the connection ends behind them. */
export interface AnswerStream {
  readonly pieces: readonly Buffer[];
  readonly ends: boolean;
}

type Text = fc.Arbitrary<string>;
/** A byte that changes: where, how many go, what comes. */
type Change = readonly [number, number, string];

const joined = (...parts: readonly Text[]): Text => fc.tuple(...parts).map((all) => all.join(''));
const several = (part: Text, maxLength: number): Text =>
  fc.array(part, { maxLength }).map((all) => all.join(''));
const nothing = fc.constant('');

/** Texts of HTTP answers; each part of a spoilt one is good far more often than not. */
function answerTexts(spoilt: boolean): Text {
  const some = (part: Part): Text => {
    const proper = fc.constantFrom(...part.proper);
    if (!spoilt) return proper;
    const other = fc.constantFrom(...part.spoilt);
    return fc.oneof({ weight: 30, arbitrary: proper }, { weight: 1, arbitrary: other });
  };
  const { lineEnd, colon, space, gap, ...parts } = answerParts;
  const field = (name: Part, value: Text): Text =>
    joined(...[name, colon, space].map(some), value, ...[space, lineEnd].map(some));
  const connection = field(parts.connectionName, some(parts.option));
  const other = field(parts.otherName, some(parts.otherValue));
  const statusLine = (status: Part): Text =>
    joined(...[parts.version, gap, status, parts.reason, lineEnd].map(some));
  const informational = joined(
    spoilt ? statusLine(parts.informationalStatus) : fc.constant('HTTP/1.1 103 Early Hints\r\n'),
    spoilt ? fc.oneof(nothing, other, connection, some(parts.framing)) : other,
    some(lineEnd),
  );
  const chunk = fc.tuple(some(parts.content), some(parts.spoiltSize)).chain(([content, wrong]) => {
    const size = fc.constantFrom(content.length.toString(16) + wrong);
    const framing = joined(some(parts.beforeSize), size, some(parts.extension), some(lineEnd));
    return joined(framing, fc.constant(content), some(lineEnd));
  });
  const trailers = several(field(parts.trailerName, some(parts.otherValue)), 2);
  const chunked = joined(
    several(chunk, 2),
    ...[parts.lastSize, parts.extension, lineEnd].map(some),
    fc.oneof(nothing, trailers),
    some(lineEnd),
  );
  const plain = some(parts.plainBody);
  const length = (text: string) => {
    const right = fc.constantFrom(`${text.length}`, `0${text.length}`);
    return field(parts.lengthName, joined(spoilt ? some(parts.spoiltLength) : nothing, right));
  };
  /** Fields that frame a body, and the body. */
  const framed = fc.oneof(
    plain.chain((text) => fc.tuple(length(text), fc.constant(text))),
    fc.tuple(field(parts.codingName, some(parts.chunkedCoding)), chunked),
    fc.tuple(fc.oneof(nothing, field(parts.codingName, fc.constant('gzip'))), plain),
  );
  const others = fc.array(fc.oneof(other, other, connection), { maxLength: 3 });
  return fc
    .tuple(
      joined(some(parts.before), fc.oneof(nothing, nothing, several(informational, 2))),
      statusLine(parts.finalStatus),
      fc.tuple(others, some(parts.framing), some(lineEnd)),
      framed,
      some(parts.behind),
    )
    .map(([before, line, [[first = '', ...more], again, end], [framing, body], behind]) =>
      [before, line, first, framing, ...more, again, end, body, behind].join(''),
    );
}

const nasty = ['', '\r', '\n', '\r\n', ' ', '\t', '\xa0', '\0', ':', ',', ';', '=', '"', '0', 'c'];
const change: fc.Arbitrary<Change> = fc.tuple(
  fc.nat(400),
  fc.nat(1),
  fc.oneof(
    fc.constantFrom(...nasty),
    fc.nat(255).map((byte) => String.fromCharCode(byte)),
  ),
);

function changed(text: string, changes: readonly Change[]): string {
  return changes.reduce((before, [place, gone, come]) => {
    const at = place % (before.length + 1);
    return before.slice(0, at) + come + before.slice(at + gone);
  }, text);
}

function cutAt(text: string, places: readonly number[] | 'everywhere'): Buffer[] {
  const bytes = Buffer.from(text, 'latin1');
  const cuts =
    places === 'everywhere' ? [...bytes.keys()] : places.map((place) => place % (bytes.length + 1));
  const ends = [...new Set([...cuts, bytes.length])].filter((cut) => cut > 0);
  ends.sort((one, other) => one - other);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

function streams(texts: Text, changes: fc.Arbitrary<readonly Change[]>) {
  const cuts = fc.oneof(
    fc.constant([]),
    fc.constant('everywhere' as const),
    fc.array(fc.nat(400), { maxLength: 4 }),
  );
  return fc
    .tuple(texts, changes, cuts, fc.boolean())
    .map(([text, bytes, places, ends]) => ({ pieces: cutAt(changed(text, bytes), places), ends }));
}

/** Answers as receivers write them, whole and in pieces; their bodies may be too short or too long. */
export const properAnswers: fc.Arbitrary<AnswerStream> = streams(
  answerTexts(false),
  fc.constant([]),
);

/** Answers with faults in their parts or bytes, or with none. */
export const mutatedAnswers: fc.Arbitrary<AnswerStream> = streams(
  answerTexts(true),
  fc.oneof(fc.constant([]), fc.constant([]), fc.array(change, { minLength: 1, maxLength: 2 })),
);
