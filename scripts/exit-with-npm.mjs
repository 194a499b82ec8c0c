// Plain JavaScript without dependencies: it runs before anything is installed.

/**
 * Sends this process SIGTERM when the npm that runs it has ended: Ctrl-C could no longer stop it.
 * Only scripts of package.json that begin with `exec` have npm as their parent. Others have a shell,
 * which may live longer than npm.
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
