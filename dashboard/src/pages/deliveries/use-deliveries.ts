import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { execute } from '../../api/request.js';
import type { RequestError } from '../../api/request-error.js';
import { toRequestError } from '../../api/use-query.js';
import { deliveriesDocument } from '../../generated/documents.js';
import { type DeliveryFilter, searchOf } from './delivery-filter.js';
import {
  addArrived,
  addPage,
  type DeliveryList,
  emptyList,
  goOn,
  wantsPage,
} from './delivery-list.js';
import type { ListedDelivery } from './listed-delivery.js';

/** The deliveries that a filter finds, read page by page. */
export interface Deliveries {
  readonly list: DeliveryList;
  readonly loading: boolean;
  readonly error: RequestError | undefined;
  /** Reads the next page if there is one. */
  readonly more: () => void;
  /** Reads on after many pages without rows. */
  readonly goOn: () => void;
  /**
   * Adds what ended between the first page and the begin of the stream; shown at once, or held back.
   * @throws RequestError
   */
  readonly catchUp: (show: boolean) => Promise<void>;
  /** Reads the list again from its begin. */
  readonly reload: () => void;
  /** Adds what has just ended; shown at once, or held back. */
  readonly arrive: (deliveries: readonly ListedDelivery[], show: boolean) => void;
}

/** Reads the list again whenever the filter changes. */
export function useDeliveries(filter: DeliveryFilter): Deliveries {
  const key = JSON.stringify(filter);
  const [round, setRound] = useState(0);
  const [list, setList] = useState(emptyList);
  const [loading, setLoading] = useState(true);
  const [error, setError] = useState<RequestError>();
  // A cursor belongs to one search, so that its range must not move with the clock.
  const search = useMemo(() => searchOf(filter, Date.now()), [key, round]);
  const current = useRef(0);
  const busy = useRef(false);

  const read = async (cursor: string | undefined) => {
    const asked = current.current;
    busy.current = true;
    setLoading(true);
    setError(undefined);
    try {
      const answer = await execute(deliveriesDocument, { ...search, ...(cursor && { cursor }) });
      if (asked === current.current) setList((before) => addPage(before, answer.deliveries));
    } catch (thrown) {
      if (asked === current.current) setError(toRequestError(thrown));
    } finally {
      if (asked === current.current) {
        busy.current = false;
        setLoading(false);
      }
    }
  };

  useEffect(() => {
    current.current += 1;
    setList(emptyList);
    void read(undefined);
    return () => {
      current.current += 1;
    };
  }, [search]);

  const more = (from: DeliveryList) => {
    if (!busy.current && wantsPage(from)) void read(from.next ?? undefined);
  };
  // A page without rows shows no row whose sight would ask for the next.
  useEffect(() => {
    if (list.emptyPages > 0 && !error) more(list);
  }, [list]);

  return {
    list,
    loading,
    error,
    more: () => {
      if (!error) more(list);
    },
    goOn: () => {
      setList(goOn);
      more(goOn(list));
    },
    catchUp: async (show) => {
      const asked = current.current;
      const answer = await execute(deliveriesDocument, search);
      if (asked !== current.current) return;
      setList((before) => addArrived(before, answer.deliveries.data, show));
    },
    reload: () => setRound((before) => before + 1),
    arrive: (deliveries, show) => setList((before) => addArrived(before, deliveries, show)),
  };
}
