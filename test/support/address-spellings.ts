import { isIP } from 'node:net';

/** Returns all spellings of an IP address that URL parsers are known to accept as a host. */
export function hostSpellings(address: string): string[] {
  return isIP(address) === 4 ? v4Spellings(address) : v6Spellings(address);
}

function v4Spellings(address: string): string[] {
  const bytes = address.split('.').map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  return [
    address,
    `${address}.`,
    String(number),
    `0x${number.toString(16)}`,
    `0X${number.toString(16).toUpperCase()}`,
    `0${number.toString(8)}`,
    bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
    bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.0x${b.toString(16)}.${c * 256 + d}`,
    address.replace(/\d/g, (digit) => `%3${digit}`),
    address.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    address.replaceAll('.', '。'),
  ];
}

function v6Spellings(address: string): string[] {
  const groups = v6Groups(address);
  const [high = 0, low = 0] = groups.slice(6);
  const dotted = [high >> 8, high & 255, low >> 8, low & 255].join('.');
  const hex = (group: number) => group.toString(16);
  return [
    address,
    address.toUpperCase(),
    groups.map(hex).join(':'),
    groups.map((group) => hex(group).padStart(4, '0')).join(':'),
    `${groups.slice(0, 6).map(hex).join(':')}:${dotted}`,
  ].map((text) => `[${text}]`);
}

function v6Groups(address: string): number[] {
  const [left = '', right = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const numbers = (text: string) =>
    text.split(':').flatMap((group) => (group === '' ? [] : [Number.parseInt(group, 16)]));
  const head = numbers(left);
  const tail = numbers(right);
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}
