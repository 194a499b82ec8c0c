import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A part of a view whose code is loaded when it is first shown. Nothing stands there until then. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loading: Promise<ComponentType<Props>> | undefined;
  let loaded: ComponentType<Props> | undefined;
  return function LazyPart(props: Props) {
    const [failure, setFailure] = useState<Error>();
    const [, draw] = useState(0);
    useEffect(() => {
      if (loaded) return;
      loading ??= load();
      loading.then(
        (part) => {
          loaded = part;
          draw(1);
        },
        (error: unknown) => {
          loading = undefined;
          setFailure(error instanceof Error ? error : new Error(String(error)));
        },
      );
    }, []);
    // The guard of the view catches it.
    if (failure !== undefined) throw failure;
    const Part = loaded;
    return Part ? <Part {...props} /> : null;
  };
}
