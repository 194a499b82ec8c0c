import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import type { RequestError } from '../api/request-error.js';
import { useFocusOnRefusal } from '../api/use-action.js';
import { Button } from '../components/button.js';
import { TextField } from '../components/fields.js';
import { searchPath } from './paths.js';
import { operatorText } from './texts.js';

const texts = operatorText.accounts;

interface SearchProps {
  readonly search: string;
  readonly error?: RequestError | undefined;
}

/** Searches for an account by name, or for any id of the service. */
export function Search({ search, error }: SearchProps) {
  const { route } = useLocation();
  const [typed, setTyped] = useState(search);
  const form = useFocusOnRefusal(error);
  return (
    <form
      ref={form}
      class="search"
      noValidate
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        route(searchPath(typed.trim()));
      }}
    >
      <TextField
        label={texts.search}
        type="search"
        value={typed}
        error={error?.fields['search']}
        onInput={setTyped}
      />
      <Button type="submit">{texts.find}</Button>
    </form>
  );
}
