// A test loads this into a process by `--import`. It shifts the clock of the process by CLOCK_OFFSET_MS.
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
