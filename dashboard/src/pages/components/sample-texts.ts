/** A text with characters that others would not see: a change of direction, a zero-width space. */
export const hiddenText = 'invoice\u202efdp.exe and a\u200bb';

/** A text of several lines in a narrow place. */
export const longText =
  'Everything that the warehouse in Klagenfurt needs to know about an order, with the name of who ordered it';

/** A URL without a place to break it. */
export const longUrl =
  'https://hooks.example.com/in/0d5f7c1be6a94f2f8a0c7c6e1a3b5d7f0d5f7c1be6a94f2f8a0c7c6e1a3b5d7f?tenant=alpine-prints';
