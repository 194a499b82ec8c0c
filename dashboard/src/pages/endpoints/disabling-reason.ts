const most = 200;

/** As the service: an e-mail address has a sign before and after it, also percent-encoded. */
const address = /\S(?:@|%40)\S/i;

/** What keeps a typed reason from being sent; undefined for one that can be, or for none. */
export function reasonProblem(typed: string): 'tooLong' | 'address' | undefined {
  const reason = typed.trim();
  if (Array.from(reason).length > most) return 'tooLong';
  return address.test(reason) ? 'address' : undefined;
}
