import { fill, text } from '../../texts/text.js';
import { timingPhases, type Timings } from './timing-phases.js';

/** How long each phase of an attempt took, drawn on one scale. */
export function Waterfall({ timings }: { readonly timings: Timings }) {
  const phases = timingPhases(timings);
  const last = phases.at(-1);
  const whole = Math.max(1, timings.totalMs ?? 0, (last?.startMs ?? 0) + (last?.lengthMs ?? 0));
  const reused = timings.connectMs === null && timings.firstByteMs !== null;
  return (
    <>
      <table class="waterfall small">
        <caption class="visually-hidden">{text.attempt.timing}</caption>
        <tbody>
          {phases.map(({ name, startMs, lengthMs }) => (
            <tr key={name}>
              <th scope="row">{text.attempt.phases[name]}</th>
              <td class="waterfall-track" aria-hidden="true">
                <span
                  class={`waterfall-bar waterfall-${name}`}
                  style={{
                    marginLeft: `${(100 * startMs) / whole}%`,
                    width: `${(100 * lengthMs) / whole}%`,
                  }}
                />
              </td>
              <td class="waterfall-time">{fill(text.common.ms, { ms: lengthMs })}</td>
            </tr>
          ))}
        </tbody>
        {timings.totalMs !== null && (
          <tfoot>
            <tr>
              <th scope="row">{text.attempt.total}</th>
              <td aria-hidden="true" />
              <td class="waterfall-time">{fill(text.common.ms, { ms: timings.totalMs })}</td>
            </tr>
          </tfoot>
        )}
      </table>
      {reused && <p class="field-hint">{text.attempt.reused}</p>}
    </>
  );
}
