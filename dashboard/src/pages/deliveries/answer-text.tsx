import { fill, text } from '../../texts/text.js';
import type { ListedDelivery } from './listed-delivery.js';

type Answer = Pick<ListedDelivery, 'responseStatus' | 'failureReason' | 'durationMs'>;

/** What the receiver answered, and after how long, such as "503 · 120 ms". */
export function AnswerText({ delivery }: { readonly delivery: Answer }) {
  const { responseStatus, failureReason, durationMs } = delivery;
  const answer = responseStatus ?? failureReason?.replaceAll('_', ' ') ?? '';
  const time = durationMs === null ? '' : fill(text.common.ms, { ms: durationMs });
  return <>{[answer, time].filter(Boolean).join(' · ')}</>;
}
