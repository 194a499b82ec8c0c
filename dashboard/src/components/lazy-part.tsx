import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadCode } from '../api/new-version.js';
import { RequestError } from '../api/request-error.js';
import { text } from '../texts/text.js';
import { ErrorNotice } from './notice.js';

/** Imports the code of a component. */
export type Load<Props> = () => Promise<ComponentType<Props>>;

/** Replaces a part whose code did not load. */
type Failed = ComponentType<{ readonly retry: () => void }>;

/**
 * A part of a view whose code is loaded when it is first shown. Until then its place is empty. If the code did
 * not load, the part tries again each time it is shown.
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
          // The code may have thrown, which is visible nowhere else.
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
