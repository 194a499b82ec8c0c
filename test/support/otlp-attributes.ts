import { bytes, type Fields, integer, messages } from './protobuf.js';

/** The attributes of a field of OTLP by name. */
export function attributesOf(fields: Fields, number: number): Record<string, string | number> {
  return Object.fromEntries(
    messages(fields, number).map((pair) => {
      const [value = new Map<number, Buffer[]>()] = messages(pair, 2);
      const text = value.get(1)?.[0];
      return [
        bytes(pair, 1).toString(),
        Buffer.isBuffer(text) ? text.toString() : Number(integer(value, 3)),
      ];
    }),
  );
}
