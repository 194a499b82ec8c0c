import { type Issue, validationFailed } from '../domain/errors.js';
import { streamKinds, type StreamKind } from '../domain/stream/changes.js';
import { decodePosition, type StreamPosition } from '../domain/stream/position.js';
import { compileQuery } from '../api/query.js';
import type { StreamFilter } from './stream-filter.js';

/** What a client asks of the stream. */
export interface StreamQuery {
  readonly filter: StreamFilter;
  /** Where to go on; it wins over `since`. */
  readonly position: StreamPosition | undefined;
  /** Milliseconds before now, or a time in milliseconds; undefined for now. */
  readonly since: { readonly ago: number } | { readonly at: number } | undefined;
  /** On the internal listener: whose stream. */
  readonly account: string | undefined;
}

const names = ['types', 'kinds', 'endpoint', 'since', 'last_event_id'] as const;
const parameter = (name: string) => ({ name, schema: { type: 'string' } });
const readOwn = compileQuery(names.map(parameter));
const readAny = compileQuery([...names, 'account'].map(parameter));

const maxTypes = 100;
const units: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Reads the query of a stream.
 * @param lastEventId of the header, which wins over `last_event_id`
 * @param anyAccount whether the query may name the account
 * @throws DomainError validation_failed with all errors at once
 */
export function readStreamQuery(
  search: string,
  lastEventId: string | undefined,
  anyAccount: boolean,
): StreamQuery {
  const query = (anyAccount ? readAny : readOwn)(search) as Readonly<Record<string, string>>;
  const issues: Issue[] = [];
  const refuse = (param: string, detail: string): undefined => {
    issues.push({ code: 'invalid_value', detail, param });
    return undefined;
  };

  const { types, kinds, endpoint, since, account } = query;
  const positionText = lastEventId ?? query['last_event_id'];
  const position = positionText === undefined ? undefined : decodePosition(positionText);
  if (positionText !== undefined && !position) {
    refuse('last_event_id', 'Must be the id of a frame of this stream.');
  }

  const wantedTypes = types?.split(',');
  if (wantedTypes && wantedTypes.length > maxTypes) {
    refuse('types', `Must name at most ${maxTypes} types.`);
  }

  const wantedKinds = kinds?.split(',').filter(isKind);
  if (wantedKinds?.length !== kinds?.split(',').length) {
    refuse('kinds', `Must be some of: ${streamKinds.join(',')}.`);
  }

  const start = since === undefined ? undefined : readSince(since);
  if (since !== undefined && !start) {
    refuse('since', 'Must be a duration such as 10m, or a time such as 2026-01-01T12:00:00Z.');
  }

  if (issues.length > 0) throw validationFailed(issues);

  return {
    filter: {
      kinds: wantedKinds && new Set(wantedKinds),
      types: wantedTypes && new Set(wantedTypes),
      endpoint,
    },
    position,
    since: start,
    account,
  };
}

function isKind(text: string): text is StreamKind {
  return (streamKinds as readonly string[]).includes(text);
}

function readSince(text: string): StreamQuery['since'] {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return { ago: Number(count) * (units[unit] ?? 0) };
  const at = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : { at };
}
