import { useRef, useState } from 'preact/hooks';
import type { RequestError } from './request-error.js';
import { toRequestError } from './use-query.js';

/** An action that runs once at a time. */
export interface Action<Arguments extends unknown[]> {
  readonly run: (...args: Arguments) => Promise<void>;
  readonly running: boolean;
  readonly error: RequestError | undefined;
  readonly clear: () => void;
}

/** Runs `work` when asked, and keeps its error. A second call while it runs does nothing. */
export function useAction<Arguments extends unknown[]>(
  work: (...args: Arguments) => Promise<void>,
): Action<Arguments> {
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<RequestError>();
  const busy = useRef(false);
  return {
    running,
    error,
    clear: () => setError(undefined),
    async run(...args) {
      if (busy.current) return;
      busy.current = true;
      setRunning(true);
      setError(undefined);
      try {
        await work(...args);
      } catch (thrown) {
        setError(toRequestError(thrown));
      } finally {
        busy.current = false;
        setRunning(false);
      }
    },
  };
}
