import { fill, text } from '../../texts/text.js';
import { answerOf } from './answer-words.js';
import type { ListedDelivery } from './listed-delivery.js';

type Answer = Pick<ListedDelivery, 'responseStatus' | 'failureReason' | 'durationMs'>;

/** What the receiver answered, and after how long, such as "503 · 120 ms". */
export function AnswerText({ delivery }: { readonly delivery: Answer }) {
  const { durationMs } = delivery;
  const time = durationMs === null ? '' : fill(text.common.ms, { ms: durationMs });
  return <>{[answerOf(delivery), time].filter(Boolean).join(' · ')}</>;
}
