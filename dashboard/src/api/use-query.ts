import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { Document } from '../generated/documents.js';
import { execute } from './execute.js';
import { RequestError } from './request-error.js';

const maxAnswers = 100;
/** The latest answers, by document and variables, shown while a newer one is on its way. */
const answers = new Map<string, unknown>();
/** Grows when something changed, so that every query on the page is asked again. */
const generation = signal(0);

/** The state of a query. `data` may be older than a change while `loading`. */
export interface Query<Result> {
  readonly data: Result | undefined;
  readonly error: RequestError | undefined;
  readonly loading: boolean;
  readonly reload: () => void;
}

interface State {
  readonly key: string;
  readonly data?: unknown;
  readonly error?: RequestError;
}

/**
 * Executes a query and keeps its latest answer. Asks again when the variables or facts change.
 * Undefined instead of a document asks nothing.
 */
export function useQuery<Result, Variables>(
  document: Document<Result, Variables> | undefined,
  variables: Variables,
): Query<Result> {
  const key = `${document?.id ?? ''} ${JSON.stringify(variables)}`;
  return useAnswer(key, document && (() => execute(document, variables)));
}

/**
 * Keeps the latest answer of `ask`, by its key. Asks again when the key or facts change; the
 * generation that it is given grows with each change.
 */
export function useAnswer<Result>(
  key: string,
  ask: ((generation: number) => Promise<Result>) | undefined,
): Query<Result> {
  const [state, setState] = useState<State>({ key: '' });
  const [round, setRound] = useState(0);
  const asked = generation.value;
  useEffect(() => {
    if (!ask) return;
    let current = true;
    const finish = (outcome: Omit<State, 'key'>) => {
      if (current) setState({ key, ...outcome });
    };
    setState((before) => ({ key: '', data: before.key === key ? before.data : undefined }));
    ask(asked).then(
      (data) => {
        // One that was asked before a sign-in may be of another account.
        if (generation.peek() === asked) remember(key, data);
        finish({ data });
      },
      (error: unknown) => finish({ error: toRequestError(error) }),
    );
    return () => {
      current = false;
    };
  }, [key, round, asked]);
  const answered = state.key === key;
  return {
    data: (answered && state.data !== undefined ? state.data : answers.get(key)) as
      | Result
      | undefined,
    error: answered ? state.error : undefined,
    loading: !answered,
    reload: () => setRound((before) => before + 1),
  };
}

/** Asks every query on the page again. Call it after each change. */
export function refresh(): void {
  generation.value += 1;
}

/** Drops all answers, such as those of another session. */
export function clearAnswers(): void {
  answers.clear();
  refresh();
}

/** A value thrown by a request as {@link RequestError}. Reports what is not one. */
export function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  reportError(error);
  return new RequestError('internal_error', String(error));
}

function remember(key: string, data: unknown): void {
  answers.delete(key);
  answers.set(key, data);
  const [oldest] = answers.keys();
  if (answers.size > maxAnswers && oldest !== undefined) answers.delete(oldest);
}
