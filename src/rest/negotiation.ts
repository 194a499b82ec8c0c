interface Range {
  readonly type: string;
  readonly quality: number;
}

/**
 * Whether the client accepts `application/json`, or `application/problem+json` for errors. Without
 * an Accept header it accepts everything. The most specific range decides, and `q=0` forbids (RFC
 * 9110 §12.5.1).
 */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return true;
  const ranges = accept.split(',').map(readRange);
  if (ranges.every(({ type }) => type === '')) return true;
  return ['application/json', 'application/problem+json'].some((type) => {
    const [best] = [type, 'application/*', '*/*'].flatMap((wanted) =>
      ranges.filter((range) => range.type === wanted),
    );
    return best !== undefined && best.quality > 0;
  });
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => /^q\s*=/.test(parameter));
  const value = quality === undefined ? 1 : Number(quality.replace(/^q\s*=\s*/, ''));
  return { type, quality: Number.isNaN(value) ? 1 : value };
}
