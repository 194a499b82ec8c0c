// Plain JavaScript without dependencies: it runs before anything is installed.

/**
 * Stops this process as SIGTERM does when the npm that runs it is gone: Ctrl-C could not stop it any
 * more. Scripts of package.json that begin with `exec` have npm as their parent; others have a shell, which may stay.
 */
export function exitWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 1_000);
  watch.unref();
}
