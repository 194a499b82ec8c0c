import { useEffect, useRef, useState } from 'preact/hooks';
import type { RequestError } from './request-error.js';
import { toRequestError } from './use-query.js';

/** An action that never runs twice at once. */
interface Action<Arguments extends unknown[]> {
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

/** The first wrong field, or the first of a group that is wrong as a whole. */
const wrongField = '[aria-invalid=true], fieldset:has(> .field-error) input';

/**
 * Focuses the first wrong field of a form after it is sent or refused, so that a screen reader reads why.
 * @param refusal the service's refusal of the form
 */
export function useFocusOnRefusal(refusal: object | undefined) {
  const form = useRef<HTMLFormElement>(null);
  const focusWrong = () => form.current?.querySelector<HTMLElement>(wrongField)?.focus();

  useEffect(() => {
    if (refusal) focusWrong();
  }, [refusal]);

  useEffect(() => {
    const element = form.current;
    // The next frame draws what the page itself refuses.
    const onSubmit = () => void requestAnimationFrame(focusWrong);
    element?.addEventListener('submit', onSubmit);
    return () => element?.removeEventListener('submit', onSubmit);
  }, []);

  return form;
}

/** The names of date fields with half a date, or with a date that does not exist. */
export function incompleteIn(form: HTMLFormElement): readonly string[] {
  return [...form.querySelectorAll('input')]
    .filter(({ validity }) => !validity.valid)
    .map(({ name }) => name);
}
