/** Settings of the connections of the API. */
export const apiServerSettings: Readonly<Record<string, string>> = {
  // A plan made while the tables are empty reads them whole, and it is kept while they grow (ADR 0007).
  enable_seqscan: 'off',
  // The same of whoever reads all of an account's rows and sorts them in place of the last by an index.
  enable_sort: 'off',
  // What has to read a small table whole looks dear enough to be compiled.
  jit: 'off',
};
