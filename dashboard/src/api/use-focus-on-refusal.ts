import { useEffect, useRef } from 'preact/hooks';

/** The first wrong field, or the first of a group that is wrong as a whole. */
const wrongField = '[aria-invalid=true], fieldset:has(> .field-error) input';

/**
 * Puts the focus into the first wrong field of a form when it is sent or refused, so that its reason is
 * heard.
 * @param refusal why the service refused the form
 */
export function useFocusOnRefusal(refusal: object | undefined) {
  const form = useRef<HTMLFormElement>(null);
  const focusWrong = () => form.current?.querySelector<HTMLElement>(wrongField)?.focus();
  useEffect(() => {
    if (refusal) focusWrong();
  }, [refusal]);
  useEffect(() => {
    const element = form.current;
    // What the page itself refuses is drawn by the next frame.
    const onSubmit = () => void requestAnimationFrame(focusWrong);
    element?.addEventListener('submit', onSubmit);
    return () => element?.removeEventListener('submit', onSubmit);
  }, []);
  return form;
}

/** The names of the fields of a form that hold a part of a date, or a date that does not exist. */
export function incompleteIn(form: HTMLFormElement): readonly string[] {
  return [...form.querySelectorAll('input')]
    .filter(({ validity }) => !validity.valid)
    .map(({ name }) => name);
}
