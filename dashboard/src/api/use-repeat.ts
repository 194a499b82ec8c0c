import { useEffect } from 'preact/hooks';

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
