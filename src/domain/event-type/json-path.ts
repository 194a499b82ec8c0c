const maxLength = 255;

/** Writes the path to a member, such as `data.lines[0].sku`; cut after 255 characters. */
export function jsonPath(root: string, steps: readonly (string | number)[]): string {
  const text = steps.map(stepText).join('');
  return cut(root + text);
}

/** Reads the steps of a JSON pointer. A number may be a place in a list or a name. */
export function pointerSteps(pointer: string): (string | number)[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^(?:0|[1-9]\d{0,8})$/.test(step) ? Number(step) : step));
}

function stepText(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`;
  return /^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : `[${JSON.stringify(cut(step))}]`;
}

/** Never leaves half of a surrogate pair, which could not be sent. */
function cut(text: string): string {
  return text.length <= maxLength
    ? text
    : `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
