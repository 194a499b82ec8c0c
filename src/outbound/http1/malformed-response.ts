/** An answer breaks the protocol or its bounds; nothing that follows on its connection can be trusted. */
export class MalformedResponse extends Error {
  override readonly name = 'MalformedResponse';
}
