import { useRoute } from 'preact-iso';
import { PageHeader } from '../../components/page-header.js';
import { fill, text } from '../../texts/text.js';
import { AttemptInspector } from './attempt-inspector.js';
import { deliveriesPath } from './delivery-filter.js';
import './inspector.css';

/** One attempt on a page of its own. */
export function DeliveryPage() {
  const id = useRoute().params['id'] ?? '';
  return (
    <>
      <PageHeader
        title={fill(text.attempt.titleOf, { id })}
        heading={text.attempt.title}
        back={{ href: deliveriesPath, label: text.deliveries.title }}
      />
      <AttemptInspector key={id} id={id} />
    </>
  );
}
