/** The fields of a protobuf message by number: numbers as bigint, everything else as bytes. */
export type Fields = ReadonlyMap<number, readonly (bigint | Buffer)[]>;

/** The messages of a repeated field. */
export function messages(fields: Fields, number: number): Fields[] {
  return (fields.get(number) ?? []).map((value) => fieldsOf(value as Buffer));
}

/** A field of bytes; empty when it is not there. */
export function bytes(fields: Fields, number: number): Buffer {
  return (fields.get(number)?.[0] ?? Buffer.alloc(0)) as Buffer;
}

/** A field that holds a number; 0 when it is not there. */
export function integer(fields: Fields, number: number): bigint {
  return (fields.get(number)?.[0] ?? 0n) as bigint;
}

/** Reads a message whose schema the caller knows. */
export function fieldsOf(message: Buffer): Fields {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number) => message.subarray(at, (at += length));
  while (at < message.length) {
    const tag = Number(varint());
    const number = tag >> 3;
    const type = tag & 7;
    const value =
      type === 0
        ? varint()
        : type === 1
          ? take(8).readBigUInt64LE()
          : take(type === 5 ? 4 : Number(varint()));
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}

/** The bits of a number as a double. */
export function double(bits: bigint): number {
  const eight = Buffer.alloc(8);
  eight.writeBigUInt64LE(bits);
  return eight.readDoubleLE();
}

/** A packed field of numbers of 64 bits. */
export function packed(fields: Fields, number: number): bigint[] {
  const all = bytes(fields, number);
  return Array.from({ length: all.length / 8 }, (_each, at) => all.readBigUInt64LE(at * 8));
}
