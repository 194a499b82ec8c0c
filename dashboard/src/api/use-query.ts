import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { Document } from '../generated/documents.js';
import { execute } from './request.js';
import { RequestError } from './request-error.js';

const maxAnswers = 100;
/** The latest answers, by document and variables. A page shows them while it waits for newer ones. */
const answers = new Map<string, unknown>();
/** Grows with each change, so that every query on the page runs again. */
const generation = signal(0);

/** The state of a query. While `loading`, `data` may be outdated. */
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
 * Runs a query and keeps its latest answer. Runs it again when the variables change or `refresh` is called.
 * Without a document it runs nothing.
 */
export function useQuery<Result, Variables>(
  document: Document<Result, Variables> | undefined,
  variables: Variables,
): Query<Result> {
  const key = `${document?.id ?? ''} ${JSON.stringify(variables)}`;
  return useAnswer(key, document && (() => execute(document, variables)));
}

/**
 * Keeps the latest answer of `ask` under a key. Asks again when the key changes or `refresh` is called, which
 * also increases the generation that `ask` gets.
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
        // A request from before a sign-in may return data of another account.
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

/** Runs every query on the page again. Call it after each change. */
export function refresh(): void {
  generation.value += 1;
}

/** Forgets all answers, such as those of another session. */
export function clearAnswers(): void {
  answers.clear();
  refresh();
}

/** Turns what a request threw into a {@link RequestError}. Reports anything else to the console. */
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

/** Calls `work` every `everyMs` while `active` and the page is visible. */
export function useRepeat(work: () => void, everyMs: number, active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') work();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, active]);
}
