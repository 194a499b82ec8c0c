/** Whether a text could be an address. The service validates it in full. */
export function looksLikeEmail(value: string): boolean {
  return /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(value.trim());
}

/** The code of a mail as it was sent: people type it in lower case and with spaces. */
export function normalizeCode(value: string): string {
  return value.replace(/[\s-]/g, '').toUpperCase();
}
