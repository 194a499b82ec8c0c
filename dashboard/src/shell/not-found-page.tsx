import { ButtonLink } from '../components/button.js';
import { EmptyState } from '../components/empty-state.js';
import { PageHeader } from '../components/page-header.js';
import { text } from '../texts/text.js';
import { startPath } from './navigation.js';

/** Stands at an address that no view has. */
export function NotFoundPage() {
  return (
    <div class="stack">
      <PageHeader title={text.common.notFound} />
      <EmptyState
        title={text.common.notFound}
        action={<ButtonLink href={startPath()}>{text.common.toStart}</ButtonLink>}
      >
        {text.common.notFoundDetail}
      </EmptyState>
    </div>
  );
}
