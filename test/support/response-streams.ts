import * as fc from 'fast-check';
import { responseParts, type Part } from './response-parts.js';

/** The bytes of a response in pieces, and whether the connection ends after them. */
export interface ResponseStream {
  readonly pieces: readonly Buffer[];
  readonly endsConnection: boolean;
}

type Text = fc.Arbitrary<string>;
/** A mutation: position, number of removed bytes, inserted bytes. */
type Mutation = readonly [number, number, string];

const joined = (...parts: readonly Text[]): Text => fc.tuple(...parts).map((all) => all.join(''));
const several = (part: Text, maxLength: number): Text =>
  fc.array(part, { maxLength }).map((all) => all.join(''));
const nothing = fc.constant('');

/** Texts of HTTP responses; most parts of a malformed one are well formed. */
function responseTexts(malformed: boolean): Text {
  const some = (part: Part): Text => {
    const wellFormed = fc.constantFrom(...part.wellFormed);
    if (!malformed) return wellFormed;
    const other = fc.constantFrom(...part.malformed);
    return fc.oneof({ weight: 30, arbitrary: wellFormed }, { weight: 1, arbitrary: other });
  };
  const { lineEnd, colon, space, statusSeparator, ...parts } = responseParts;
  const field = (name: Part, value: Text): Text =>
    joined(...[name, colon, space].map(some), value, ...[space, lineEnd].map(some));
  const connection = field(parts.connectionName, some(parts.option));
  const other = field(parts.otherName, some(parts.otherValue));
  const statusLine = (status: Part): Text =>
    joined(...[parts.version, statusSeparator, status, parts.reason, lineEnd].map(some));
  const informational = joined(
    malformed ? statusLine(parts.informationalStatus) : fc.constant('HTTP/1.1 103 Early Hints\r\n'),
    malformed ? fc.oneof(nothing, other, connection, some(parts.framing)) : other,
    some(lineEnd),
  );
  const chunk = fc
    .tuple(some(parts.content), some(parts.malformedSize))
    .chain(([content, wrong]) => {
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
    return field(
      parts.lengthName,
      joined(malformed ? some(parts.malformedLength) : nothing, right),
    );
  };
  /** Framing fields and the body. */
  const framed = fc.oneof(
    plain.chain((text) => fc.tuple(length(text), fc.constant(text))),
    fc.tuple(field(parts.transferEncodingName, some(parts.chunkedEncoding)), chunked),
    fc.tuple(fc.oneof(nothing, field(parts.transferEncodingName, fc.constant('gzip'))), plain),
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

const hostile = [
  '',
  '\r',
  '\n',
  '\r\n',
  ' ',
  '\t',
  '\xa0',
  '\0',
  ':',
  ',',
  ';',
  '=',
  '"',
  '0',
  'c',
];
const change: fc.Arbitrary<Mutation> = fc.tuple(
  fc.nat(400),
  fc.nat(1),
  fc.oneof(
    fc.constantFrom(...hostile),
    fc.nat(255).map((byte) => String.fromCharCode(byte)),
  ),
);

function changed(text: string, changes: readonly Mutation[]): string {
  return changes.reduce((before, [place, removed, inserted]) => {
    const at = place % (before.length + 1);
    return before.slice(0, at) + inserted + before.slice(at + removed);
  }, text);
}

function cutAt(text: string, places: readonly number[] | 'everywhere'): Buffer[] {
  const bytes = Buffer.from(text, 'latin1');
  const cuts =
    places === 'everywhere' ? [...bytes.keys()] : places.map((place) => place % (bytes.length + 1));
  const ends = [...new Set([...cuts, bytes.length])].filter((end) => end > 0);
  ends.sort((one, other) => one - other);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

function streams(texts: Text, changes: fc.Arbitrary<readonly Mutation[]>) {
  const cuts = fc.oneof(
    fc.constant([]),
    fc.constant('everywhere' as const),
    fc.array(fc.nat(400), { maxLength: 4 }),
  );
  return fc
    .tuple(texts, changes, cuts, fc.boolean())
    .map(([text, bytes, places, endsConnection]) => ({
      pieces: cutAt(changed(text, bytes), places),
      endsConnection,
    }));
}

/** Responses of honest receivers, whole and in pieces; bodies may be too short or too long. */
export const validResponses: fc.Arbitrary<ResponseStream> = streams(
  responseTexts(false),
  fc.constant([]),
);

/** Responses with malformed parts or mutated bytes, or without any. */
export const mutatedResponses: fc.Arbitrary<ResponseStream> = streams(
  responseTexts(true),
  fc.oneof(fc.constant([]), fc.constant([]), fc.array(change, { minLength: 1, maxLength: 2 })),
);
