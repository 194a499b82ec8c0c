import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadCode } from '../api/new-version.js';
import { RequestError } from '../api/request-error.js';
import { text } from '../texts/text.js';
import { ErrorNotice } from './error-notice.js';

/** Imports the code of a component. */
export type Load<Props> = () => Promise<ComponentType<Props>>;

/** What stands in place of code that did not load. */
type Failed = ComponentType<{ readonly retry: () => void }>;

/**
 * A part of a view whose code is loaded when it is first shown. Nothing stands there until then.
 * Each time it is shown, it tries again if it did not load.
 */
export function lazyPart<Props extends object>(
  load: Load<Props>,
  Failed: Failed = FailedPart,
): ComponentType<Props> {
  let loading: Promise<ComponentType<Props>> | undefined;
  let loaded: ComponentType<Props> | undefined;
  return function LazyPart(props: Props) {
    const [failed, setFailed] = useState(false);
    const [, draw] = useState(0);
    const start = (again: boolean) => {
      setFailed(false);
      loading ??= loadCode(load, again).finally(() => {
        loading = undefined;
      });
      loading.then(
        (part) => {
          loaded = part;
          draw((count) => count + 1);
        },
        (error: unknown) => {
          // It may be an error of the code itself, which shows nowhere else.
          console.error(error);
          setFailed(true);
        },
      );
    };
    useEffect(() => {
      if (!loaded) start(false);
    }, []);
    if (failed) return <Failed retry={() => start(true)} />;
    const Part = loaded;
    return Part ? <Part {...props} /> : null;
  };
}

function FailedPart({ retry }: { readonly retry: () => void }) {
  return <ErrorNotice error={new RequestError('unreachable', text.common.lost)} retry={retry} />;
}
