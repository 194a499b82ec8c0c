/** A response breaks the protocol or exceeds a limit. Later bytes on its connection cannot be trusted. */
export class MalformedResponse extends Error {
  override readonly name = 'MalformedResponse';
}
