import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';
import { Route, Router, useLocation } from 'preact-iso';
import { views } from './routes.js';
import { FailedPage } from './shell/failed-page.js';
import { NotFoundPage } from './shell/not-found-page.js';
import { Shell } from './shell/shell.js';

/** The shell with one view. */
export function Views() {
  return (
    <Shell>
      <Guard>
        <Router>
          {views.map(({ path, component }) => (
            <Route key={path} path={path} component={component} />
          ))}
          <Route default component={NotFoundPage} />
        </Router>
      </Guard>
    </Shell>
  );
}

/** Keeps the shell when a view throws; going to another view tries again. */
function Guard({ children }: { readonly children: ComponentChildren }) {
  const { path } = useLocation();
  // Not the bare function, which the browser refuses as a method of another object.
  const boundary = useErrorBoundary((thrown) => reportError(thrown));
  const error: unknown = boundary[0];
  useEffect(() => {
    if (error !== undefined) boundary[1]();
  }, [path]);
  return error === undefined ? children : <FailedPage />;
}
