import { Specimen } from './specimen.js';

/** Boxes, switches and links that are classes, not components. */
export function ControlSamples() {
  return (
    <>
      <Specimen file="styles/controls.css">
        <div>
          <label class="check">
            <input type="checkbox" />
            Not chosen
          </label>
          <label class="check">
            <input type="checkbox" checked />
            Chosen
          </label>
          <label class="check">
            <input type="checkbox" disabled />
            Cannot be chosen
          </label>
          <label class="check">
            <input type="radio" name="sample-radio" checked />
            One of several
          </label>
          <label class="check">
            <input type="radio" name="sample-radio" />
            Another of them
          </label>
        </div>
        <fieldset class="themes">
          <legend class="visually-hidden">A switch</legend>
          {['First', 'Second', 'Third'].map((each) => (
            <label key={each}>
              <input type="radio" name="sample-switch" defaultChecked={each === 'First'} />
              {each}
            </label>
          ))}
        </fieldset>
      </Specimen>
      <Specimen file="styles/surfaces.css">
        <nav class="filter" aria-label="A choice that the URL holds">
          <a href="#fields" aria-current="true">
            Day
          </a>
          <a href="#fields">Week</a>
        </nav>
        <p class="row">
          <span class="tag small">A tag</span>
          <kbd>g</kbd>
          <code>whd_0Vb</code>
        </p>
        <div class="copyable">
          <code>A value to copy</code>
        </div>
        <details>
          <summary>More</summary>
          <p>What few readers need.</p>
        </details>
      </Specimen>
    </>
  );
}
