const closeMs = 2_000;

/** Waits for `close`, for two seconds at most. Its failures were reported where they happened. */
export async function closeInTime(close: () => Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<void>((resolve) => (timer = setTimeout(resolve, closeMs)));
  await Promise.race([close().catch(() => undefined), tooLate]);
  clearTimeout(timer);
}
