/** Settings of the connections of the API. */
export const apiServerSettings: Readonly<Record<string, string>> = {
  // A plan made while the tables are empty reads them whole, and it is kept while they grow (ADR 0007).
  enable_seqscan: 'off',
  // What has to read a small table whole looks dear enough to be compiled.
  jit: 'off',
};
