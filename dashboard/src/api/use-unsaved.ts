import { useEffect } from 'preact/hooks';
import { unsavedForms } from './new-version.js';

/** Keeps a new version from reloading the page over what was typed. */
export function useUnsaved(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return;
    unsavedForms.value += 1;
    return () => {
      unsavedForms.value -= 1;
    };
  }, [unsaved]);
}
