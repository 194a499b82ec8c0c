// For a process of a test: its clock is CLOCK_OFFSET_MS off. Loaded by `--import`.
const offset = Number(process.env['CLOCK_OFFSET_MS'] ?? 0);
const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, values: unknown[]) =>
    values.length === 0
      ? new target(RealDate.now() + offset)
      : (Reflect.construct(target, values) as Date),
  get: (target, name, receiver): unknown =>
    name === 'now' ? () => RealDate.now() + offset : Reflect.get(target, name, receiver),
});
