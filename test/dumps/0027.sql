

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE SCHEMA bullmq;

CREATE TYPE bullmq.dep_status AS ENUM (
    'pending',
    'processed',
    'ignored',
    'failed'
);

CREATE TYPE bullmq.job_state AS ENUM (
    'waiting',
    'active',
    'completed',
    'failed',
    'delayed',
    'waiting-children'
);

CREATE FUNCTION bullmq.add_flow(p_entries jsonb) RETURNS SETOF text
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
BEGIN
  PERFORM lock_producer_queues(p_entries);
  RETURN QUERY SELECT * FROM add_flow_unlocked(p_entries);
END;
$$;

CREATE FUNCTION bullmq.add_flow_unlocked(p_entries jsonb) RETURNS SETOF text
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  e              jsonb;
  v_id           text;
  v_seq          bigint;
  v_state        job_state;
  v_process_at   bigint;
  v_queue        text;
  v_delay        bigint;
  v_timestamp    bigint;
  v_lifo         boolean;
  v_parent_queue text;
  v_parent_id    text;
  v_awc          boolean;
  v_dedup_id     text;
  v_dedup        jsonb;
  v_winner       text;
  v_inserted     boolean;
  v_code         integer;
  v_lock_key     integer;
  v_ev_queue     text[]  := '{}';
  v_ev_event     text[]  := '{}';
  v_ev_data      jsonb[] := '{}';
  v_notify_jobs  text[]  := '{}';
  v_max          integer;
  v_parents_q    text[]  := '{}';
  v_parents_id   text[]  := '{}';
  v_failed_parents_q  text[] := '{}';
  v_failed_parents_id text[] := '{}';
  v_pq           text;
  v_pid          text;
  v_remaining    integer;
  v_now          bigint;
BEGIN
  -- Finish-and-fetch holds its dedup advisory lock while promoting delayed
  -- jobs. Take all batch locks before any job/sequence mutation, ordered by
  -- the actual lock key so reversed batches and hash collisions agree.
  FOR v_lock_key IN
    SELECT DISTINCT hashtext(
      'bullmq:dedup:' || (value ->> 'queue') || ':' || (value ->> 'dedupId'))
      FROM jsonb_array_elements(p_entries)
     WHERE value ->> 'dedupId' IS NOT NULL AND value ->> 'dedupId' <> ''
     ORDER BY 1
  LOOP
    PERFORM pg_advisory_xact_lock(v_lock_key);
  END LOOP;

  FOR e IN SELECT value FROM jsonb_array_elements(p_entries)
  LOOP
    v_queue        := e ->> 'queue';
    v_id           := COALESCE(e ->> 'id', '');
    v_delay        := COALESCE((e ->> 'delay')::bigint, 0);
    v_timestamp    := COALESCE((e ->> 'timestamp')::bigint, 0);
    v_lifo         := COALESCE((e ->> 'lifo')::boolean, false);
    v_parent_queue := e ->> 'parentQueue';
    v_parent_id    := e ->> 'parentId';
    v_awc          := COALESCE((e ->> 'addToWaitingChildren')::boolean, false);
    v_dedup_id     := e ->> 'dedupId';

    IF v_id IS NULL OR v_id = '' THEN
      v_id := next_job_id(v_queue);
    END IF;

    IF v_dedup_id IS NOT NULL AND v_dedup_id <> '' THEN
      v_dedup := COALESCE(e -> 'opts' -> 'deduplication',
                          e -> 'opts' -> 'debounce',
                          jsonb_build_object('id', v_dedup_id));
      v_winner := deduplicate_job(v_queue, v_dedup, v_id, v_timestamp,
        e ->> 'name', COALESCE((e ->> 'data')::jsonb, '{}'::jsonb),
        COALESCE(e -> 'opts', '{}'::jsonb));
      IF v_winner IS NOT NULL THEN
        RETURN NEXT v_winner;
        CONTINUE;
      END IF;
    END IF;

    IF v_parent_id IS NOT NULL AND v_parent_queue IS NOT NULL
       AND NOT EXISTS (
         SELECT 1 FROM job
          WHERE queue = v_parent_queue AND id = v_parent_id
       ) THEN
      RETURN NEXT '-5';
      CONTINUE;
    END IF;

    v_seq := nextval('job_seq');
    IF v_lifo THEN
      v_seq := -v_seq;
    END IF;

    IF v_awc THEN
      v_state := 'waiting-children';
      v_process_at := NULL;
    ELSIF v_delay > 0 THEN
      v_state := 'delayed';
      v_process_at := v_timestamp + v_delay;
    ELSE
      v_state := 'waiting';
      v_process_at := NULL;
    END IF;

    INSERT INTO job (
      queue, id, seq, name, state,
      data, opts, priority, delay_ms, max_attempts,
      added_at_ms, process_at_ms,
      dedup_id, scheduler_id,
      parent_queue, parent_id, parent_key, pending_deps
    ) VALUES (
      v_queue, v_id, v_seq, e ->> 'name', v_state,
      COALESCE((e ->> 'data')::jsonb, '{}'::jsonb),
      COALESCE(e -> 'opts', '{}'::jsonb),
      COALESCE((e ->> 'priority')::integer, 0), v_delay,
      COALESCE((e ->> 'attempts')::integer, 1),
      v_timestamp, v_process_at,
      e ->> 'dedupId', e ->> 'schedulerId',
      v_parent_queue, v_parent_id, e ->> 'parentKey', 0
    )
    ON CONFLICT (queue, id) DO NOTHING;
    GET DIAGNOSTICS v_inserted = ROW_COUNT;

    IF v_parent_id IS NOT NULL AND v_parent_queue IS NOT NULL THEN
      v_parents_q  := array_append(v_parents_q, v_parent_queue);
      v_parents_id := array_append(v_parents_id, v_parent_id);

      IF v_inserted THEN
        INSERT INTO job_dependency (
          parent_queue, parent_id, child_queue, child_id, child_key, status
        ) VALUES (
          v_parent_queue, v_parent_id, v_queue, v_id,
          v_queue || ':' || v_id, 'pending'
        )
        ON CONFLICT (parent_queue, parent_id, child_key) DO NOTHING;

        UPDATE job
           SET pending_deps = pending_deps + 1
         WHERE queue = v_parent_queue AND id = v_parent_id;
      ELSE
        v_code := handle_duplicated_job(v_queue, v_id,
          v_parent_queue, v_parent_id, e ->> 'parentKey', v_timestamp, true);
        IF v_code = -7 THEN
          v_failed_parents_q  := array_append(v_failed_parents_q, v_parent_queue);
          v_failed_parents_id := array_append(v_failed_parents_id, v_parent_id);
          RETURN NEXT '-7';
          CONTINUE;
        END IF;
      END IF;
    END IF;

    IF v_inserted THEN
      v_ev_queue := array_append(v_ev_queue, v_queue);
      v_ev_event := array_append(v_ev_event, 'added');
      v_ev_data  := array_append(v_ev_data,
        jsonb_build_object('jobId', v_id, 'name', e ->> 'name'));
      IF v_state = 'waiting' THEN
        v_ev_queue    := array_append(v_ev_queue, v_queue);
        v_ev_event    := array_append(v_ev_event, 'waiting');
        v_ev_data     := array_append(v_ev_data,
          jsonb_build_object('jobId', v_id));
        v_notify_jobs := array_append(v_notify_jobs, v_queue);
      ELSIF v_state = 'delayed' THEN
        v_ev_queue    := array_append(v_ev_queue, v_queue);
        v_ev_event    := array_append(v_ev_event, 'delayed');
        v_ev_data     := array_append(v_ev_data,
          jsonb_build_object('jobId', v_id, 'delay', v_process_at));
        v_notify_jobs := array_append(v_notify_jobs, v_queue);
      ELSIF v_state = 'waiting-children' THEN
        v_ev_queue := array_append(v_ev_queue, v_queue);
        v_ev_event := array_append(v_ev_event, 'waiting-children');
        v_ev_data  := array_append(v_ev_data,
          jsonb_build_object('jobId', v_id));
      END IF;
    END IF;

    RETURN NEXT v_id;
  END LOOP;

  IF array_length(v_ev_queue, 1) > 0 THEN
    INSERT INTO event (queue, event, data, created_at_ms)
    SELECT q, ev, dat, (extract(epoch FROM clock_timestamp()) * 1000)::bigint
      FROM unnest(v_ev_queue, v_ev_event, v_ev_data)
             WITH ORDINALITY AS t(q, ev, dat, ord)
     ORDER BY ord;

    FOR v_queue IN SELECT DISTINCT q FROM unnest(v_ev_queue) AS q LOOP
      PERFORM pg_notify('bullmq_events', v_queue);

      SELECT value::integer INTO v_max
        FROM meta
       WHERE queue = v_queue AND field = 'opts.maxLenEvents';
      IF v_max IS NULL THEN
        v_max := 10000;
      END IF;
      IF v_max > 0
         AND pg_try_advisory_xact_lock(hashtext('bullmq:evtrim:' || v_queue))
      THEN
        DELETE FROM event
         WHERE queue = v_queue
           AND id <= (SELECT max(id) FROM event WHERE queue = v_queue)
                     - v_max;
      END IF;
    END LOOP;

    FOR v_queue IN SELECT DISTINCT q FROM unnest(v_notify_jobs) AS q LOOP
      PERFORM pg_notify('bullmq_jobs', v_queue);
    END LOOP;
  END IF;

  IF array_length(v_parents_q, 1) > 0 THEN
    v_now := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
    FOR v_pq, v_pid IN
      SELECT DISTINCT pq, pid
        FROM unnest(v_parents_q, v_parents_id) AS t(pq, pid)
       WHERE NOT EXISTS (
         SELECT 1
           FROM unnest(v_failed_parents_q, v_failed_parents_id) AS f(pq, pid)
          WHERE f.pq = t.pq AND f.pid = t.pid
       )
    LOOP
      SELECT pending_deps INTO v_remaining
        FROM job WHERE queue = v_pq AND id = v_pid;
      IF COALESCE(v_remaining, 0) = 0 THEN
        PERFORM move_parent_to_wait(v_pq, v_pid, v_now);
      END IF;
    END LOOP;
  END IF;
END;
$$;

CREATE FUNCTION bullmq.add_job(p_queue text, p_id text, p_name text, p_data jsonb, p_opts jsonb, p_priority integer, p_delay bigint, p_timestamp bigint, p_max_attempts integer, p_parent_queue text, p_parent_id text, p_parent_key text, p_dedup_id text, p_scheduler_id text, p_lifo boolean) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
BEGIN
  PERFORM lock_producer_queues(jsonb_build_array(jsonb_build_object(
    'queue', p_queue, 'parentQueue', p_parent_queue)));
  RETURN add_job_unlocked(
    p_queue, p_id, p_name, p_data, p_opts, p_priority, p_delay, p_timestamp,
    p_max_attempts, p_parent_queue, p_parent_id, p_parent_key, p_dedup_id,
    p_scheduler_id, p_lifo);
END;
$$;

CREATE FUNCTION bullmq.add_job_scheduler(p_queue text, p_scheduler_id text, p_next_millis bigint, p_template_data jsonb, p_template_opts jsonb, p_opts jsonb, p_delayed_opts jsonb, p_now bigint, p_producer_id text) RETURNS TABLE(job_id text, delay bigint)
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_name    text    := p_opts ->> 'name';
  v_tz      text    := p_opts ->> 'tz';
  v_pattern text    := p_opts ->> 'pattern';
  v_every   bigint  := (p_opts ->> 'every')::bigint;
  v_offset  bigint  := COALESCE((p_opts ->> 'offset')::bigint,
                                (p_delayed_opts #>> '{repeat,offset}')::bigint, 0);
  v_offset_provided boolean := (p_opts ->> 'offset') IS NOT NULL
                            OR (p_delayed_opts #>> '{repeat,offset}') IS NOT NULL;
  v_start   bigint  := (p_opts ->> 'startDate')::bigint;
  v_end     bigint  := (p_opts ->> 'endDate')::bigint;
  v_limit   integer := (p_opts ->> 'limit')::integer;
  v_prev    bigint;
  v_millis  bigint;
  v_prev_every bigint;
  v_existing_offset bigint;
  v_ic      integer;
  v_next    bigint  := p_next_millis;
  v_updated_every boolean := false;
  v_removed boolean := false;
  v_collision boolean := false;
  v_new_offset bigint := v_offset;
  v_em      bigint[];
  v_jobid   text;
  v_delay   bigint;
  v_state   job_state;
  v_seq     bigint;
BEGIN
  SELECT next_run_ms, every_ms, iteration_count, offset_ms
    INTO v_prev, v_prev_every, v_ic, v_existing_offset
    FROM scheduler WHERE queue = p_queue AND scheduler_id = p_scheduler_id;

  -- `v_prev` is the previous iteration (used for removal); `v_millis` seeds the
  -- `every` formula and is reset to NULL when the interval itself changed.
  v_millis := v_prev;
  IF v_every IS NOT NULL THEN
    IF v_prev IS NOT NULL AND v_prev_every IS DISTINCT FROM v_every THEN
      v_millis := NULL;
      v_updated_every := true;
    END IF;
    v_em := scheduler_every_next_millis(v_millis, v_every, p_now, v_offset, v_start);
    v_next := v_em[1];
    v_new_offset := v_em[2];
    -- Preserve the offset established at scheduler creation. On re-upsert of an
    -- existing scheduler without an explicit offset, keep the stored offset
    -- instead of recomputing it against the (possibly changed) `every`. Mirrors
    -- Redis storeJobScheduler, which writes a freshly-computed offset only on
    -- first creation and otherwise preserves the existing hash field.
    IF NOT v_offset_provided AND v_existing_offset IS NOT NULL THEN
      v_new_offset := v_existing_offset;
    END IF;
  END IF;

  -- Remove the previous iteration's (still-pending) job, if any.
  IF v_prev IS NOT NULL THEN
    DELETE FROM job
     WHERE queue = p_queue
       AND id = 'repeat:' || p_scheduler_id || ':' || v_prev
       AND state IN ('delayed', 'waiting');
    IF FOUND THEN
      v_removed := true;
    END IF;
  END IF;

  IF v_removed AND v_every IS NOT NULL AND NOT v_updated_every THEN
    v_next := v_prev;
  END IF;

  -- Collision: a job with the next id already exists in a non-replaceable state
  -- (e.g. it is active). For `every` we try the following slot; for `pattern`
  -- we fail — unless we just removed the previous job (override replaces it).
  v_jobid := 'repeat:' || p_scheduler_id || ':' || v_next;
  IF EXISTS (SELECT 1 FROM job WHERE queue = p_queue AND id = v_jobid) THEN
    IF v_every IS NOT NULL THEN
      v_next := v_next + v_every;
      v_jobid := 'repeat:' || p_scheduler_id || ':' || v_next;
      IF EXISTS (SELECT 1 FROM job WHERE queue = p_queue AND id = v_jobid) THEN
        RAISE EXCEPTION 'scheduler job slots busy'
          USING ERRCODE = 'BM001', DETAIL = '-11';
      END IF;
    ELSIF NOT v_removed THEN
      RAISE EXCEPTION 'scheduler job id collision'
        USING ERRCODE = 'BM001', DETAIL = '-10';
    ELSE
      v_collision := true;
    END IF;
  END IF;

  v_delay := GREATEST(v_next - p_now, 0);

  -- Upsert the scheduler row (iteration count preserved, or 1 the first time).
  INSERT INTO scheduler (
    queue, scheduler_id, name, next_run_ms, pattern, every_ms, tz,
    start_date_ms, end_date_ms, limit_count, iteration_count, offset_ms,
    template_data, template_opts, producer_id
  ) VALUES (
    p_queue, p_scheduler_id, v_name, v_next, v_pattern, v_every, v_tz,
    v_start, v_end, v_limit, COALESCE(v_ic, 1), v_new_offset,
    p_template_data, p_template_opts, p_producer_id
  )
  ON CONFLICT (queue, scheduler_id) DO UPDATE SET
    name = EXCLUDED.name,
    next_run_ms = EXCLUDED.next_run_ms,
    pattern = EXCLUDED.pattern,
    every_ms = EXCLUDED.every_ms,
    tz = EXCLUDED.tz,
    start_date_ms = EXCLUDED.start_date_ms,
    end_date_ms = EXCLUDED.end_date_ms,
    limit_count = EXCLUDED.limit_count,
    offset_ms = EXCLUDED.offset_ms,
    template_data = EXCLUDED.template_data,
    template_opts = EXCLUDED.template_opts,
    producer_id = EXCLUDED.producer_id;

  -- Create the next delayed (or immediately-ready) job. When `v_collision` we
  -- are replacing an existing (removed-prev) row, so fully reset it.
  v_seq := nextval('job_seq');
  IF v_delay > 0 THEN
    v_state := 'delayed';
  ELSE
    v_state := 'waiting';
  END IF;

  INSERT INTO job (
    queue, id, seq, name, state, data, opts, priority, delay_ms, max_attempts,
    added_at_ms, process_at_ms, scheduler_id
  ) VALUES (
    p_queue, v_jobid, v_seq, v_name, v_state,
    COALESCE(p_template_data, '{}'::jsonb),
    COALESCE(p_delayed_opts, '{}'::jsonb)
      || jsonb_build_object('delay', v_delay, 'jobId', v_jobid),
    COALESCE((p_delayed_opts ->> 'priority')::integer, 0), v_delay,
    COALESCE((p_delayed_opts ->> 'attempts')::integer, 1),
    COALESCE((p_delayed_opts ->> 'timestamp')::bigint, p_now),
    CASE WHEN v_delay > 0 THEN v_next ELSE NULL END, p_scheduler_id
  )
  ON CONFLICT (queue, id) DO UPDATE SET
    seq = EXCLUDED.seq,
    name = EXCLUDED.name,
    state = EXCLUDED.state,
    data = EXCLUDED.data,
    opts = EXCLUDED.opts,
    priority = EXCLUDED.priority,
    delay_ms = EXCLUDED.delay_ms,
    max_attempts = EXCLUDED.max_attempts,
    attempts_made = 0,
    attempts_started = 0,
    added_at_ms = EXCLUDED.added_at_ms,
    process_at_ms = EXCLUDED.process_at_ms,
    processed_at_ms = NULL,
    finished_at_ms = NULL,
    return_value = NULL,
    failed_reason = NULL,
    stacktrace = NULL,
    lock_token = NULL,
    locked_until_ms = NULL,
    stalled_count = 0,
    processed_by = NULL,
    scheduler_id = EXCLUDED.scheduler_id;

  PERFORM pg_notify('bullmq_jobs', p_queue);

  job_id := v_jobid;
  delay := v_delay;
  RETURN NEXT;
END;
$$;

CREATE FUNCTION bullmq.add_job_unlocked(p_queue text, p_id text, p_name text, p_data jsonb, p_opts jsonb, p_priority integer, p_delay bigint, p_timestamp bigint, p_max_attempts integer, p_parent_queue text, p_parent_id text, p_parent_key text, p_dedup_id text, p_scheduler_id text, p_lifo boolean) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_id    text := p_id;
  v_seq   bigint;
  v_state job_state;
  v_process_at bigint;
  v_inserted boolean;
  v_dedup    jsonb;
  v_existing text;
BEGIN
  -- Serialize all dedup operations for this id (mirrors Redis's single-threaded
  -- atomicity: two READ COMMITTED adds could otherwise both read "no live key"
  -- and both insert). Acquired FIRST — before the id-counter INCR below — so the
  -- add and finish paths always take the locks in the same order (advisory then
  -- the id-counter row), which rules out a deadlock with requeue's own INCR.
  -- Transaction-scoped: released when this add commits.
  IF p_dedup_id IS NOT NULL AND p_dedup_id <> '' THEN
    PERFORM pg_advisory_xact_lock(
      hashtext('bullmq:dedup:' || p_queue || ':' || p_dedup_id));
  END IF;

  IF v_id IS NULL OR v_id = '' THEN
    v_id := next_job_id(p_queue);
  END IF;

  -- Deduplication: if a live key wins, skip the insert and return its id.
  IF p_dedup_id IS NOT NULL AND p_dedup_id <> '' THEN
    v_dedup := COALESCE(p_opts->'deduplication', p_opts->'debounce',
                        jsonb_build_object('id', p_dedup_id));
    v_existing := deduplicate_job(p_queue, v_dedup, v_id, p_timestamp,
      p_name, COALESCE(p_data, '{}'::jsonb), COALESCE(p_opts, '{}'::jsonb));
    IF v_existing IS NOT NULL THEN
      RETURN v_existing;
    END IF;
  END IF;

  -- Verify the parent exists before inserting (atomic: a failure rolls back).
  IF p_parent_id IS NOT NULL AND p_parent_queue IS NOT NULL THEN
    IF NOT EXISTS (
      SELECT 1 FROM job WHERE queue = p_parent_queue AND id = p_parent_id
    ) THEN
      RAISE EXCEPTION 'bullmq: missing parent %', p_parent_key
        USING ERRCODE = 'BM001', DETAIL = '-5';
    END IF;
  END IF;

  v_seq := nextval('job_seq');
  IF p_lifo THEN
    v_seq := -v_seq;
  END IF;

  IF p_delay > 0 THEN
    v_state := 'delayed';
    v_process_at := p_timestamp + p_delay;
  ELSE
    v_state := 'waiting';
    v_process_at := NULL;
  END IF;

  INSERT INTO job (
    queue, id, seq, name, state,
    data, opts, priority, delay_ms, max_attempts,
    added_at_ms, process_at_ms,
    dedup_id, scheduler_id,
    parent_queue, parent_id, parent_key
  ) VALUES (
    p_queue, v_id, v_seq, p_name, v_state,
    COALESCE(p_data, '{}'::jsonb), COALESCE(p_opts, '{}'::jsonb),
    COALESCE(p_priority, 0), COALESCE(p_delay, 0), COALESCE(p_max_attempts, 1),
    p_timestamp, v_process_at,
    p_dedup_id, p_scheduler_id,
    p_parent_queue, p_parent_id, p_parent_key
  )
  ON CONFLICT (queue, id) DO NOTHING;

  GET DIAGNOSTICS v_inserted = ROW_COUNT;

  IF v_inserted AND p_parent_id IS NOT NULL AND p_parent_queue IS NOT NULL THEN
    INSERT INTO job_dependency (
      parent_queue, parent_id, child_queue, child_id, child_key, status
    ) VALUES (
      p_parent_queue, p_parent_id, p_queue, v_id,
      p_queue || ':' || v_id, 'pending'
    )
    ON CONFLICT (parent_queue, parent_id, child_key) DO NOTHING;

    UPDATE job
       SET pending_deps = pending_deps + 1
     WHERE queue = p_parent_queue AND id = p_parent_id;
  END IF;

  -- The job already existed: re-attach it to the new parent (or, with no
  -- parent, just announce the duplicate). -7 = it already has a different one.
  IF NOT v_inserted THEN
    IF handle_duplicated_job(p_queue, v_id, p_parent_queue,
         p_parent_id, p_parent_key, p_timestamp) = -7 THEN
      RAISE EXCEPTION 'bullmq: parent cannot be replaced'
        USING ERRCODE = 'BM001', DETAIL = '-7';
    END IF;
  END IF;

  IF v_inserted THEN
    PERFORM pg_notify('bullmq_jobs', p_queue);
    -- Every stored job announces itself (mirrors storeJob.lua's 'added').
    PERFORM publish_event(p_queue, 'added',
      jsonb_build_object('jobId', v_id, 'name', p_name));
    IF v_state = 'delayed' THEN
      PERFORM publish_event(p_queue, 'delayed',
        jsonb_build_object('jobId', v_id, 'delay', v_process_at));
    ELSE
      PERFORM publish_event(p_queue, 'waiting',
        jsonb_build_object('jobId', v_id));
    END IF;
  END IF;

  RETURN v_id;
END;
$$;

CREATE FUNCTION bullmq.add_jobs_bulk(p_queue text, p_entries jsonb) RETURNS SETOF text
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
BEGIN
  PERFORM lock_producer_queues(jsonb_build_array(
    jsonb_build_object('queue', p_queue)));
  RETURN QUERY SELECT * FROM add_jobs_bulk_unlocked(p_queue, p_entries);
END;
$$;

CREATE FUNCTION bullmq.add_jobs_bulk_unlocked(p_queue text, p_entries jsonb) RETURNS SETOF text
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_seq_name text := job_id_seq_name(p_queue);
BEGIN
  -- Ensure the per-queue id sequence exists (mirrors next_job_id).
  IF to_regclass(v_seq_name) IS NULL THEN
    PERFORM pg_advisory_xact_lock(hashtext('bullmq:jidseq:' || p_queue));
    EXECUTE format('CREATE SEQUENCE IF NOT EXISTS %I', v_seq_name);
  END IF;

  DROP TABLE IF EXISTS pg_temp._bulk_inserted;
  DROP TABLE IF EXISTS pg_temp._bulk_result;

  CREATE TEMP TABLE _bulk_result ON COMMIT DROP AS
  WITH elems AS (
    SELECT value AS j, ord
      FROM jsonb_array_elements(p_entries) WITH ORDINALITY AS e(value, ord)
  ),
  prepared AS (
    SELECT
      ord,
      COALESCE(NULLIF(j->>'id', ''), nextval(v_seq_name::regclass)::text) AS id,
      j->>'name'                                        AS name,
      COALESCE((j->>'data')::jsonb, '{}'::jsonb)        AS data,
      COALESCE(j->'opts', '{}'::jsonb)                  AS opts,
      COALESCE((j->>'priority')::integer, 0)            AS priority,
      COALESCE((j->>'delay')::bigint, 0)                AS delay,
      COALESCE((j->>'timestamp')::bigint, 0)            AS ts,
      COALESCE((j->>'attempts')::integer, 1)            AS attempts,
      j->>'schedulerId'                                 AS scheduler_id,
      COALESCE((j->>'lifo')::boolean, false)            AS lifo
      FROM elems
  ),
  -- Reserve one global FIFO seq per row and pair the ord-th smallest reserved
  -- value with the ord-th entry, so seq is strictly monotonic in input order
  -- regardless of evaluation order.
  reserved AS (
    SELECT ord, nextval('job_seq') AS s FROM prepared
  ),
  rr AS (SELECT s, row_number() OVER (ORDER BY s) AS rn FROM reserved),
  rp AS (SELECT prepared.*, row_number() OVER (ORDER BY ord) AS rn FROM prepared),
  final AS (
    SELECT rp.ord, rp.id, rp.name, rp.data, rp.opts, rp.priority, rp.delay,
           rp.ts, rp.attempts, rp.scheduler_id,
           CASE WHEN rp.lifo THEN -rr.s ELSE rr.s END AS seq,
           CASE WHEN rp.delay > 0 THEN 'delayed'::job_state
                ELSE 'waiting'::job_state END   AS state,
           CASE WHEN rp.delay > 0 THEN rp.ts + rp.delay ELSE NULL END AS process_at
      FROM rp JOIN rr ON rp.rn = rr.rn
  )
  SELECT * FROM final ORDER BY ord;

  -- Insert the batch, capturing ONLY the rows actually inserted: ON CONFLICT
  -- skips ids that already exist and in-batch duplicate ids. Events and the
  -- wakeup are driven from this set, so a batch that repeats or reuses an id
  -- does not emit spurious added/waiting/delayed events or a bogus NOTIFY —
  -- mirroring add_flow's per-row `IF v_inserted` gating.
  CREATE TEMP TABLE _bulk_inserted ON COMMIT DROP AS
  WITH ins AS (
    INSERT INTO job (
      queue, id, seq, name, state, data, opts, priority, delay_ms, max_attempts,
      added_at_ms, process_at_ms, scheduler_id, pending_deps
    )
    SELECT p_queue, id, seq, name, state, data, opts, priority, delay, attempts,
           ts, process_at, scheduler_id, 0
      FROM _bulk_result
    ON CONFLICT (queue, id) DO NOTHING
    RETURNING id, seq, name, state, process_at_ms
  )
  SELECT * FROM ins;

  -- One set-based event flush ('added' then the state event per inserted job),
  -- ordered by each inserted job's first input ordinality so stream ordering
  -- matches caller payload order even when seq is negated by LIFO.
  INSERT INTO event (queue, event, data, created_at_ms)
  WITH inserted AS (
    SELECT i.id, i.name, i.state, i.process_at_ms, MIN(r.ord) AS ord
      FROM _bulk_inserted i
      JOIN _bulk_result r USING (id)
     GROUP BY i.id, i.name, i.state, i.process_at_ms
  )
  SELECT p_queue, ev, dat, (extract(epoch FROM clock_timestamp()) * 1000)::bigint
    FROM (
      SELECT ord * 2       AS o, 'added' AS ev,
             jsonb_build_object('jobId', id, 'name', name) AS dat
        FROM inserted
      UNION ALL
      SELECT ord * 2 + 1,
             CASE WHEN state = 'waiting' THEN 'waiting' ELSE 'delayed' END,
             CASE WHEN state = 'waiting'
                  THEN jsonb_build_object('jobId', id)
                  ELSE jsonb_build_object('jobId', id, 'delay', process_at_ms) END
        FROM inserted
    ) q
   ORDER BY o;

  IF EXISTS (SELECT 1 FROM _bulk_inserted) THEN
    PERFORM pg_notify('bullmq_jobs', p_queue);
  END IF;

  RETURN QUERY SELECT id FROM _bulk_result ORDER BY ord;
END;
$$;

CREATE FUNCTION bullmq.apply_retention(p_queue text, p_id text, p_state bullmq.job_state, p_now bigint, p_remove_all boolean, p_keep_age bigint, p_keep_count integer) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_pq        text;
  v_pid       text;
  v_remaining integer;
BEGIN
  IF p_remove_all THEN
    -- If this job is a still-pending child (e.g. a default-failed child with
    -- removeOnFail), detach it and release its parent when it was the last
    -- pending dependency (mirrors removeParentDependencyKey on removal). A
    -- processed/failed dependency is left untouched so the parent keeps it.
    SELECT parent_queue, parent_id INTO v_pq, v_pid
      FROM job WHERE queue = p_queue AND id = p_id;
    IF v_pq IS NOT NULL AND v_pid IS NOT NULL THEN
      DELETE FROM job_dependency
       WHERE parent_queue = v_pq AND parent_id = v_pid
         AND child_key = p_queue || ':' || p_id
         AND status = 'pending';
      IF FOUND THEN
        UPDATE job SET pending_deps = GREATEST(pending_deps - 1, 0)
         WHERE queue = v_pq AND id = v_pid
        RETURNING pending_deps INTO v_remaining;
        IF v_remaining = 0 THEN
          PERFORM move_parent_to_wait(v_pq, v_pid, p_now);
        END IF;
      END IF;
    END IF;

    DELETE FROM job WHERE queue = p_queue AND id = p_id;
    RETURN;
  END IF;

  IF p_keep_age IS NOT NULL AND p_keep_age >= 0 THEN
    DELETE FROM job
     WHERE queue = p_queue
       AND state = p_state
       AND finished_at_ms <= p_now - p_keep_age * 1000;
  END IF;

  -- A negative keep-count is the "keep everything" sentinel (mirrors Redis,
  -- where -1 disables count-based trimming); skip it — a negative SQL LIMIT is
  -- a hard error.
  IF p_keep_count IS NOT NULL AND p_keep_count >= 0 THEN
    DELETE FROM job
     WHERE queue = p_queue
       AND state = p_state
       AND id NOT IN (
         SELECT id FROM job
          WHERE queue = p_queue AND state = p_state
          ORDER BY finished_at_ms DESC, seq DESC
          LIMIT p_keep_count
       );
  END IF;
END;
$$;

CREATE FUNCTION bullmq.change_delay(p_queue text, p_id text, p_delay bigint, p_now bigint) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_state job_state;
BEGIN
  SELECT state INTO v_state FROM job WHERE queue = p_queue AND id = p_id;
  IF NOT FOUND THEN
    RETURN -1;
  END IF;
  IF v_state <> 'delayed' THEN
    RETURN -3;
  END IF;

  UPDATE job
     SET delay_ms = p_delay,
         process_at_ms = p_now + p_delay
   WHERE queue = p_queue AND id = p_id;

  -- Wake any worker blocked on an older (longer) delay so it recomputes.
  PERFORM pg_notify('bullmq_jobs', p_queue);
  RETURN 0;
END;
$$;

CREATE FUNCTION bullmq.change_priority(p_queue text, p_id text, p_priority integer, p_lifo boolean) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_state job_state;
BEGIN
  SELECT state INTO v_state FROM job WHERE queue = p_queue AND id = p_id;
  IF NOT FOUND THEN
    RETURN -1;
  END IF;

  IF v_state = 'waiting' THEN
    -- Reposition: lifo → head (negative seq), otherwise → tail (new seq).
    UPDATE job
       SET priority = p_priority,
           seq = CASE WHEN p_lifo
                      THEN -nextval('job_seq')
                      ELSE nextval('job_seq') END
     WHERE queue = p_queue AND id = p_id;
  ELSE
    UPDATE job
       SET priority = p_priority
     WHERE queue = p_queue AND id = p_id;
  END IF;

  RETURN 0;
END;
$$;

CREATE FUNCTION bullmq.clean(p_queue text, p_type text, p_ts bigint, p_limit integer) RETURNS SETOF text
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_where             text;
  v_scheduler_filter  text := 'AND scheduler_id IS NULL';
  v_ids               text[];
  v_pq                text[];
  v_pid               text[];
  i                   integer;
BEGIN
  IF p_type IN ('completed', 'failed') THEN
    v_where := format('state = %L AND finished_at_ms <= %s', p_type, p_ts);
    -- Finished jobs are cleaned regardless of scheduler origin (mirrors
    -- cleanJobsInSet-3.lua omitting the repeat key for finished states).
    v_scheduler_filter := '';
  ELSIF p_type = 'delayed' THEN
    v_where := format('state = ''delayed'' AND added_at_ms <= %s', p_ts);
  ELSIF p_type = 'prioritized' THEN
    v_where := format('state = ''waiting'' AND priority > 0 AND added_at_ms <= %s', p_ts);
  ELSIF p_type IN ('wait', 'waiting', 'paused') THEN
    v_where := format('state = ''waiting'' AND priority = 0 AND added_at_ms <= %s', p_ts);
  ELSIF p_type = 'active' THEN
    v_where := format('state = ''active'' AND added_at_ms <= %s', p_ts);
  ELSE
    RETURN;
  END IF;

  -- Collect the ids to clean (respecting FIFO order + limit).
  EXECUTE format(
    'SELECT array_agg(id) FROM (SELECT id FROM job '
    || 'WHERE queue = %L AND %s %s ORDER BY seq %s) s',
    p_queue, v_where, v_scheduler_filter,
    CASE WHEN p_limit > 0 THEN 'LIMIT ' || p_limit ELSE '' END
  ) INTO v_ids;

  IF v_ids IS NULL THEN
    RETURN;
  END IF;

  -- Distinct parents of the cleaned jobs, for flow-aware release.
  SELECT array_agg(pq), array_agg(pid) INTO v_pq, v_pid FROM (
    SELECT DISTINCT parent_queue AS pq, parent_id AS pid
      FROM job
     WHERE queue = p_queue AND id = ANY(v_ids)
       AND parent_queue IS NOT NULL AND parent_id IS NOT NULL
  ) s;

  -- Break the cleaned jobs' dependency links, then delete the jobs.
  DELETE FROM job_dependency
   WHERE child_queue = p_queue AND child_id = ANY(v_ids);
  DELETE FROM job WHERE queue = p_queue AND id = ANY(v_ids);

  -- Release affected parents: a parent with no remaining pending dependencies
  -- is removed when it lives in the cleaned queue, else moved to wait.
  IF v_pq IS NOT NULL THEN
    FOR i IN 1 .. array_length(v_pq, 1) LOOP
      UPDATE job p SET pending_deps = (
        SELECT count(*) FROM job_dependency d
         WHERE d.parent_queue = v_pq[i] AND d.parent_id = v_pid[i]
           AND d.status = 'pending'
      ) WHERE p.queue = v_pq[i] AND p.id = v_pid[i];

      PERFORM 1 FROM job p
       WHERE p.queue = v_pq[i] AND p.id = v_pid[i]
         AND p.state = 'waiting-children' AND p.pending_deps = 0;
      IF FOUND THEN
        IF v_pq[i] = p_queue THEN
          DELETE FROM job WHERE queue = v_pq[i] AND id = v_pid[i];
        ELSE
          UPDATE job
             SET state = 'waiting', seq = nextval('job_seq')
           WHERE queue = v_pq[i] AND id = v_pid[i];
          PERFORM pg_notify('bullmq_jobs', v_pq[i]);
          PERFORM publish_event(v_pq[i], 'waiting',
            jsonb_build_object('jobId', v_pid[i], 'prev', 'waiting-children'));
        END IF;
      END IF;
    END LOOP;
  END IF;

  -- Announce how many jobs were cleaned (mirrors cleanJobsInSet-3.lua's
  -- `cleaned` event; count is a string, as on the Redis stream).
  PERFORM publish_event(p_queue, 'cleaned',
    jsonb_build_object('count', array_length(v_ids, 1)::text));

  RETURN QUERY SELECT unnest(v_ids);
END;
$$;

CREATE FUNCTION bullmq.collect_metrics(p_queue text, p_kind text, p_max integer, p_ts bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_count      bigint;
  v_prev_ts    bigint;
  v_prev_count bigint;
  v_data       bigint[];
  v_n          bigint;
  v_delta      bigint;
BEGIN
  -- Increment the cumulative count; v_count is the value BEFORE this job
  -- (matches Lua's `HINCRBY count 1) - 1`).
  INSERT INTO metrics (queue, kind, count, prev_ts, prev_count, data)
    VALUES (p_queue, p_kind, 1, NULL, 0, '{}')
  ON CONFLICT (queue, kind) DO UPDATE SET count = metrics.count + 1
  RETURNING count - 1, prev_ts, prev_count, data
    INTO v_count, v_prev_ts, v_prev_count, v_data;

  -- First data point only establishes the baseline.
  IF v_prev_ts IS NULL THEN
    UPDATE metrics SET prev_ts = p_ts, prev_count = 0
     WHERE queue = p_queue AND kind = p_kind;
    RETURN;
  END IF;

  -- Number of one-minute buckets elapsed since the last data point, capped.
  v_n := LEAST(p_ts / 60000 - v_prev_ts / 60000, p_max);
  IF v_n > 0 THEN
    v_delta := v_count - v_prev_count;
    -- Prepend N-1 zeros for the skipped (empty) minutes, then the delta for the
    -- minute of the previous data point. Mirrors Redis collectMetrics, which
    -- LPUSHes the delta first and then the zeros, leaving the zeros newest and
    -- the delta oldest within this chunk (data is newest-first).
    IF v_n > 1 THEN
      v_data := array_fill(0::bigint, ARRAY[(v_n - 1)::int])
                || ARRAY[v_delta]
                || v_data;
    ELSE
      v_data := ARRAY[v_delta] || v_data;
    END IF;
    -- Trim to the max number of data points.
    v_data := v_data[1 : p_max];
    UPDATE metrics
       SET data = v_data, prev_count = v_count, prev_ts = p_ts
     WHERE queue = p_queue AND kind = p_kind;
  END IF;
END;
$$;

CREATE FUNCTION bullmq.dedup_finalize(p_queue text, p_dedup_id text, p_job_id text, p_now bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_cur text;
  v_exp bigint;
BEGIN
  IF p_dedup_id IS NULL OR p_dedup_id = '' THEN
    RETURN;
  END IF;
  SELECT job_id, expire_at_ms INTO v_cur, v_exp
    FROM dedup WHERE queue = p_queue AND dedup_id = p_dedup_id;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF v_exp IS NULL THEN
    -- No expiry: only the current winner clears its own key.
    IF v_cur = p_job_id THEN
      DELETE FROM dedup WHERE queue = p_queue AND dedup_id = p_dedup_id;
    END IF;
  ELSIF v_exp <= p_now THEN
    -- Already expired: reap it.
    DELETE FROM dedup WHERE queue = p_queue AND dedup_id = p_dedup_id;
  END IF;
END;
$$;

CREATE FUNCTION bullmq.dedup_on_removal(p_queue text, p_job_id text, p_dedup_id text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
BEGIN
  IF p_dedup_id IS NULL OR p_dedup_id = '' THEN
    RETURN;
  END IF;
  DELETE FROM dedup
   WHERE queue = p_queue AND dedup_id = p_dedup_id AND job_id = p_job_id;
END;
$$;

CREATE FUNCTION bullmq.dedup_store_next(p_queue text, p_dedup_id text, p_winner text, p_job_id text, p_keeplast boolean, p_name text, p_data jsonb, p_opts jsonb) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
BEGIN
  IF NOT p_keeplast OR p_winner IS NULL THEN
    RETURN false;
  END IF;
  IF NOT EXISTS (
    SELECT 1 FROM job
     WHERE queue = p_queue AND id = p_winner AND state = 'active'
  ) THEN
    RETURN false;
  END IF;
  INSERT INTO dedup_next (queue, dedup_id, payload)
    VALUES (p_queue, p_dedup_id, jsonb_build_object(
      'name', p_name, 'data', p_data, 'opts', p_opts, 'jobId', p_job_id))
  ON CONFLICT (queue, dedup_id) DO UPDATE SET payload = EXCLUDED.payload;
  -- Persist the dedup key so it outlives the active job's duration.
  UPDATE dedup SET expire_at_ms = NULL
   WHERE queue = p_queue AND dedup_id = p_dedup_id;
  RETURN true;
END;
$$;

CREATE FUNCTION bullmq.deduplicate_job(p_queue text, p_dedup jsonb, p_job_id text, p_now bigint, p_name text, p_data jsonb, p_opts jsonb) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_id       text    := p_dedup->>'id';
  v_ttl      bigint  := NULLIF(p_dedup->>'ttl', '')::bigint;
  v_extend   boolean := COALESCE((p_dedup->>'extend')::boolean, false);
  v_replace  boolean := COALESCE((p_dedup->>'replace')::boolean, false);
  v_keeplast boolean := COALESCE((p_dedup->>'keepLastIfActive')::boolean, false);
  v_delay    bigint;
  v_cur      text;
  v_exp      bigint;
  v_state    job_state;
BEGIN
  IF v_id IS NULL OR v_id = '' THEN
    RETURN NULL;
  END IF;

  -- Lock the dedup row before touching the winner job row, matching the
  -- dedup -> job lock order used by removal (dedup_on_removal, then DELETE job).
  SELECT job_id, expire_at_ms INTO v_cur, v_exp
    FROM dedup WHERE queue = p_queue AND dedup_id = v_id
    FOR UPDATE;
  IF v_cur IS NULL OR (v_exp IS NOT NULL AND v_exp <= p_now) THEN
    v_cur := NULL;
  ELSIF v_exp IS NULL AND NOT EXISTS (
    SELECT 1 FROM job WHERE queue = p_queue AND id = v_cur
  ) THEN
    DELETE FROM dedup WHERE queue = p_queue AND dedup_id = v_id;
    DELETE FROM dedup_next WHERE queue = p_queue AND dedup_id = v_id;
    v_cur := NULL;
  END IF;

  IF v_replace THEN
    IF v_cur IS NOT NULL THEN
      SELECT state INTO v_state
        FROM job WHERE queue = p_queue AND id = v_cur;
      IF v_state = 'delayed' THEN
        DELETE FROM job WHERE queue = p_queue AND id = v_cur;
        PERFORM publish_event(p_queue, 'removed',
          jsonb_build_object('jobId', v_cur, 'prev', 'delayed'));
        PERFORM publish_event(p_queue, 'deduplicated',
          jsonb_build_object('jobId', p_job_id, 'deduplicationId', v_id,
            'deduplicatedJobId', v_cur));
        DELETE FROM dedup_next WHERE queue = p_queue AND dedup_id = v_id;
        IF v_keeplast THEN
          UPDATE dedup SET job_id = p_job_id, expire_at_ms = NULL
           WHERE queue = p_queue AND dedup_id = v_id;
        ELSIF NOT v_extend AND COALESCE(v_ttl, 0) > 0 THEN
          UPDATE dedup SET job_id = p_job_id
           WHERE queue = p_queue AND dedup_id = v_id;
        ELSE
          UPDATE dedup
             SET job_id = p_job_id,
                 expire_at_ms = CASE WHEN COALESCE(v_ttl, 0) > 0
                                     THEN p_now + v_ttl ELSE NULL END
           WHERE queue = p_queue AND dedup_id = v_id;
        END IF;
        RETURN NULL;
      ELSE
        PERFORM dedup_store_next(p_queue, v_id, v_cur, p_job_id,
          v_keeplast, p_name, p_data, p_opts);
        RETURN v_cur;
      END IF;
    ELSE
      INSERT INTO dedup (queue, dedup_id, job_id, expire_at_ms)
        VALUES (p_queue, v_id, p_job_id,
          CASE WHEN NOT v_keeplast AND COALESCE(v_ttl, 0) > 0
               THEN p_now + v_ttl ELSE NULL END)
      ON CONFLICT (queue, dedup_id) DO UPDATE
        SET job_id = EXCLUDED.job_id, expire_at_ms = EXCLUDED.expire_at_ms;
      RETURN NULL;
    END IF;
  END IF;

  IF v_cur IS NOT NULL AND COALESCE((p_dedup->>'reschedule')::boolean, false) THEN
    v_delay := COALESCE((p_opts->>'delay')::bigint, 0);
    UPDATE job SET delay_ms = v_delay,
                   process_at_ms = p_now + GREATEST(v_delay, 0)
     WHERE queue = p_queue AND id = v_cur AND state = 'delayed';
    IF FOUND THEN
      PERFORM publish_event(p_queue, 'delayed',
        jsonb_build_object('jobId', v_cur, 'delay', p_now + GREATEST(v_delay, 0)));
      PERFORM pg_notify('bullmq_jobs', p_queue);
    END IF;
  END IF;

  IF COALESCE(v_ttl, 0) > 0 AND v_extend THEN
    IF v_cur IS NOT NULL THEN
      IF NOT dedup_store_next(p_queue, v_id, v_cur, p_job_id,
               v_keeplast, p_name, p_data, p_opts) THEN
        UPDATE dedup
           SET expire_at_ms = CASE WHEN v_keeplast THEN NULL ELSE p_now + v_ttl END
         WHERE queue = p_queue AND dedup_id = v_id;
      END IF;
      PERFORM publish_event(p_queue, 'deduplicated',
        jsonb_build_object('jobId', v_cur, 'deduplicationId', v_id,
          'deduplicatedJobId', p_job_id));
      RETURN v_cur;
    END IF;
    INSERT INTO dedup (queue, dedup_id, job_id, expire_at_ms)
      VALUES (p_queue, v_id, p_job_id,
        CASE WHEN v_keeplast THEN NULL ELSE p_now + v_ttl END)
    ON CONFLICT (queue, dedup_id) DO UPDATE
      SET job_id = EXCLUDED.job_id, expire_at_ms = EXCLUDED.expire_at_ms;
    RETURN NULL;
  END IF;

  IF v_cur IS NOT NULL THEN
    PERFORM dedup_store_next(p_queue, v_id, v_cur, p_job_id,
      v_keeplast, p_name, p_data, p_opts);
    PERFORM publish_event(p_queue, 'deduplicated',
      jsonb_build_object('jobId', v_cur, 'deduplicationId', v_id,
        'deduplicatedJobId', p_job_id));
    RETURN v_cur;
  END IF;

  INSERT INTO dedup (queue, dedup_id, job_id, expire_at_ms)
    VALUES (p_queue, v_id, p_job_id,
      CASE WHEN NOT v_keeplast AND COALESCE(v_ttl, 0) > 0
           THEN p_now + v_ttl ELSE NULL END)
  ON CONFLICT (queue, dedup_id) DO UPDATE
    SET job_id = EXCLUDED.job_id, expire_at_ms = EXCLUDED.expire_at_ms;
  RETURN NULL;
END;
$$;

CREATE FUNCTION bullmq.drain(p_queue text, p_delayed boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_pq  text[];
  v_pid text[];
  i     integer;
BEGIN
  SELECT array_agg(parent_queue), array_agg(parent_id)
    INTO v_pq, v_pid
  FROM (
    SELECT DISTINCT parent_queue, parent_id
      FROM job
     WHERE queue = p_queue
       AND parent_id IS NOT NULL
       AND scheduler_id IS NULL
       AND (state = 'waiting' OR (p_delayed AND state = 'delayed'))
  ) s;

  DELETE FROM job_dependency d
   USING job j
   WHERE j.queue = p_queue
     AND (j.state = 'waiting' OR (p_delayed AND j.state = 'delayed'))
     AND j.parent_id IS NOT NULL
     AND j.scheduler_id IS NULL
     AND d.parent_queue = j.parent_queue
     AND d.parent_id = j.parent_id
     AND d.child_queue = j.queue
     AND d.child_id = j.id;

  DELETE FROM job
   WHERE queue = p_queue
     AND scheduler_id IS NULL
     AND (state = 'waiting' OR (p_delayed AND state = 'delayed'));

  IF v_pq IS NOT NULL THEN
    FOR i IN 1 .. array_length(v_pq, 1) LOOP
      UPDATE job p
         SET pending_deps = (
           SELECT count(*) FROM job_dependency d
            WHERE d.parent_queue = v_pq[i]
              AND d.parent_id = v_pid[i]
              AND d.status = 'pending'
         )
       WHERE p.queue = v_pq[i] AND p.id = v_pid[i];

      PERFORM 1 FROM job p
       WHERE p.queue = v_pq[i] AND p.id = v_pid[i]
         AND p.state = 'waiting-children'
         AND p.pending_deps = 0;

      IF FOUND THEN
        IF v_pq[i] = p_queue THEN
          DELETE FROM job WHERE queue = v_pq[i] AND id = v_pid[i];
        ELSE
          UPDATE job
             SET state = 'waiting', seq = nextval('job_seq')
           WHERE queue = v_pq[i] AND id = v_pid[i];
          PERFORM pg_notify('bullmq_jobs', v_pq[i]);
          PERFORM publish_event(v_pq[i], 'waiting',
            jsonb_build_object('jobId', v_pid[i], 'prev', 'waiting-children'));
        END IF;
      END IF;
    END LOOP;
  END IF;
END;
$$;

CREATE FUNCTION bullmq.extend_lock(p_queue text, p_id text, p_token text, p_lock_ms bigint, p_now bigint) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_updated integer;
BEGIN
  UPDATE job
     SET locked_until_ms = p_now + p_lock_ms
   WHERE queue = p_queue
     AND id = p_id
     AND state = 'active'
     AND lock_token = p_token;

  GET DIAGNOSTICS v_updated = ROW_COUNT;
  RETURN v_updated;
END;
$$;

CREATE FUNCTION bullmq.get_range(p_queue text, p_type text, p_start integer, p_end integer, p_asc boolean) RETURNS SETOF text
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_where  text;
  v_order  text;
  v_dir    text := CASE WHEN p_asc THEN 'ASC' ELSE 'DESC' END;
  v_offset integer := GREATEST(COALESCE(p_start, 0), 0);
  v_limit  text;
BEGIN
  -- 'wait'/'active' are list-backed in Redis (LPUSH ⇒ newest at head), and the
  -- shared queue-getters layer reverses these `lrange` results when asc is
  -- requested. Returning newest-first (DESC) here makes that reversal yield the
  -- FIFO order callers expect (getWaiting/getActive), mirroring Redis LRANGE.
  IF p_type IN ('wait', 'waiting') THEN
    v_where := 'state = ''waiting'' AND priority = 0'; v_order := 'seq'; v_dir := 'DESC';
  ELSIF p_type = 'prioritized' THEN
    v_where := 'state = ''waiting'' AND priority > 0'; v_order := 'priority, seq';
  ELSIF p_type = 'active' THEN
    v_where := 'state = ''active'''; v_order := 'seq'; v_dir := 'DESC';
  ELSIF p_type = 'delayed' THEN
    v_where := 'state = ''delayed'''; v_order := 'process_at_ms';
  ELSIF p_type IN ('completed', 'failed') THEN
    v_where := format('state = %L', p_type); v_order := 'finished_at_ms';
  ELSIF p_type = 'waiting-children' THEN
    v_where := 'state = ''waiting-children'''; v_order := 'seq'; v_dir := 'ASC';
  ELSE
    RETURN; -- paused/repeat/unknown
  END IF;

  IF p_end IS NULL OR p_end < 0 THEN
    v_limit := 'ALL';
  ELSE
    IF (p_end - v_offset + 1) <= 0 THEN
      RETURN;
    END IF;
    v_limit := (p_end - v_offset + 1)::text;
  END IF;

  RETURN QUERY EXECUTE format(
    'SELECT id FROM job WHERE queue = %L AND %s ORDER BY %s %s OFFSET %s LIMIT %s',
    p_queue, v_where, v_order, v_dir, v_offset, v_limit
  );
END;
$$;

CREATE FUNCTION bullmq.handle_child_failure(p_queue text, p_id text, p_reason text, p_now bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_pq        text;
  v_pid       text;
  v_opts      jsonb;
  v_child_key text;
  v_remaining integer;
BEGIN
  SELECT parent_queue, parent_id, opts INTO v_pq, v_pid, v_opts
    FROM job WHERE queue = p_queue AND id = p_id;
  IF v_pid IS NULL OR v_pq IS NULL THEN
    RETURN;
  END IF;
  v_child_key := p_queue || ':' || p_id;

  -- Serialize this child→parent mutation with any sibling resolving concurrently
  -- (completion or failure). Mirrors the single-threaded atomicity Redis relies
  -- on and prevents the `pending_deps` UPDATE from deadlocking against a
  -- sibling's decrement (SQLSTATE 40P01). Taken on the direct parent only, so it
  -- never nests and auto-releases at commit (see move_to_completed).
  PERFORM pg_advisory_xact_lock(
    hashtext('bullmq:parent:' || v_pq || ':' || v_pid));

  IF COALESCE((v_opts->>'failParentOnFailure')::boolean, false) THEN
    UPDATE job_dependency
       SET status = 'failed', value = to_jsonb(p_reason)
     WHERE parent_queue = v_pq AND parent_id = v_pid
       AND child_key = v_child_key AND status = 'pending';
    IF FOUND THEN
      UPDATE job SET pending_deps = GREATEST(pending_deps - 1, 0)
       WHERE queue = v_pq AND id = v_pid;
      -- Defer the failure onto the parent; when a worker activates it the
      -- deferred failure fails it immediately (worker checks job.deferredFailure).
      UPDATE job
         SET deferred_failure = 'child ' || v_child_key || ' failed'
       WHERE queue = v_pq AND id = v_pid;
      PERFORM move_parent_to_wait(v_pq, v_pid, p_now);
    END IF;

  ELSIF COALESCE((v_opts->>'continueParentOnFailure')::boolean, false) THEN
    UPDATE job_dependency
       SET status = 'ignored', value = to_jsonb(p_reason)
     WHERE parent_queue = v_pq AND parent_id = v_pid
       AND child_key = v_child_key AND status = 'pending';
    IF FOUND THEN
      UPDATE job SET pending_deps = GREATEST(pending_deps - 1, 0)
       WHERE queue = v_pq AND id = v_pid;
      PERFORM move_parent_to_wait(v_pq, v_pid, p_now);
    END IF;

  ELSIF COALESCE((v_opts->>'ignoreDependencyOnFailure')::boolean, false) THEN
    UPDATE job_dependency
       SET status = 'ignored', value = to_jsonb(p_reason)
     WHERE parent_queue = v_pq AND parent_id = v_pid
       AND child_key = v_child_key AND status = 'pending';
    IF FOUND THEN
      UPDATE job SET pending_deps = GREATEST(pending_deps - 1, 0)
       WHERE queue = v_pq AND id = v_pid
      RETURNING pending_deps INTO v_remaining;
      IF v_remaining = 0 THEN
        PERFORM move_parent_to_wait(v_pq, v_pid, p_now);
      END IF;
    END IF;

  ELSIF COALESCE((v_opts->>'removeDependencyOnFailure')::boolean, false) THEN
    DELETE FROM job_dependency
     WHERE parent_queue = v_pq AND parent_id = v_pid
       AND child_key = v_child_key AND status = 'pending';
    IF FOUND THEN
      UPDATE job SET pending_deps = GREATEST(pending_deps - 1, 0)
       WHERE queue = v_pq AND id = v_pid
      RETURNING pending_deps INTO v_remaining;
      IF v_remaining = 0 THEN
        PERFORM move_parent_to_wait(v_pq, v_pid, p_now);
      END IF;
    END IF;
  END IF;
END;
$$;

CREATE FUNCTION bullmq.handle_duplicated_job(p_queue text, p_id text, p_parent_queue text, p_parent_id text, p_parent_key text, p_now bigint, p_defer_release boolean DEFAULT false) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_ex_pq     text;
  v_ex_pid    text;
  v_state     job_state;
  v_rv        jsonb;
  v_remaining integer;
  v_added     boolean;
BEGIN
  -- No new parent to attach: still a duplicate add, so announce it.
  IF p_parent_id IS NULL OR p_parent_queue IS NULL THEN
    PERFORM publish_event(p_queue, 'duplicated',
      jsonb_build_object('jobId', p_id));
    RETURN 0;
  END IF;

  SELECT parent_queue, parent_id, state, return_value
    INTO v_ex_pq, v_ex_pid, v_state, v_rv
    FROM job WHERE queue = p_queue AND id = p_id;

  -- The existing job already belongs to a different (still-existing) parent.
  IF v_ex_pq IS NOT NULL
     AND (v_ex_pq IS DISTINCT FROM p_parent_queue
          OR v_ex_pid IS DISTINCT FROM p_parent_id)
     AND EXISTS (
       SELECT 1 FROM job WHERE queue = v_ex_pq AND id = v_ex_pid
     ) THEN
    RETURN -7;
  END IF;

  IF v_state = 'completed' THEN
    -- Already finished: record a processed dependency (no pending increment)
    -- and release the parent if this was its last outstanding dependency.
    INSERT INTO job_dependency (
      parent_queue, parent_id, child_queue, child_id, child_key, status, value
    ) VALUES (
      p_parent_queue, p_parent_id, p_queue, p_id,
      p_queue || ':' || p_id, 'processed', v_rv
    )
    ON CONFLICT (parent_queue, parent_id, child_key)
      DO UPDATE SET status = 'processed', value = v_rv;

    -- Within a flow insert the parent may still be waiting for siblings that
    -- have not been inserted yet, so the release is validated by the caller
    -- once the whole tree is in.
    IF NOT p_defer_release THEN
      SELECT pending_deps INTO v_remaining
        FROM job WHERE queue = p_parent_queue AND id = p_parent_id;
      IF COALESCE(v_remaining, 0) = 0 THEN
        PERFORM move_parent_to_wait(p_parent_queue, p_parent_id, p_now);
      END IF;
    END IF;
  ELSE
    -- Still pending: register a pending dependency and count it on the parent.
    INSERT INTO job_dependency (
      parent_queue, parent_id, child_queue, child_id, child_key, status
    ) VALUES (
      p_parent_queue, p_parent_id, p_queue, p_id,
      p_queue || ':' || p_id, 'pending'
    )
    ON CONFLICT (parent_queue, parent_id, child_key) DO NOTHING;
    GET DIAGNOSTICS v_added = ROW_COUNT;
    IF v_added THEN
      UPDATE job SET pending_deps = pending_deps + 1
       WHERE queue = p_parent_queue AND id = p_parent_id;
    END IF;
  END IF;

  -- Point the existing job at its new parent.
  UPDATE job
     SET parent_queue = p_parent_queue,
         parent_id    = p_parent_id,
         parent_key   = p_parent_key
   WHERE queue = p_queue AND id = p_id;

  PERFORM publish_event(p_queue, 'duplicated',
    jsonb_build_object('jobId', p_id));

  RETURN 0;
END;
$$;

CREATE FUNCTION bullmq.job_id_seq_name(p_queue text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT 'bullmq_jid_' || md5(p_queue)
$$;

CREATE FUNCTION bullmq.lock_finalization_queues(p_queue text, p_id text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_key integer;
BEGIN
  FOR v_key IN
    SELECT DISTINCT hashtext(q)
      FROM (
        SELECT p_queue AS q
        UNION ALL
        SELECT parent_queue FROM job WHERE queue = p_queue AND id = p_id
      ) AS queues
     WHERE q IS NOT NULL
     ORDER BY 1
  LOOP
    PERFORM pg_advisory_xact_lock_shared(hashtext('bullmq:finalization'), v_key);
  END LOOP;
END;
$$;

CREATE FUNCTION bullmq.lock_producer_queues(p_entries jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_key integer;
BEGIN
  FOR v_key IN
    SELECT DISTINCT hashtext(q)
      FROM (
        SELECT entry ->> 'queue' AS q
          FROM jsonb_array_elements(p_entries) AS entries(entry)
        UNION ALL
        SELECT entry ->> 'parentQueue'
          FROM jsonb_array_elements(p_entries) AS entries(entry)
      ) AS queues
     WHERE q IS NOT NULL
     ORDER BY 1
  LOOP
    PERFORM pg_advisory_xact_lock_shared(
      hashtext('bullmq:finalization'), v_key);
  END LOOP;
END;
$$;

CREATE FUNCTION bullmq.move_active_to_wait(p_queue text, p_id text, p_token text, p_now bigint) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_state    job_state;
  v_lock     text;
  v_priority integer;
  v_seq      bigint;
  v_expire   bigint;
BEGIN
  SELECT state, lock_token, priority INTO v_state, v_lock, v_priority
    FROM job WHERE queue = p_queue AND id = p_id;
  IF NOT FOUND THEN
    RETURN -1;
  END IF;

  IF v_state = 'active'
     AND (p_token = '0' OR v_lock IS NOT DISTINCT FROM p_token) THEN
    IF v_priority > 0 THEN
      v_seq := -nextval('job_seq');
    ELSE
      v_seq := nextval('job_seq');
    END IF;

    UPDATE job
       SET state = 'waiting',
           seq = v_seq,
           lock_token = NULL,
           locked_until_ms = NULL
     WHERE queue = p_queue AND id = p_id;

    PERFORM pg_notify('bullmq_jobs', p_queue);
    PERFORM publish_event(p_queue, 'waiting',
      jsonb_build_object('jobId', p_id, 'prev', 'active'));
  END IF;

  -- Remaining limiter window (mirrors Redis returning PTTL of the limiter key).
  SELECT expire_at_ms INTO v_expire
    FROM rate_limit WHERE queue = p_queue;
  IF v_expire IS NOT NULL AND v_expire > p_now THEN
    RETURN v_expire - p_now;
  END IF;
  RETURN 0;
END;
$$;

CREATE FUNCTION bullmq.move_parent_to_wait(p_parent_queue text, p_parent_id text, p_now bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_delay      bigint;
  v_process_at bigint;
BEGIN
  SELECT delay_ms INTO v_delay
    FROM job
   WHERE queue = p_parent_queue AND id = p_parent_id
     AND state = 'waiting-children';
  IF NOT FOUND THEN
    RETURN;
  END IF;

  IF v_delay > 0 THEN
    -- The parent carries a delay: release it into the delayed set (mirrors the
    -- delay branch of moveParentToWait), scored from the release moment.
    v_process_at := p_now + v_delay;
    UPDATE job
       SET state = 'delayed', process_at_ms = v_process_at,
           seq = nextval('job_seq')
     WHERE queue = p_parent_queue AND id = p_parent_id;
    PERFORM pg_notify('bullmq_jobs', p_parent_queue);
    PERFORM publish_event(p_parent_queue, 'delayed',
      jsonb_build_object('jobId', p_parent_id, 'delay', v_process_at));
  ELSE
    -- No delay: release to wait. Priority is preserved by the row's `priority`
    -- column, so a prioritized parent stays prioritized.
    UPDATE job
       SET state = 'waiting', seq = nextval('job_seq')
     WHERE queue = p_parent_queue AND id = p_parent_id;
    PERFORM pg_notify('bullmq_jobs', p_parent_queue);
    PERFORM publish_event(p_parent_queue, 'waiting',
      jsonb_build_object('jobId', p_parent_id, 'prev', 'waiting-children'));
  END IF;
END;
$$;

CREATE FUNCTION bullmq.move_stalled_jobs_to_wait(p_queue text, p_max_stalled integer, p_now bigint, p_max_check_time bigint) RETURNS SETOF text
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_last       bigint;
  r            record;
  v_count      integer;
  v_repeatable boolean;
  v_reclaimed  boolean := false;
BEGIN
  -- Throttle: only run once per `max_check_time` window (mirrors the Redis
  -- `stalled-check` key with `PX maxCheckTime`).
  SELECT value::bigint INTO v_last
    FROM meta WHERE queue = p_queue AND field = 'stalled-check';
  IF v_last IS NOT NULL AND p_now < v_last + p_max_check_time THEN
    RETURN;
  END IF;
  INSERT INTO meta (queue, field, value)
    VALUES (p_queue, 'stalled-check', p_now::text)
    ON CONFLICT (queue, field) DO UPDATE SET value = EXCLUDED.value;

  -- Phase 1 (sweep): reclaim jobs that were marked on a PREVIOUS pass and are
  -- still active with an expired lock.
  FOR r IN
    SELECT id, scheduler_id, stalled_count
      FROM job
     WHERE queue = p_queue
       AND state = 'active'
       AND stalled_marked
       AND locked_until_ms IS NOT NULL
       AND locked_until_ms < p_now
     FOR UPDATE SKIP LOCKED
  LOOP
    v_count := r.stalled_count + 1;

    -- Scheduler jobs are recovered but never permanently failed.
    v_repeatable := r.scheduler_id IS NOT NULL AND EXISTS (
      SELECT 1 FROM scheduler
       WHERE queue = p_queue AND scheduler_id = r.scheduler_id
    );

    UPDATE job
       SET state = 'waiting',
           lock_token = NULL,
           locked_until_ms = NULL,
           stalled_marked = false,
           stalled_count = v_count,
           seq = nextval('job_seq'),
           deferred_failure = CASE
             WHEN v_count > p_max_stalled AND NOT v_repeatable
               THEN 'job stalled more than allowable limit'
             ELSE deferred_failure
           END
     WHERE queue = p_queue AND id = r.id;

    PERFORM publish_event(p_queue, 'stalled',
      jsonb_build_object('jobId', r.id));
    v_reclaimed := true;
    RETURN NEXT r.id;
  END LOOP;

  -- Clear all old marks (mirrors `DEL stalledKey`) …
  UPDATE job SET stalled_marked = false
   WHERE queue = p_queue AND stalled_marked;

  -- … then mark every currently-active job for the NEXT pass (mirrors
  -- `SADD stalledKey <active>`). Freshly-claimed jobs are therefore never
  -- reclaimed on the pass that first observes them.
  UPDATE job SET stalled_marked = true
   WHERE queue = p_queue AND state = 'active';

  -- Wake a worker for any jobs pushed back to wait.
  IF v_reclaimed THEN
    PERFORM pg_notify('bullmq_jobs', p_queue);
  END IF;
  RETURN;
END;
$$;

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE bullmq.job (
    queue text NOT NULL,
    id text NOT NULL,
    seq bigint NOT NULL,
    name text NOT NULL,
    state bullmq.job_state NOT NULL,
    data jsonb DEFAULT '{}'::jsonb NOT NULL,
    opts jsonb DEFAULT '{}'::jsonb NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    delay_ms bigint DEFAULT 0 NOT NULL,
    max_attempts integer DEFAULT 1 NOT NULL,
    attempts_made integer DEFAULT 0 NOT NULL,
    attempts_started integer DEFAULT 0 NOT NULL,
    progress jsonb,
    return_value jsonb,
    failed_reason text,
    stacktrace jsonb,
    deferred_failure text,
    processed_by text,
    added_at_ms bigint NOT NULL,
    process_at_ms bigint,
    processed_at_ms bigint,
    finished_at_ms bigint,
    lock_token text,
    locked_until_ms bigint,
    stalled_count integer DEFAULT 0 NOT NULL,
    dedup_id text,
    scheduler_id text,
    parent_queue text,
    parent_id text,
    parent_key text,
    pending_deps integer DEFAULT 0 NOT NULL,
    stalled_marked boolean DEFAULT false NOT NULL
);

CREATE FUNCTION bullmq.move_to_active(p_queue text, p_token text, p_lock_ms bigint, p_now bigint, p_name text, p_limiter_max integer, p_limiter_duration bigint) RETURNS SETOF bullmq.job
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_id       text;
  v_job      job;
  v_meta_max integer;
  v_max      integer;
  v_duration bigint;
  v_concurrency integer;
BEGIN
  -- Promote due delayed jobs first, regardless of pause. Redis promotes delayed
  -- jobs via a delay timer that routes through getTargetQueueList, so while the
  -- queue is paused they land in the paused list and still surface (counted as
  -- paused) even though they are not processed. Running this before the pause
  -- early-return reproduces that: the jobs become 'waiting' (reported as paused)
  -- but the claim/activate below is skipped.
  FOR v_id IN
    WITH promoted AS (
      UPDATE job
         SET state = 'waiting', delay_ms = 0
       WHERE queue = p_queue
         AND state = 'delayed'
         AND process_at_ms <= p_now
      RETURNING id
    )
    SELECT id FROM promoted
  LOOP
    PERFORM publish_event(p_queue, 'waiting',
      jsonb_build_object('jobId', v_id, 'prev', 'delayed'));
  END LOOP;

  IF EXISTS (
    SELECT 1 FROM meta
     WHERE queue = p_queue AND field = 'paused' AND value = '1'
  ) THEN
    RETURN;
  END IF;

  -- Global concurrency: never run more than meta.concurrency jobs active at
  -- once (mirrors isQueueMaxed). Serialized per queue with a transaction-scoped
  -- advisory lock so concurrent workers cannot all pass the check and overshoot;
  -- it releases at commit, once this claim is reflected in the active count.
  SELECT value::integer INTO v_concurrency
    FROM meta WHERE queue = p_queue AND field = 'concurrency';
  IF v_concurrency IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(hashtext('bullmq:concurrency:' || p_queue));
    IF (
      SELECT count(*) FROM job
       WHERE queue = p_queue AND state = 'active'
    ) >= v_concurrency THEN
      RETURN;
    END IF;
  END IF;

  -- Rate limit: meta `max` wins, else the worker's `limiter.max`.
  SELECT value::integer INTO v_meta_max
    FROM meta WHERE queue = p_queue AND field = 'max';
  v_max := COALESCE(v_meta_max, p_limiter_max);

  IF v_max IS NOT NULL THEN
    -- Redis evaluates moveToActive atomically on a single-threaded server, so a
    -- worker's limiter check and its token consumption can never interleave with
    -- another worker's. Postgres runs each worker's call under its own snapshot,
    -- so without serialization several concurrent workers could all read
    -- counter < max, each claim a (distinct) job, and each consume a token —
    -- overshooting the limit. A transaction-scoped advisory lock serializes the
    -- check-and-consume per queue exactly like Redis; under READ COMMITTED the
    -- effective check below then runs on a fresh snapshot that sees the token a
    -- preceding worker just committed. The lock auto-releases at statement end
    -- (this function is always called standalone) and is only taken when a
    -- limiter actually applies, so unlimited queues pay nothing.
    PERFORM pg_advisory_xact_lock(hashtext('bullmq:limiter:' || p_queue));
    IF rate_limit_effective(p_queue, p_limiter_max, p_now) > 0 THEN
      RETURN;
    END IF;
  END IF;

  SELECT id INTO v_id
    FROM job
   WHERE queue = p_queue AND state = 'waiting'
   ORDER BY priority, seq
   FOR UPDATE SKIP LOCKED
   LIMIT 1;

  IF v_id IS NULL THEN
    RETURN;
  END IF;

  -- Consume a token now that a job is actually being claimed. Duration: the
  -- worker's `limiter.duration` wins, else meta `duration`.
  IF v_max IS NOT NULL THEN
    SELECT value::bigint INTO v_duration
      FROM meta WHERE queue = p_queue AND field = 'duration';
    v_duration := COALESCE(p_limiter_duration, v_duration);
    IF v_duration IS NOT NULL THEN
      PERFORM rate_limit_consume(p_queue, v_duration, p_now);
    END IF;
  END IF;

  UPDATE job
     SET state = 'active',
         lock_token = p_token,
         locked_until_ms = p_now + p_lock_ms,
         processed_at_ms = p_now,
         processed_by = p_name,
         attempts_started = attempts_started + 1
   WHERE queue = p_queue AND id = v_id
  RETURNING * INTO v_job;

  PERFORM publish_event(p_queue, 'active',
    jsonb_build_object('jobId', v_id, 'prev', 'waiting'));

  RETURN NEXT v_job;
END;
$$;

CREATE FUNCTION bullmq.move_to_completed(p_queue text, p_id text, p_token text, p_return_value jsonb, p_finished_on bigint, p_remove_all boolean, p_keep_age bigint, p_keep_count integer) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_state job_state;
  v_lock text;
  v_pq text;
  v_pid text;
  v_dedup_id text;
  v_remaining integer;
BEGIN
  PERFORM lock_finalization_queues(p_queue, p_id);

  SELECT parent_queue, parent_id INTO v_pq, v_pid
    FROM job WHERE queue = p_queue AND id = p_id;
  IF v_pq IS NOT NULL AND v_pid IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(
      hashtext('bullmq:parent:' || v_pq || ':' || v_pid));
  END IF;

  SELECT state, lock_token, parent_queue, parent_id, dedup_id
    INTO v_state, v_lock, v_pq, v_pid, v_dedup_id
    FROM job WHERE queue = p_queue AND id = p_id FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'bullmq: missing job %', p_id USING ERRCODE = 'BM001', DETAIL = '-1';
  END IF;
  IF v_state <> 'active' THEN
    RAISE EXCEPTION 'bullmq: job % not active', p_id USING ERRCODE = 'BM001', DETAIL = '-3';
  END IF;
  IF p_token <> '0' AND v_lock IS DISTINCT FROM p_token THEN
    RAISE EXCEPTION 'bullmq: job % lock mismatch', p_id USING ERRCODE = 'BM001', DETAIL = '-6';
  END IF;

  IF EXISTS (
    SELECT 1 FROM job_dependency
     WHERE parent_queue = p_queue AND parent_id = p_id AND status = 'pending'
  ) THEN
    RAISE EXCEPTION 'bullmq: job % has pending dependencies', p_id
      USING ERRCODE = 'BM001', DETAIL = '-4';
  END IF;
  IF EXISTS (
    SELECT 1 FROM job_dependency
     WHERE parent_queue = p_queue AND parent_id = p_id AND status = 'failed'
  ) THEN
    RAISE EXCEPTION 'bullmq: job % has failed dependencies', p_id
      USING ERRCODE = 'BM001', DETAIL = '-9';
  END IF;

  UPDATE job
     SET state = 'completed',
         return_value = p_return_value,
         finished_at_ms = p_finished_on,
         lock_token = NULL,
         locked_until_ms = NULL,
         attempts_made = attempts_made + 1
   WHERE queue = p_queue AND id = p_id;

  PERFORM publish_event(p_queue, 'completed',
    jsonb_build_object('jobId', p_id, 'returnvalue',
      COALESCE(p_return_value, 'null'::jsonb)::text, 'prev', 'active'));

  IF v_pid IS NOT NULL AND v_pq IS NOT NULL THEN
    UPDATE job_dependency
       SET status = 'processed', value = p_return_value
     WHERE parent_queue = v_pq AND parent_id = v_pid
       AND child_key = p_queue || ':' || p_id;

    UPDATE job
       SET pending_deps = GREATEST(pending_deps - 1, 0)
     WHERE queue = v_pq AND id = v_pid
    RETURNING pending_deps INTO v_remaining;

    IF v_remaining = 0 THEN
      PERFORM move_parent_to_wait(v_pq, v_pid, p_finished_on);
    END IF;
  END IF;

  PERFORM apply_retention(
    p_queue, p_id, 'completed', p_finished_on, p_remove_all, p_keep_age, p_keep_count
  );

  IF v_dedup_id IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(
      hashtext('bullmq:dedup:' || p_queue || ':' || v_dedup_id));
  END IF;
  PERFORM dedup_finalize(p_queue, v_dedup_id, p_id, p_finished_on);
  PERFORM requeue_dedup_next(p_queue, v_dedup_id, p_finished_on);

  IF NOT EXISTS (
       SELECT 1 FROM job WHERE queue = p_queue AND state = 'active'
     )
     AND (
       EXISTS (
         SELECT 1 FROM meta
          WHERE queue = p_queue AND field = 'paused' AND value = '1'
       )
       OR NOT EXISTS (
         SELECT 1 FROM job WHERE queue = p_queue AND state = 'waiting'
       )
     ) THEN
    PERFORM publish_event(p_queue, 'drained', '{}'::jsonb);
  END IF;

  RETURN p_finished_on;
END;
$$;

CREATE FUNCTION bullmq.move_to_completed_fetch(p_queue text, p_id text, p_token text, p_return_value jsonb, p_finished_on bigint, p_remove_all boolean, p_keep_age bigint, p_keep_count integer, p_lock_ms bigint, p_now bigint, p_name text, p_limiter_max integer, p_limiter_duration bigint) RETURNS SETOF bullmq.job
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
BEGIN
  PERFORM move_to_completed(
    p_queue, p_id, p_token, p_return_value,
    p_finished_on, p_remove_all, p_keep_age, p_keep_count);

  RETURN QUERY SELECT * FROM move_to_active(
    p_queue, p_token, p_lock_ms, p_now, p_name, p_limiter_max, p_limiter_duration);
END;
$$;

CREATE FUNCTION bullmq.move_to_delayed(p_queue text, p_id text, p_token text, p_process_at bigint, p_delay bigint, p_skip_attempt boolean, p_failed_reason text, p_stacktrace jsonb) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_state job_state;
  v_lock  text;
BEGIN
  SELECT state, lock_token INTO v_state, v_lock
    FROM job WHERE queue = p_queue AND id = p_id FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'bullmq: missing job %', p_id USING ERRCODE = 'BM001', DETAIL = '-1';
  END IF;
  IF v_state <> 'active' THEN
    RAISE EXCEPTION 'bullmq: job % not active', p_id USING ERRCODE = 'BM001', DETAIL = '-3';
  END IF;
  IF p_token <> '0' AND v_lock IS DISTINCT FROM p_token THEN
    RAISE EXCEPTION 'bullmq: job % lock mismatch', p_id USING ERRCODE = 'BM001', DETAIL = '-6';
  END IF;

  UPDATE job
     SET state = 'delayed',
         process_at_ms = p_process_at,
         delay_ms = p_delay,
         failed_reason = COALESCE(p_failed_reason, failed_reason),
         stacktrace = COALESCE(p_stacktrace, stacktrace),
         lock_token = NULL,
         locked_until_ms = NULL,
         attempts_made = attempts_made + (CASE WHEN p_skip_attempt THEN 0 ELSE 1 END)
   WHERE queue = p_queue AND id = p_id;

  -- Announce the delay on the event stream (mirrors moveToDelayed's XADD
  -- 'delayed'); QueueEvents consumers rely on this. `delay` carries the
  -- absolute timestamp the job becomes due, matching the Redis payload.
  PERFORM publish_event(p_queue, 'delayed',
    jsonb_build_object('jobId', p_id, 'delay', p_process_at));
  PERFORM pg_notify('bullmq_jobs', p_queue);
  RETURN 1;
END;
$$;

CREATE FUNCTION bullmq.move_to_failed(p_queue text, p_id text, p_token text, p_failed_reason text, p_stacktrace jsonb, p_finished_on bigint, p_remove_all boolean, p_keep_age bigint, p_keep_count integer) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_state job_state;
  v_lock text;
  v_dedup_id text;
  v_attempts integer;
BEGIN
  PERFORM lock_finalization_queues(p_queue, p_id);

  PERFORM pg_advisory_xact_lock(
    hashtext('bullmq:parent:' || p_queue || ':' || p_id));

  SELECT state, lock_token, dedup_id INTO v_state, v_lock, v_dedup_id
    FROM job WHERE queue = p_queue AND id = p_id FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'bullmq: missing job %', p_id USING ERRCODE = 'BM001', DETAIL = '-1';
  END IF;
  IF v_state <> 'active' THEN
    RAISE EXCEPTION 'bullmq: job % not active', p_id USING ERRCODE = 'BM001', DETAIL = '-3';
  END IF;
  IF p_token <> '0' AND v_lock IS DISTINCT FROM p_token THEN
    RAISE EXCEPTION 'bullmq: job % lock mismatch', p_id USING ERRCODE = 'BM001', DETAIL = '-6';
  END IF;

  UPDATE job
     SET state = 'failed',
         failed_reason = p_failed_reason,
         stacktrace = COALESCE(p_stacktrace, stacktrace),
         finished_at_ms = p_finished_on,
         lock_token = NULL,
         locked_until_ms = NULL,
         deferred_failure = NULL,
         attempts_made = attempts_made + 1
   WHERE queue = p_queue AND id = p_id
  RETURNING attempts_made INTO v_attempts;

  PERFORM publish_event(p_queue, 'failed',
    jsonb_build_object('jobId', p_id, 'failedReason', p_failed_reason, 'prev', 'active'));
  PERFORM publish_event(p_queue, 'retries-exhausted',
    jsonb_build_object('jobId', p_id, 'attemptsMade', v_attempts));
  PERFORM handle_child_failure(p_queue, p_id, p_failed_reason, p_finished_on);
  PERFORM apply_retention(
    p_queue, p_id, 'failed', p_finished_on, p_remove_all, p_keep_age, p_keep_count
  );

  IF v_dedup_id IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(
      hashtext('bullmq:dedup:' || p_queue || ':' || v_dedup_id));
  END IF;
  PERFORM dedup_finalize(p_queue, v_dedup_id, p_id, p_finished_on);
  PERFORM requeue_dedup_next(p_queue, v_dedup_id, p_finished_on);

  IF NOT EXISTS (
       SELECT 1 FROM job WHERE queue = p_queue AND state = 'active'
     )
     AND (
       EXISTS (
         SELECT 1 FROM meta
          WHERE queue = p_queue AND field = 'paused' AND value = '1'
       )
       OR NOT EXISTS (
         SELECT 1 FROM job WHERE queue = p_queue AND state = 'waiting'
       )
     ) THEN
    PERFORM publish_event(p_queue, 'drained', '{}'::jsonb);
  END IF;

  RETURN p_finished_on;
END;
$$;

CREATE FUNCTION bullmq.move_to_failed_fetch(p_queue text, p_id text, p_token text, p_failed_reason text, p_stacktrace jsonb, p_finished_on bigint, p_remove_all boolean, p_keep_age bigint, p_keep_count integer, p_lock_ms bigint, p_now bigint, p_name text, p_limiter_max integer, p_limiter_duration bigint) RETURNS SETOF bullmq.job
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
BEGIN
  PERFORM move_to_failed(
    p_queue, p_id, p_token, p_failed_reason, p_stacktrace,
    p_finished_on, p_remove_all, p_keep_age, p_keep_count);

  RETURN QUERY SELECT * FROM move_to_active(
    p_queue, p_token, p_lock_ms, p_now, p_name, p_limiter_max, p_limiter_duration);
END;
$$;

CREATE FUNCTION bullmq.move_to_waiting_children(p_queue text, p_id text, p_token text) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_state   job_state;
  v_lock    text;
  v_pending integer;
BEGIN
  SELECT state, lock_token, pending_deps INTO v_state, v_lock, v_pending
    FROM job WHERE queue = p_queue AND id = p_id FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'bullmq: missing job %', p_id USING ERRCODE = 'BM001', DETAIL = '-1';
  END IF;
  -- A parent with a failed child (failParentOnFailure) can never complete its
  -- children step; surface it as an unrecoverable failure (mirrors the
  -- `:unsuccessful` set check in moveToWaitingChildren-7.lua).
  IF EXISTS (
    SELECT 1 FROM job_dependency
     WHERE parent_queue = p_queue AND parent_id = p_id AND status = 'failed'
  ) THEN
    RAISE EXCEPTION 'bullmq: job % has failed children', p_id
      USING ERRCODE = 'BM001', DETAIL = '-9';
  END IF;
  -- Lock check (mirrors removeLock, taken before the active-state check): a
  -- missing lock is -2, a mismatched one is -6; token '0' skips the check.
  IF p_token <> '0' THEN
    IF v_lock IS NULL THEN
      RAISE EXCEPTION 'bullmq: job % missing lock', p_id
        USING ERRCODE = 'BM001', DETAIL = '-2';
    ELSIF v_lock <> p_token THEN
      RAISE EXCEPTION 'bullmq: job % lock mismatch', p_id
        USING ERRCODE = 'BM001', DETAIL = '-6';
    END IF;
  END IF;
  IF v_state <> 'active' THEN
    RAISE EXCEPTION 'bullmq: job % not active', p_id USING ERRCODE = 'BM001', DETAIL = '-3';
  END IF;

  IF v_pending > 0 THEN
    UPDATE job
       SET state = 'waiting-children', lock_token = NULL, locked_until_ms = NULL
     WHERE queue = p_queue AND id = p_id;
    RETURN 1; -- should wait
  END IF;

  RETURN 0; -- no pending children: proceed
END;
$$;

CREATE FUNCTION bullmq.next_delay(p_queue text) RETURNS bigint
    LANGUAGE sql
    SET search_path TO 'bullmq'
    AS $$
  SELECT MIN(process_at_ms)
    FROM job
   WHERE queue = p_queue AND state = 'delayed';
$$;

CREATE FUNCTION bullmq.next_job_id(p_queue text) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_seq text := job_id_seq_name(p_queue);
BEGIN
  -- Fast path once the sequence exists: a cached catalog lookup + a lock-free
  -- `nextval`. Only the first add(s) for a queue take the creation path; the
  -- advisory lock serializes those racing first-adds so exactly one issues the
  -- DDL (and it is released the moment that add commits).
  IF to_regclass(v_seq) IS NULL THEN
    PERFORM pg_advisory_xact_lock(hashtext('bullmq:jidseq:' || p_queue));
    EXECUTE format('CREATE SEQUENCE IF NOT EXISTS %I', v_seq);
  END IF;
  RETURN nextval(v_seq::regclass)::text;
END;
$$;

CREATE FUNCTION bullmq.next_signal(p_queue text, p_limiter_max integer, p_now bigint) RETURNS TABLE(rate_limit_ttl bigint, next_delay bigint)
    LANGUAGE sql STABLE
    SET search_path TO 'bullmq'
    AS $$
  SELECT rate_limit_effective(p_queue, p_limiter_max, p_now),
         next_delay(p_queue);
$$;

CREATE FUNCTION bullmq.obliterate(p_queue text, p_count integer, p_force boolean) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_ids text[];
  v_final boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('bullmq:finalization'), hashtext(p_queue));

  IF NOT EXISTS (
    SELECT 1 FROM meta
     WHERE queue = p_queue AND field = 'paused' AND value = '1'
  ) THEN
    RETURN -1;
  END IF;

  IF NOT p_force AND EXISTS (
    SELECT 1 FROM job WHERE queue = p_queue AND state = 'active'
  ) THEN
    RETURN -2;
  END IF;

  SELECT COALESCE(array_agg(id), ARRAY[]::text[]) INTO v_ids
    FROM (
      SELECT id FROM job WHERE queue = p_queue ORDER BY id LIMIT p_count
    ) AS batch;
  v_final := cardinality(v_ids) < p_count;

  IF v_final THEN
    PERFORM dedup_id FROM dedup
     WHERE queue = p_queue
     ORDER BY dedup_id
     FOR UPDATE;
  ELSE
    PERFORM dedup_id FROM dedup
     WHERE queue = p_queue AND job_id = ANY(v_ids)
     ORDER BY dedup_id
     FOR UPDATE;
  END IF;

  DELETE FROM job WHERE queue = p_queue AND id = ANY(v_ids);

  IF NOT v_final THEN
    RETURN 1;
  END IF;

  DELETE FROM scheduler  WHERE queue = p_queue;
  DELETE FROM rate_limit WHERE queue = p_queue;
  DELETE FROM event      WHERE queue = p_queue;
  DELETE FROM metrics    WHERE queue = p_queue;
  DELETE FROM dedup      WHERE queue = p_queue;
  DELETE FROM dedup_next WHERE queue = p_queue;
  DELETE FROM meta       WHERE queue = p_queue;
  EXECUTE format(
    'DROP SEQUENCE IF EXISTS %I', job_id_seq_name(p_queue));
  RETURN 0;
END;
$$;

CREATE FUNCTION bullmq.pause(p_queue text, p_paused boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
BEGIN
  IF p_paused THEN
    INSERT INTO meta (queue, field, value)
    VALUES (p_queue, 'paused', '1')
    ON CONFLICT (queue, field) DO UPDATE SET value = '1';
  ELSE
    -- Resume mirrors Redis `HDEL meta paused`: the field is removed entirely,
    -- so `isPaused` (hasQueueMetaField 'paused') reports false rather than
    -- finding a lingering '0'.
    DELETE FROM meta WHERE queue = p_queue AND field = 'paused';

    -- Wake any worker blocked in waitForJob (LISTEN bullmq_jobs): jobs that were
    -- unclaimable only because the queue was paused are now claimable, but no
    -- `add` (which would notify) is involved. Without this the worker sleeps
    -- until its drainDelay times out. The Redis backend wakes the blocking
    -- fetch via a marker on resume; this is the LISTEN/NOTIFY analogue.
    PERFORM pg_notify('bullmq_jobs', p_queue);
  END IF;

  PERFORM publish_event(
    p_queue, CASE WHEN p_paused THEN 'paused' ELSE 'resumed' END, '{}'::jsonb
  );
END;
$$;

CREATE FUNCTION bullmq.promote(p_queue text, p_id text) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_state job_state;
BEGIN
  SELECT state INTO v_state FROM job WHERE queue = p_queue AND id = p_id;
  IF NOT FOUND THEN
    RETURN -1;
  END IF;
  IF v_state <> 'delayed' THEN
    RETURN -3;
  END IF;

  UPDATE job
     SET state = 'waiting',
         process_at_ms = NULL,
         delay_ms = 0,
         seq = nextval('job_seq')
   WHERE queue = p_queue AND id = p_id;

  PERFORM pg_notify('bullmq_jobs', p_queue);
  PERFORM publish_event(p_queue, 'waiting',
    jsonb_build_object('jobId', p_id, 'prev', 'delayed'));
  RETURN 0;
END;
$$;

CREATE FUNCTION bullmq.promote_jobs(p_queue text, p_count integer) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_moved integer;
BEGIN
  WITH batch AS (
    SELECT id FROM job
     WHERE queue = p_queue AND state = 'delayed'
     ORDER BY process_at_ms
     LIMIT p_count
  )
  UPDATE job j
     SET state = 'waiting', process_at_ms = NULL, seq = nextval('job_seq')
    FROM batch
   WHERE j.queue = p_queue AND j.id = batch.id;

  GET DIAGNOSTICS v_moved = ROW_COUNT;
  IF v_moved > 0 THEN
    PERFORM pg_notify('bullmq_jobs', p_queue);
  END IF;
  RETURN v_moved;
END;
$$;

CREATE FUNCTION bullmq.publish_event(p_queue text, p_event text, p_data jsonb) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_id      bigint;
  v_max     integer;
BEGIN
  INSERT INTO event (queue, event, data, created_at_ms)
  VALUES (
    p_queue, p_event, COALESCE(p_data, '{}'::jsonb),
    (extract(epoch FROM clock_timestamp()) * 1000)::bigint
  )
  RETURNING id INTO v_id;

  -- Wake event consumers — but coalesce the wakeup under concurrency. Postgres
  -- serializes *every* transaction that issues NOTIFY on a single database-wide
  -- lock at commit (to deliver notifications in commit order), so a NOTIFY on
  -- each of N concurrent workers' commits forces them single-file through that
  -- lock — the dominant processing bottleneck under load (and it caps throughput
  -- across *all* queues and processes, since the lock is global).
  --
  -- A per-queue, transaction-scoped try-lock collapses that: only one committer
  -- per queue actually issues the NOTIFY at a time; concurrent committers skip
  -- it. Skipping is safe because a consumer reads *all* pending events by cursor
  -- on any wake (see readEvents/waitForEvent), and waitForEvent also polls on a
  -- timeout — so a skipped wakeup only defers to the next committer's NOTIFY,
  -- and as concurrency winds down the final committer is uncontended and always
  -- fires. Under low concurrency (e.g. tests) the lock is always free, so every
  -- event notifies exactly as before.
  IF pg_try_advisory_xact_lock(hashtext('bullmq:evnotify:' || p_queue)) THEN
    PERFORM pg_notify('bullmq_events', p_queue);
  END IF;

  SELECT value::integer INTO v_max
    FROM meta
   WHERE queue = p_queue AND field = 'opts.maxLenEvents';
  IF v_max IS NULL THEN
    v_max := 10000;
  END IF;

  -- Trim to (approximately) the most recent `v_max` events. `event.id`
  -- comes from a monotonic sequence, so the cutoff is simply `id - v_max` — an
  -- O(number-of-deleted-rows) DELETE.
  --
  -- Trimming is *chunked*, not per-publish: only every 256th event even attempts
  -- it. Redis's `XADD MAXLEN ~` likewise trims a whole macro-node at a time
  -- rather than on every add — trimming eagerly turns a bulk/concurrent insert
  -- into a stream of DELETEs that contend (and previously deadlocked) with the
  -- concurrent INSERTs on `event`. At 1/256 the table stays within
  -- `v_max + 256`, which is well inside the "approximate" contract. A
  -- non-blocking, per-queue advisory lock further ensures at most one trimmer
  -- per queue at a time; publishers that miss it simply skip (the next one
  -- covers the same rows).
  IF v_max > 0 AND v_id > v_max AND (v_id % 256) = 0 THEN
    IF pg_try_advisory_xact_lock(hashtext('bullmq:evtrim:' || p_queue)) THEN
      DELETE FROM event
       WHERE queue = p_queue AND id <= v_id - v_max;
    END IF;
  END IF;

  RETURN v_id;
END;
$$;

CREATE FUNCTION bullmq.rate_limit_consume(p_queue text, p_duration bigint, p_now bigint) RETURNS void
    LANGUAGE sql
    SET search_path TO 'bullmq'
    AS $$
  INSERT INTO rate_limit (queue, points, expire_at_ms)
    VALUES (p_queue, 1, p_now + p_duration)
  ON CONFLICT (queue) DO UPDATE SET
    points = CASE WHEN rate_limit.expire_at_ms <= p_now
                  THEN 1 ELSE rate_limit.points + 1 END,
    expire_at_ms = CASE WHEN rate_limit.expire_at_ms <= p_now
                        THEN p_now + p_duration
                        ELSE rate_limit.expire_at_ms END;
$$;

CREATE FUNCTION bullmq.rate_limit_effective(p_queue text, p_limiter_max integer, p_now bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_meta_max integer;
  v_max      integer;
  v_points   bigint;
  v_expire   bigint;
BEGIN
  SELECT value::integer INTO v_meta_max
    FROM meta WHERE queue = p_queue AND field = 'max';
  v_max := COALESCE(v_meta_max, p_limiter_max);
  IF v_max IS NULL THEN
    RETURN 0;
  END IF;

  SELECT points, expire_at_ms INTO v_points, v_expire
    FROM rate_limit WHERE queue = p_queue;
  IF v_expire IS NULL OR v_expire <= p_now THEN
    RETURN 0;
  END IF;
  IF v_max <= v_points THEN
    RETURN v_expire - p_now;
  END IF;
  RETURN 0;
END;
$$;

CREATE FUNCTION bullmq.rate_limit_ttl(p_queue text, p_max_jobs integer, p_now bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_points  bigint;
  v_expire  bigint;
  v_active  boolean;
  v_counter bigint;
  v_pttl    bigint;
  v_max     integer;
BEGIN
  SELECT points, expire_at_ms INTO v_points, v_expire
    FROM rate_limit WHERE queue = p_queue;
  v_active  := v_expire IS NOT NULL AND v_expire > p_now;
  v_counter := CASE WHEN v_active THEN v_points ELSE 0 END;
  v_pttl    := CASE WHEN v_active THEN v_expire - p_now ELSE -2 END;

  IF p_max_jobs IS NOT NULL AND p_max_jobs > 0 THEN
    IF p_max_jobs <= v_counter AND v_pttl > 0 THEN
      RETURN v_pttl;
    END IF;
    RETURN 0;
  END IF;

  SELECT value::integer INTO v_max
    FROM meta WHERE queue = p_queue AND field = 'max';
  IF v_max IS NOT NULL THEN
    IF v_max <= v_counter AND v_pttl > 0 THEN
      RETURN v_pttl;
    END IF;
    RETURN 0;
  END IF;

  RETURN v_pttl;
END;
$$;

CREATE FUNCTION bullmq.relay_delete_retained(p_ns text, p_topic text) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF relay_parse_topic(p_topic, false) IS NULL THEN
    RAISE EXCEPTION 'bullmq: relay invalid topic %', p_topic
      USING ERRCODE = 'BM001', DETAIL = '-1';
  END IF;
  -- Same lock as publishes and exact subscriptions of the topic.
  PERFORM pg_advisory_xact_lock(hashtext(p_ns), hashtext(p_topic));
  DELETE FROM relay_retained
   WHERE ns = p_ns AND topic = p_topic
     AND expires_at >= clock_timestamp();
  RETURN FOUND;
END;
$$;

CREATE FUNCTION bullmq.relay_get_counts(p_ns text) RETURNS TABLE(nodes integer, subscriptions integer, patterns integer, retained integer)
    LANGUAGE sql STABLE
    AS $$
  SELECT
    (SELECT count(*)::integer FROM relay_node WHERE ns = p_ns),
    (SELECT count(*)::integer FROM relay_subscription WHERE ns = p_ns),
    (SELECT count(DISTINCT pattern)::integer
       FROM relay_subscription WHERE ns = p_ns),
    (SELECT count(*)::integer FROM relay_retained
      WHERE ns = p_ns AND expires_at > clock_timestamp());
$$;

CREATE FUNCTION bullmq.relay_get_namespaces() RETURNS SETOF text
    LANGUAGE sql STABLE
    AS $$
  SELECT u.ns FROM (
    SELECT ns FROM relay_node WHERE lease_until > clock_timestamp()
    UNION
    SELECT ns FROM relay_retained WHERE expires_at > clock_timestamp()
  ) u
  ORDER BY u.ns COLLATE "C";
$$;

CREATE FUNCTION bullmq.relay_get_nodes(p_ns text, p_start integer, p_end integer) RETURNS TABLE(node_id text, registered_at bigint, lease_until bigint, info jsonb, last_heartbeat bigint, backlog integer, dropped bigint, subscriptions integer)
    LANGUAGE sql STABLE
    AS $$
  SELECT n.node_id, relay_ms(n.registered_at), relay_ms(n.lease_until),
         CASE WHEN n.lease_until > clock_timestamp() THEN n.info END,
         CASE WHEN n.lease_until > clock_timestamp()
              THEN relay_ms(n.last_heartbeat) END,
         CASE WHEN n.lease_until > clock_timestamp() THEN n.backlog ELSE 0 END,
         CASE WHEN n.lease_until > clock_timestamp() THEN n.dropped ELSE 0 END,
         (SELECT count(*)::integer FROM relay_subscription s
           WHERE s.ns = n.ns AND s.node_id = n.node_id)
    FROM relay_node n
   WHERE n.ns = p_ns
   ORDER BY n.registered_at, n.node_id COLLATE "C"
  OFFSET p_start
   LIMIT relay_page_limit(p_start, p_end);
$$;

CREATE FUNCTION bullmq.relay_get_patterns(p_ns text, p_start integer, p_end integer) RETURNS TABLE(pattern text, subscriptions integer)
    LANGUAGE sql STABLE
    AS $$
  SELECT s.pattern, count(*)::integer
    FROM relay_subscription s
   WHERE s.ns = p_ns
   GROUP BY s.pattern
   ORDER BY s.pattern COLLATE "C"
  OFFSET p_start
   LIMIT relay_page_limit(p_start, p_end);
$$;

CREATE FUNCTION bullmq.relay_get_retained(p_ns text, p_start integer, p_end integer) RETURNS TABLE(topic text, expires_at bigint, mid bigint, ts bigint, data text)
    LANGUAGE sql STABLE
    AS $$
  SELECT r.topic, relay_ms(r.expires_at), r.mid, r.ts, r.data
    FROM relay_retained r
   WHERE r.ns = p_ns AND r.expires_at > clock_timestamp()
   ORDER BY r.expires_at, r.topic COLLATE "C"
  OFFSET p_start
   LIMIT relay_page_limit(p_start, p_end);
$$;

CREATE FUNCTION bullmq.relay_get_subscriptions(p_ns text, p_node text, p_pattern text, p_start integer, p_end integer) RETURNS TABLE(node_id text, endpoint_id text, pattern text)
    LANGUAGE sql STABLE
    AS $$
  SELECT s.node_id, s.endpoint_id, s.pattern
    FROM relay_subscription s
   WHERE s.ns = p_ns
     AND (p_node IS NULL OR s.node_id = p_node)
     AND (p_pattern IS NULL OR s.pattern = p_pattern)
   ORDER BY (CASE
              WHEN p_node IS NOT NULL THEN s.endpoint_id || '|' || s.pattern
              WHEN p_pattern IS NOT NULL THEN s.node_id || '|' || s.endpoint_id
              ELSE s.node_id || '|' || s.endpoint_id || '|' || s.pattern
            END) COLLATE "C"
  OFFSET p_start
   LIMIT relay_page_limit(p_start, p_end);
$$;

CREATE FUNCTION bullmq.relay_heartbeat(p_ns text, p_node text, p_lease_ms bigint) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
  UPDATE relay_node
     SET lease_until = clock_timestamp() + p_lease_ms * interval '1 millisecond',
         last_heartbeat = clock_timestamp()
   WHERE ns = p_ns AND node_id = p_node
     AND lease_until > clock_timestamp();
  RETURN FOUND;
END;
$$;

CREATE FUNCTION bullmq.relay_is_valid_id(p_id text) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $_$
  SELECT p_id IS NOT NULL AND p_id ~ '^[A-Za-z0-9_-]{1,64}$';
$_$;

CREATE FUNCTION bullmq.relay_match_topic(p_pattern text[], p_topic text[]) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $$
DECLARE
  v_topic_count integer := cardinality(p_topic);
  v_pattern_count integer := cardinality(p_pattern);
BEGIN
  FOR i IN 1..v_pattern_count LOOP
    IF p_pattern[i] = '>' THEN
      RETURN v_topic_count >= i;
    END IF;
    IF i > v_topic_count THEN
      RETURN false;
    END IF;
    IF p_pattern[i] <> '*' AND p_pattern[i] <> p_topic[i] THEN
      RETURN false;
    END IF;
  END LOOP;
  RETURN v_pattern_count = v_topic_count;
END;
$$;

CREATE FUNCTION bullmq.relay_ms(p_time timestamp with time zone) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
  SELECT floor(extract(epoch FROM p_time) * 1000)::bigint;
$$;

CREATE FUNCTION bullmq.relay_page_limit(p_start integer, p_end integer) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT CASE WHEN p_end < 0 THEN NULL ELSE greatest(p_end - p_start + 1, 0) END;
$$;

CREATE FUNCTION bullmq.relay_parse_topic(p_value text, p_allow_wildcards boolean) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
DECLARE
  v_segments text[];
  v_count integer;
  v_segment text;
BEGIN
  IF p_value IS NULL OR octet_length(p_value) = 0
     OR octet_length(p_value) > 512 THEN
    RETURN NULL;
  END IF;
  v_segments := string_to_array(p_value, '.');
  v_count := cardinality(v_segments);
  IF v_count > 16 THEN
    RETURN NULL;
  END IF;
  FOR i IN 1..v_count LOOP
    v_segment := v_segments[i];
    IF p_allow_wildcards AND v_segment = '*' THEN
      CONTINUE;
    END IF;
    IF p_allow_wildcards AND v_segment = '>' THEN
      IF i <> v_count THEN
        RETURN NULL;
      END IF;
      CONTINUE;
    END IF;
    IF v_segment !~ '^[A-Za-z0-9_:%-]+$' THEN
      RETURN NULL;
    END IF;
  END LOOP;
  RETURN v_segments;
END;
$_$;

CREATE FUNCTION bullmq.relay_publish(p_ns text, p_topic text, p_data text, p_ts bigint, p_retain_ms bigint, p_max_size integer) RETURNS TABLE(message_id bigint, node_count integer, endpoint_count integer)
    LANGUAGE plpgsql
    AS $$
DECLARE
  v_segments text[];
  v_row record;
BEGIN
  v_segments := relay_parse_topic(p_topic, false);
  IF v_segments IS NULL THEN
    RAISE EXCEPTION 'bullmq: relay invalid topic %', p_topic
      USING ERRCODE = 'BM001', DETAIL = '-1';
  END IF;
  IF octet_length(p_data) > p_max_size THEN
    RAISE EXCEPTION 'bullmq: relay data too large'
      USING ERRCODE = 'BM001', DETAIL = '-4';
  END IF;

  -- See relay_subscribe.
  PERFORM pg_advisory_xact_lock(hashtext(p_ns), hashtext(p_topic));
  message_id := nextval('relay_mid_seq');
  node_count := 0;
  endpoint_count := 0;

  IF p_retain_ms > 0 THEN
    INSERT INTO relay_retained (ns, topic, mid, ts, data, expires_at)
    VALUES (
      p_ns, p_topic, message_id, p_ts, p_data,
      clock_timestamp() + p_retain_ms * interval '1 millisecond'
    )
    ON CONFLICT (ns, topic) DO UPDATE
      SET mid = EXCLUDED.mid, ts = EXCLUDED.ts, data = EXCLUDED.data,
          expires_at = EXCLUDED.expires_at;
  END IF;

  FOR v_row IN
    WITH matched AS (
      -- Exact subscriptions: a primary-key lookup, whatever their number.
      SELECT s.node_id, s.endpoint_id
        FROM relay_subscription s
       WHERE s.ns = p_ns AND s.pattern = p_topic
      UNION ALL
      -- Wildcard subscriptions: only those indexed under the topic's first
      -- segment (or a wildcard root) are matched one by one.
      SELECT s.node_id, s.endpoint_id
        FROM relay_subscription s
       WHERE s.ns = p_ns
         AND s.root IN (v_segments[1], '*')
         AND relay_match_topic(string_to_array(s.pattern, '.'), v_segments)
    ), live AS (
      -- Locks the target nodes so a concurrent sweep can't delete them before
      -- their inbox rows are inserted (the sweep skips locked nodes; a node it
      -- deleted first is simply not returned here).
      SELECT n.node_id
        FROM relay_node n
       WHERE n.ns = p_ns
         AND n.node_id IN (SELECT matched.node_id FROM matched)
         AND n.lease_until >= clock_timestamp()
         FOR KEY SHARE
    )
    INSERT INTO relay_inbox (ns, node_id, kind, topic, mid, ts, data, endpoints)
    SELECT p_ns, m.node_id, 'msg', p_topic, message_id, p_ts, p_data,
           array_agg(DISTINCT m.endpoint_id ORDER BY m.endpoint_id)
      FROM matched m
      JOIN live l ON l.node_id = m.node_id
     GROUP BY m.node_id
    RETURNING relay_inbox.node_id AS node_id,
              cardinality(relay_inbox.endpoints) AS endpoint_total
  LOOP
    node_count := node_count + 1;
    endpoint_count := endpoint_count + v_row.endpoint_total;
    PERFORM pg_notify('bullmq_relay', p_ns || ':' || v_row.node_id);
  END LOOP;

  RETURN NEXT;
END;
$$;

CREATE TABLE bullmq.relay_inbox (
    id bigint NOT NULL,
    ns text NOT NULL,
    node_id text NOT NULL,
    kind text NOT NULL,
    topic text NOT NULL,
    mid bigint NOT NULL,
    ts bigint NOT NULL,
    data text NOT NULL,
    endpoints text[] NOT NULL
);

CREATE FUNCTION bullmq.relay_read_inbox(p_ns text, p_node text, p_ack bigint[], p_limit integer) RETURNS SETOF bullmq.relay_inbox
    LANGUAGE plpgsql
    AS $$
DECLARE
  v_rows relay_inbox[];
BEGIN
  -- Lock the node before its inbox rows, as relay_trim_inbox does.
  PERFORM 1 FROM relay_node
    WHERE ns = p_ns AND node_id = p_node
    FOR NO KEY UPDATE;
  IF cardinality(p_ack) > 0 THEN
    DELETE FROM relay_inbox
     WHERE ns = p_ns AND node_id = p_node AND id = ANY (p_ack);
  END IF;
  SELECT coalesce(array_agg(b ORDER BY b.id), '{}') INTO v_rows
    FROM (
      SELECT i.*
        FROM relay_inbox i
       WHERE i.ns = p_ns AND i.node_id = p_node
         AND EXISTS (
           SELECT 1
             FROM relay_node n
            WHERE n.ns = p_ns AND n.node_id = p_node
              AND n.lease_until > clock_timestamp()
         )
       ORDER BY i.id
       LIMIT p_limit
    ) b;
  UPDATE relay_node
     SET in_flight = ARRAY(SELECT r.id FROM unnest(v_rows) r)
   WHERE ns = p_ns AND node_id = p_node;
  RETURN QUERY SELECT r.* FROM unnest(v_rows) r ORDER BY r.id;
END;
$$;

CREATE FUNCTION bullmq.relay_register_node(p_ns text, p_node text, p_lease_ms bigint, p_info jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF NOT relay_is_valid_id(p_node) THEN
    RAISE EXCEPTION 'bullmq: relay invalid node id %', p_node
      USING ERRCODE = 'BM001', DETAIL = '-5';
  END IF;
  DELETE FROM relay_node
   WHERE ns = p_ns AND node_id = p_node
     AND lease_until <= clock_timestamp();
  INSERT INTO relay_node (ns, node_id, lease_until, last_heartbeat, info)
  VALUES (
    p_ns, p_node, clock_timestamp() + p_lease_ms * interval '1 millisecond',
    clock_timestamp(), p_info
  )
  ON CONFLICT (ns, node_id)
  DO UPDATE SET lease_until = EXCLUDED.lease_until,
                last_heartbeat = EXCLUDED.last_heartbeat,
                info = EXCLUDED.info;
END;
$$;

CREATE FUNCTION bullmq.relay_remove_endpoint(p_ns text, p_node text, p_endpoint text) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  v_count integer;
BEGIN
  WITH removed AS (
    DELETE FROM relay_subscription
     WHERE ns = p_ns AND node_id = p_node AND endpoint_id = p_endpoint
    RETURNING 1
  )
  SELECT count(*) INTO v_count FROM removed;
  RETURN v_count;
END;
$$;

CREATE FUNCTION bullmq.relay_subscribe(p_ns text, p_node text, p_endpoint text, p_pattern text) RETURNS TABLE(added boolean, retained_mid bigint, retained_ts bigint, retained_data text)
    LANGUAGE plpgsql
    AS $$
DECLARE
  v_segments text[];
  v_has_wildcards boolean;
BEGIN
  IF NOT relay_is_valid_id(p_node) OR NOT relay_is_valid_id(p_endpoint) THEN
    RAISE EXCEPTION 'bullmq: relay invalid id'
      USING ERRCODE = 'BM001', DETAIL = '-5';
  END IF;
  v_segments := relay_parse_topic(p_pattern, true);
  IF v_segments IS NULL THEN
    RAISE EXCEPTION 'bullmq: relay invalid pattern %', p_pattern
      USING ERRCODE = 'BM001', DETAIL = '-2';
  END IF;
  v_has_wildcards := '*' = ANY (v_segments) OR '>' = ANY (v_segments);
  IF NOT v_has_wildcards THEN
    PERFORM pg_advisory_xact_lock(hashtext(p_ns), hashtext(p_pattern));
  END IF;

  -- Keep the live node registered until its subscription is stored.
  PERFORM 1 FROM relay_node
    WHERE ns = p_ns AND node_id = p_node
      AND lease_until > clock_timestamp()
    FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'bullmq: relay node % not registered', p_node
      USING ERRCODE = 'BM001', DETAIL = '-3';
  END IF;

  INSERT INTO relay_subscription (ns, node_id, endpoint_id, pattern, root)
  VALUES (
    p_ns, p_node, p_endpoint, p_pattern,
    CASE
      WHEN NOT v_has_wildcards THEN NULL
      WHEN v_segments[1] IN ('*', '>') THEN '*'
      ELSE v_segments[1]
    END
  )
  ON CONFLICT DO NOTHING;
  added := FOUND;

  IF NOT v_has_wildcards THEN
    SELECT r.mid, r.ts, r.data
      INTO retained_mid, retained_ts, retained_data
      FROM relay_retained r
     WHERE r.ns = p_ns AND r.topic = p_pattern
       AND r.expires_at >= clock_timestamp();
  END IF;
  RETURN NEXT;
END;
$$;

CREATE FUNCTION bullmq.relay_sweep(p_ns text, p_limit integer) RETURNS SETOF text
    LANGUAGE plpgsql
    AS $$
BEGIN
  WITH expired AS (
    SELECT r.ns, r.topic
      FROM relay_retained r
     WHERE r.expires_at < statement_timestamp()
     ORDER BY r.expires_at
     LIMIT p_limit
       FOR UPDATE SKIP LOCKED
  )
  DELETE FROM relay_retained r
   USING expired e
   WHERE r.ns = e.ns AND r.topic = e.topic;

  RETURN QUERY
    WITH expired AS (
      SELECT n.ns, n.node_id
        FROM relay_node n
       WHERE n.lease_until < clock_timestamp()
       ORDER BY n.lease_until
       LIMIT p_limit
         FOR UPDATE SKIP LOCKED
    ), removed AS (
      DELETE FROM relay_node n
       USING expired e
       WHERE n.ns = e.ns AND n.node_id = e.node_id
      RETURNING n.ns, n.node_id
    )
    SELECT removed.node_id FROM removed WHERE removed.ns = p_ns;
END;
$$;

CREATE FUNCTION bullmq.relay_trim_inbox(p_ns text, p_node text, p_ack bigint[], p_max_len integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  v_oldest_kept bigint;
  v_dropped integer := 0;
  v_count integer;
  v_in_flight bigint[];
BEGIN
  -- Lock the node before its inbox rows, in the same order as unregistering
  -- and sweeping (which delete the node, then cascade to its inbox).
  SELECT in_flight INTO v_in_flight FROM relay_node
    WHERE ns = p_ns AND node_id = p_node
    FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;

  IF cardinality(p_ack) > 0 THEN
    DELETE FROM relay_inbox
     WHERE ns = p_ns AND node_id = p_node AND id = ANY (p_ack);
  END IF;

  SELECT id INTO v_oldest_kept
    FROM relay_inbox
   WHERE ns = p_ns AND node_id = p_node
   ORDER BY id DESC
  OFFSET p_max_len - 1
   LIMIT 1;
  IF v_oldest_kept IS NOT NULL THEN
    WITH removed AS (
      DELETE FROM relay_inbox
       WHERE ns = p_ns AND node_id = p_node AND id < v_oldest_kept
      RETURNING id
    )
    SELECT count(*)::integer INTO v_dropped
      FROM removed
     WHERE removed.id <> ALL (v_in_flight);
  END IF;

  SELECT count(*)::integer INTO v_count
    FROM relay_inbox
   WHERE ns = p_ns AND node_id = p_node;
  UPDATE relay_node
     SET backlog = v_count, dropped = dropped + v_dropped
   WHERE ns = p_ns AND node_id = p_node;
  RETURN v_count;
END;
$$;

CREATE FUNCTION bullmq.relay_unregister_node(p_ns text, p_node text) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM relay_node WHERE ns = p_ns AND node_id = p_node;
  RETURN FOUND;
END;
$$;

CREATE FUNCTION bullmq.remove(p_queue text, p_id text, p_remove_children boolean) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_found     boolean := false;
  v_scheduler text;
  v_pq        text;
  v_pid       text;
  v_locked    boolean;
  v_remaining integer;
  v_deleted   integer := 0;
  v_now       bigint := (extract(epoch from clock_timestamp()) * 1000)::bigint;
  r           RECORD;
BEGIN
  SELECT true, scheduler_id, parent_queue, parent_id
    INTO v_found, v_scheduler, v_pq, v_pid
    FROM job WHERE queue = p_queue AND id = p_id;

  IF NOT COALESCE(v_found, false) THEN
    RETURN 0;
  END IF;

  IF v_scheduler IS NOT NULL THEN
    RAISE EXCEPTION 'job belongs to a scheduler'
      USING ERRCODE = 'BM001', DETAIL = '-8';
  END IF;

  -- Lock check. A job cannot be removed while it is locked; with removeChildren
  -- the check recurses through still-pending descendants (mirrors isLocked()).
  IF p_remove_children THEN
    WITH RECURSIVE subtree AS (
      SELECT p_queue AS q, p_id AS id
      UNION
      SELECT d.child_queue, d.child_id
        FROM subtree s
        JOIN job_dependency d
          ON d.parent_queue = s.q AND d.parent_id = s.id
         AND d.status = 'pending'
    )
    SELECT EXISTS (
      SELECT 1 FROM subtree s
       JOIN job j ON j.queue = s.q AND j.id = s.id
      WHERE j.lock_token IS NOT NULL AND j.locked_until_ms > v_now
    ) INTO v_locked;
  ELSE
    SELECT lock_token IS NOT NULL AND locked_until_ms > v_now INTO v_locked
      FROM job WHERE queue = p_queue AND id = p_id;
  END IF;

  IF v_locked THEN
    RETURN 0;
  END IF;

  -- Detach the removed root from its parent's pending dependency set; if that
  -- clears the parent's last pending dependency, promote it to wait. Only
  -- pending links matter (a processed/failed child was already accounted for).
  IF v_pq IS NOT NULL AND v_pid IS NOT NULL THEN
    DELETE FROM job_dependency
     WHERE parent_queue = v_pq AND parent_id = v_pid
       AND child_key = p_queue || ':' || p_id
       AND status = 'pending';
    IF FOUND THEN
      UPDATE job SET pending_deps = GREATEST(pending_deps - 1, 0)
       WHERE queue = v_pq AND id = v_pid
      RETURNING pending_deps INTO v_remaining;
      IF v_remaining = 0 THEN
        PERFORM move_parent_to_wait(v_pq, v_pid, v_now);
      END IF;
    END IF;
  END IF;

  IF p_remove_children THEN
    -- Delete the whole subtree (root + descendants via parent_queue/parent_id).
    FOR r IN
      WITH RECURSIVE subtree AS (
        SELECT p_queue AS q, p_id AS id, dedup_id AS dd
          FROM job WHERE queue = p_queue AND id = p_id
        UNION
        SELECT j.queue, j.id, j.dedup_id
          FROM subtree s
          JOIN job j ON j.parent_queue = s.q AND j.parent_id = s.id
      )
      SELECT q, id, dd FROM subtree
    LOOP
      PERFORM dedup_on_removal(r.q, r.id, r.dd);
      DELETE FROM job WHERE queue = r.q AND id = r.id;
      v_deleted := v_deleted + 1;
    END LOOP;
  ELSE
    PERFORM dedup_on_removal(
      p_queue, p_id,
      (SELECT dedup_id FROM job WHERE queue = p_queue AND id = p_id));
    DELETE FROM job WHERE queue = p_queue AND id = p_id;
    GET DIAGNOSTICS v_deleted = ROW_COUNT;
  END IF;

  RETURN v_deleted;
END;
$$;

CREATE FUNCTION bullmq.remove_child_dependency(p_queue text, p_id text, p_parent_key text, p_now bigint) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_pq        text;
  v_pid       text;
  v_deleted   integer;
  v_remaining integer;
BEGIN
  SELECT parent_queue, parent_id INTO v_pq, v_pid
    FROM job WHERE queue = p_queue AND id = p_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'bullmq: missing job %', p_id
      USING ERRCODE = 'BM001', DETAIL = '-1';
  END IF;
  IF v_pq IS NULL OR v_pid IS NULL THEN
    RETURN 1; -- no relationship
  END IF;
  IF NOT EXISTS (
    SELECT 1 FROM job WHERE queue = v_pq AND id = v_pid
  ) THEN
    RAISE EXCEPTION 'bullmq: missing parent %', p_parent_key
      USING ERRCODE = 'BM001', DETAIL = '-5';
  END IF;

  DELETE FROM job_dependency
   WHERE parent_queue = v_pq AND parent_id = v_pid
     AND child_key = p_queue || ':' || p_id;
  GET DIAGNOSTICS v_deleted = ROW_COUNT;
  IF v_deleted = 0 THEN
    RETURN 1;
  END IF;

  -- Detach the child and release the parent if it has no more pending deps.
  UPDATE job
     SET parent_queue = NULL, parent_id = NULL, parent_key = NULL
   WHERE queue = p_queue AND id = p_id;
  -- Serialize with concurrent child resolutions of the same parent (see
  -- move_to_completed) to avoid a pending_deps deadlock.
  PERFORM pg_advisory_xact_lock(
    hashtext('bullmq:parent:' || v_pq || ':' || v_pid));
  UPDATE job SET pending_deps = GREATEST(pending_deps - 1, 0)
   WHERE queue = v_pq AND id = v_pid
  RETURNING pending_deps INTO v_remaining;
  IF v_remaining = 0 THEN
    PERFORM move_parent_to_wait(v_pq, v_pid, p_now);
  END IF;
  RETURN 0;
END;
$$;

CREATE FUNCTION bullmq.remove_job_scheduler(p_queue text, p_scheduler_id text) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_next    bigint;
  v_jobid   text;
  v_removed integer;
BEGIN
  -- Remove only the scheduler's *next* programmed job, and only while it is
  -- still delayed (mirrors removeJobScheduler-3.lua, which ZREMs the id
  -- `repeat:<id>:<next_run_ms>` from the delayed set). A job that has already
  -- been promoted (waiting/active/…) or processed survives — that surviving
  -- job is what later collides with a re-created scheduler to emit
  -- 'duplicated'. Deleting every delayed/waiting job of the scheduler would
  -- wrongly reap the promoted job.
  SELECT next_run_ms INTO v_next
    FROM scheduler
   WHERE queue = p_queue AND scheduler_id = p_scheduler_id;

  IF v_next IS NOT NULL THEN
    v_jobid := 'repeat:' || p_scheduler_id || ':' || v_next;
    DELETE FROM job
     WHERE queue = p_queue AND id = v_jobid AND state = 'delayed';
    IF FOUND THEN
      PERFORM publish_event(p_queue, 'removed',
        jsonb_build_object('jobId', v_jobid, 'prev', 'delayed'));
    END IF;
  END IF;

  DELETE FROM scheduler
   WHERE queue = p_queue AND scheduler_id = p_scheduler_id;
  GET DIAGNOSTICS v_removed = ROW_COUNT;
  RETURN CASE WHEN v_removed > 0 THEN 0 ELSE 1 END;
END;
$$;

CREATE FUNCTION bullmq.remove_unprocessed_children(p_queue text, p_id text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  r RECORD;
BEGIN
  FOR r IN
    WITH RECURSIVE subtree AS (
      SELECT j.queue AS q, j.id AS id
        FROM job_dependency d
        JOIN job j ON j.queue = d.child_queue AND j.id = d.child_id
       WHERE d.parent_queue = p_queue AND d.parent_id = p_id
         AND d.status = 'pending'
         AND j.state NOT IN ('active', 'failed', 'completed')
         AND j.lock_token IS NULL
      UNION
      SELECT j.queue, j.id
        FROM subtree s
        JOIN job_dependency d
          ON d.parent_queue = s.q AND d.parent_id = s.id AND d.status = 'pending'
        JOIN job j ON j.queue = d.child_queue AND j.id = d.child_id
       WHERE j.state NOT IN ('active', 'failed', 'completed')
         AND j.lock_token IS NULL
    )
    SELECT q, id FROM subtree
  LOOP
    -- Decrement the (live) parent's pending counter for direct children.
    UPDATE job p SET pending_deps = GREATEST(pending_deps - 1, 0)
      FROM job_dependency d
     WHERE d.child_queue = r.q AND d.child_id = r.id AND d.status = 'pending'
       AND p.queue = d.parent_queue AND p.id = d.parent_id;
    DELETE FROM job WHERE queue = r.q AND id = r.id;
    PERFORM publish_event(r.q, 'removed',
      jsonb_build_object('jobId', r.id, 'prev', 'waiting'));
  END LOOP;
END;
$$;

CREATE FUNCTION bullmq.reprocess_job(p_queue text, p_id text, p_state text, p_lifo boolean, p_reset_made boolean, p_reset_started boolean) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_state job_state;
  v_seq   bigint;
  v_pq    text;
  v_pid   text;
BEGIN
  SELECT state, parent_queue, parent_id INTO v_state, v_pq, v_pid
    FROM job WHERE queue = p_queue AND id = p_id FOR UPDATE;
  IF NOT FOUND THEN
    RETURN -1;
  END IF;
  IF v_state <> p_state::job_state THEN
    RETURN -3;
  END IF;

  v_seq := nextval('job_seq');
  IF p_lifo THEN
    v_seq := -v_seq;
  END IF;

  UPDATE job
     SET state = 'waiting',
         seq = v_seq,
         process_at_ms = NULL,
         processed_at_ms = NULL,
         finished_at_ms = NULL,
         return_value = NULL,
         failed_reason = NULL,
         stacktrace = NULL,
         attempts_made = CASE WHEN p_reset_made THEN 0 ELSE attempts_made END,
         attempts_started =
           CASE WHEN p_reset_started THEN 0 ELSE attempts_started END
   WHERE queue = p_queue AND id = p_id;

  -- A retried child must be awaited again by its parent: move its dependency
  -- back to pending and re-count it (mirrors reprocessJob-8.lua re-adding the
  -- job to the parent's :dependencies set).
  IF v_pq IS NOT NULL AND v_pid IS NOT NULL
     AND EXISTS (SELECT 1 FROM job WHERE queue = v_pq AND id = v_pid) THEN
    UPDATE job_dependency
       SET status = 'pending', value = NULL
     WHERE parent_queue = v_pq AND parent_id = v_pid
       AND child_key = p_queue || ':' || p_id
       AND status = (CASE WHEN p_state = 'failed' THEN 'failed'
                          ELSE 'processed' END)::dep_status;
    IF FOUND THEN
      UPDATE job SET pending_deps = pending_deps + 1
       WHERE queue = v_pq AND id = v_pid;
    END IF;
  END IF;

  PERFORM pg_notify('bullmq_jobs', p_queue);
  PERFORM publish_event(p_queue, 'waiting',
    jsonb_build_object('jobId', p_id, 'prev', p_state));
  RETURN 1;
END;
$$;

CREATE FUNCTION bullmq.requeue_dedup_next(p_queue text, p_dedup_id text, p_now bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_payload  jsonb;
  v_name     text;
  v_data     jsonb;
  v_opts     jsonb;
  v_job_id   text;
  v_de       jsonb;
  v_delay    bigint;
  v_priority integer;
  v_lifo     boolean;
  v_keeplast boolean;
  v_ttl      bigint;
  v_seq      bigint;
  v_state    job_state;
  v_process_at bigint;
BEGIN
  IF p_dedup_id IS NULL OR p_dedup_id = '' THEN
    RETURN;
  END IF;
  SELECT payload INTO v_payload
    FROM dedup_next WHERE queue = p_queue AND dedup_id = p_dedup_id;
  IF NOT FOUND THEN
    RETURN;
  END IF;

  v_name   := v_payload->>'name';
  v_data   := COALESCE(v_payload->'data', '{}'::jsonb);
  v_opts   := COALESCE(v_payload->'opts', '{}'::jsonb);
  v_job_id := v_payload->>'jobId';
  IF v_job_id IS NULL OR v_job_id = '' THEN
    v_job_id := next_job_id(p_queue);
  END IF;

  v_de       := COALESCE(v_opts->'deduplication', v_opts->'debounce');
  v_delay    := COALESCE((v_opts->>'delay')::bigint, 0);
  v_priority := COALESCE((v_opts->>'priority')::integer, 0);
  v_lifo     := COALESCE((v_opts->>'lifo')::boolean, false);
  v_keeplast := COALESCE((v_de->>'keepLastIfActive')::boolean, false);
  v_ttl      := NULLIF(v_de->>'ttl', '')::bigint;

  v_seq := nextval('job_seq');
  IF v_lifo THEN
    v_seq := -v_seq;
  END IF;
  IF v_delay > 0 THEN
    v_state := 'delayed';
    v_process_at := p_now + v_delay;
  ELSE
    v_state := 'waiting';
    v_process_at := NULL;
  END IF;

  INSERT INTO job (
    queue, id, seq, name, state, data, opts, priority, delay_ms,
    max_attempts, added_at_ms, process_at_ms, dedup_id
  ) VALUES (
    p_queue, v_job_id, v_seq, v_name, v_state, v_data, v_opts, v_priority,
    v_delay, COALESCE((v_opts->>'attempts')::integer, 1), p_now, v_process_at,
    p_dedup_id
  )
  ON CONFLICT (queue, id) DO NOTHING;

  -- New winner key (no expiry while keepLastIfActive, else honour ttl).
  INSERT INTO dedup (queue, dedup_id, job_id, expire_at_ms)
    VALUES (p_queue, p_dedup_id, v_job_id,
      CASE WHEN v_keeplast OR COALESCE(v_ttl, 0) <= 0
           THEN NULL ELSE p_now + v_ttl END)
  ON CONFLICT (queue, dedup_id) DO UPDATE
    SET job_id = EXCLUDED.job_id, expire_at_ms = EXCLUDED.expire_at_ms;

  DELETE FROM dedup_next WHERE queue = p_queue AND dedup_id = p_dedup_id;

  PERFORM pg_notify('bullmq_jobs', p_queue);
  IF v_state = 'delayed' THEN
    PERFORM publish_event(p_queue, 'delayed',
      jsonb_build_object('jobId', v_job_id, 'delay', v_process_at));
  ELSE
    PERFORM publish_event(p_queue, 'waiting',
      jsonb_build_object('jobId', v_job_id));
  END IF;
END;
$$;

CREATE FUNCTION bullmq.retry_job(p_queue text, p_id text, p_token text, p_lifo boolean, p_failed_reason text, p_stacktrace jsonb) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_state job_state;
  v_lock  text;
  v_seq   bigint;
BEGIN
  SELECT state, lock_token INTO v_state, v_lock
    FROM job WHERE queue = p_queue AND id = p_id FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'bullmq: missing job %', p_id USING ERRCODE = 'BM001', DETAIL = '-1';
  END IF;
  IF v_state <> 'active' THEN
    RAISE EXCEPTION 'bullmq: job % not active', p_id USING ERRCODE = 'BM001', DETAIL = '-3';
  END IF;
  IF p_token <> '0' AND v_lock IS DISTINCT FROM p_token THEN
    RAISE EXCEPTION 'bullmq: job % lock mismatch', p_id USING ERRCODE = 'BM001', DETAIL = '-6';
  END IF;

  v_seq := nextval('job_seq');
  IF p_lifo THEN
    v_seq := -v_seq;
  END IF;

  UPDATE job
     SET state = 'waiting',
         seq = v_seq,
         process_at_ms = NULL,
         failed_reason = COALESCE(p_failed_reason, failed_reason),
         stacktrace = COALESCE(p_stacktrace, stacktrace),
         lock_token = NULL,
         locked_until_ms = NULL,
         attempts_made = attempts_made + 1
   WHERE queue = p_queue AND id = p_id;

  PERFORM pg_notify('bullmq_jobs', p_queue);
  PERFORM publish_event(p_queue, 'waiting',
    jsonb_build_object('jobId', p_id, 'prev', 'active'));
  RETURN 1;
END;
$$;

CREATE FUNCTION bullmq.retry_jobs(p_queue text, p_state text, p_count integer, p_timestamp bigint) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_moved integer;
BEGIN
  WITH batch AS (
    SELECT id FROM job
     WHERE queue = p_queue
       AND state = p_state::job_state
       AND (p_timestamp IS NULL OR finished_at_ms <= p_timestamp)
     ORDER BY finished_at_ms
     LIMIT p_count
  )
  UPDATE job j
     SET state = 'waiting',
         seq = nextval('job_seq'),
         finished_at_ms = NULL,
         processed_at_ms = NULL,
         return_value = NULL,
         failed_reason = NULL,
         stacktrace = NULL,
         attempts_made = 0,
         attempts_started = 0,
         lock_token = NULL,
         locked_until_ms = NULL
    FROM batch
   WHERE j.queue = p_queue AND j.id = batch.id;

  GET DIAGNOSTICS v_moved = ROW_COUNT;
  IF v_moved > 0 THEN
    PERFORM pg_notify('bullmq_jobs', p_queue);
  END IF;
  RETURN v_moved;
END;
$$;

CREATE FUNCTION bullmq.scheduler_every_next_millis(p_prev bigint, p_every bigint, p_now bigint, p_offset bigint, p_start bigint) RETURNS bigint[]
    LANGUAGE plpgsql IMMUTABLE
    AS $$
DECLARE
  v_next   bigint;
  v_offset bigint := p_offset;
BEGIN
  IF p_prev IS NULL THEN
    IF p_start IS NOT NULL THEN
      v_next := GREATEST(p_start, p_now);
    ELSE
      v_next := p_now;
      IF p_offset IS NOT NULL AND p_offset > 0 THEN
        v_next := (p_now / p_every) * p_every + p_offset;
        IF v_next <= p_now THEN
          v_next := v_next + p_every;
        END IF;
      END IF;
    END IF;
  ELSE
    v_next := p_prev + p_every;
    IF v_next < p_now THEN
      v_next := (p_now / p_every) * p_every + p_every + COALESCE(p_offset, 0);
    END IF;
  END IF;

  IF v_offset IS NULL OR v_offset = 0 THEN
    v_offset := v_next - (v_next / p_every) * p_every;
  END IF;

  RETURN ARRAY[v_next, v_offset];
END;
$$;

CREATE FUNCTION bullmq.set_rate_limit(p_queue text, p_expire_ms bigint, p_now bigint) RETURNS void
    LANGUAGE sql
    SET search_path TO 'bullmq'
    AS $$
  INSERT INTO rate_limit (queue, points, expire_at_ms)
    VALUES (p_queue, 9007199254740991, p_now + p_expire_ms)
  ON CONFLICT (queue) DO UPDATE SET
    points = 9007199254740991,
    expire_at_ms = p_now + p_expire_ms;
$$;

CREATE FUNCTION bullmq.update_job_scheduler_next_millis(p_queue text, p_scheduler_id text, p_next_millis bigint, p_template_data jsonb, p_delayed_opts jsonb, p_now bigint, p_producer_id text) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_name   text;
  v_prev   bigint;
  v_every  bigint;
  v_start  bigint;
  v_offset bigint;
  v_data   jsonb;
  v_next   bigint := p_next_millis;
  v_new_offset bigint;
  v_em     bigint[];
  v_jobid  text;
  v_current text;
  v_delay  bigint;
  v_state  job_state;
  v_seq    bigint;
BEGIN
  SELECT name, next_run_ms, every_ms, start_date_ms, offset_ms, template_data
    INTO v_name, v_prev, v_every, v_start, v_offset, v_data
    FROM scheduler WHERE queue = p_queue AND scheduler_id = p_scheduler_id;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;

  IF v_every IS NULL THEN
    v_every := (p_delayed_opts #>> '{repeat,every}')::bigint;
  END IF;

  IF v_every IS NOT NULL THEN
    v_offset := COALESCE(v_offset, (p_delayed_opts #>> '{repeat,offset}')::bigint, 0);
    v_em := scheduler_every_next_millis(v_prev, v_every, p_now, v_offset, v_start);
    v_next := v_em[1];
    v_new_offset := v_em[2];
  END IF;

  -- Only the producer of the current iteration may advance the scheduler;
  -- this guards against duplicate iterations from stale/concurrent finishes.
  v_current := 'repeat:' || p_scheduler_id || ':' || v_prev;
  IF p_producer_id IS DISTINCT FROM v_current THEN
    RETURN NULL;
  END IF;

  v_jobid := 'repeat:' || p_scheduler_id || ':' || v_next;

  -- If the next iteration's job already exists, this is a duplicate.
  IF EXISTS (SELECT 1 FROM job WHERE queue = p_queue AND id = v_jobid) THEN
    PERFORM publish_event(p_queue, 'duplicated',
      jsonb_build_object('jobId', v_jobid));
    RETURN NULL;
  END IF;

  v_delay := GREATEST(v_next - p_now, 0);

  UPDATE scheduler
     SET next_run_ms = v_next,
         iteration_count = iteration_count + 1,
         offset_ms = COALESCE(offset_ms, v_new_offset),
         template_data = CASE
           WHEN p_template_data IS NOT NULL AND p_template_data <> '{}'::jsonb
             THEN p_template_data
           ELSE template_data
         END
   WHERE queue = p_queue AND scheduler_id = p_scheduler_id;

  v_seq := nextval('job_seq');
  v_state := CASE WHEN v_delay > 0 THEN 'delayed' ELSE 'waiting' END;

  INSERT INTO job (
    queue, id, seq, name, state, data, opts, priority, delay_ms, max_attempts,
    added_at_ms, process_at_ms, scheduler_id
  ) VALUES (
    p_queue, v_jobid, v_seq, v_name, v_state,
    COALESCE(NULLIF(v_data, '{}'::jsonb), p_template_data, '{}'::jsonb),
    COALESCE(p_delayed_opts, '{}'::jsonb)
      || jsonb_build_object('delay', v_delay, 'jobId', v_jobid),
    COALESCE((p_delayed_opts ->> 'priority')::integer, 0), v_delay,
    COALESCE((p_delayed_opts ->> 'attempts')::integer, 1),
    COALESCE((p_delayed_opts ->> 'timestamp')::bigint, p_now),
    CASE WHEN v_delay > 0 THEN v_next ELSE NULL END, p_scheduler_id
  )
  ON CONFLICT (queue, id) DO NOTHING;

  PERFORM pg_notify('bullmq_jobs', p_queue);

  RETURN v_jobid;
END;
$$;

CREATE FUNCTION bullmq.update_progress(p_queue text, p_id text, p_progress jsonb) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_updated integer;
BEGIN
  UPDATE job SET progress = p_progress
   WHERE queue = p_queue AND id = p_id;
  GET DIAGNOSTICS v_updated = ROW_COUNT;

  IF v_updated > 0 THEN
    PERFORM publish_event(p_queue, 'progress',
      jsonb_build_object('jobId', p_id, 'data', p_progress::text));
  END IF;

  RETURN v_updated;
END;
$$;

CREATE FUNCTION public.end_sessions_of_member() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      delete from session where member_id = new.id;
      delete from portal_session where member_id = new.id;
      return null;
    end $$;

CREATE FUNCTION public.mark_endpoint_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
      begin
        new.xid := pg_current_xact_id();
        return new;
      end $$;

CREATE FUNCTION public.notify_credential_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
      begin
        perform pg_notify('signalpost_credential', '');
        return null;
      end $$;

CREATE FUNCTION public.refuse_audit_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      if tg_op = 'DELETE' and current_setting('signalpost.audit_deletes', true) = 'on' then
        return old;
      end if;
      raise exception 'The audit log is append-only.' using errcode = 'restrict_violation';
    end $$;

CREATE SEQUENCE bullmq.bullmq_jid_4c610ff174a8b2349766cef1ff9d5172
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE SEQUENCE bullmq.bullmq_jid_b4df6330db755bb846a1c47fe6eb94aa
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE bullmq.dedup (
    queue text NOT NULL,
    dedup_id text NOT NULL,
    job_id text NOT NULL,
    expire_at_ms bigint
);

CREATE TABLE bullmq.dedup_next (
    queue text NOT NULL,
    dedup_id text NOT NULL,
    payload jsonb NOT NULL
);

CREATE SEQUENCE bullmq.event_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE bullmq.event (
    queue text NOT NULL,
    id bigint DEFAULT nextval('bullmq.event_seq'::regclass) NOT NULL,
    event text NOT NULL,
    data jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at_ms bigint NOT NULL
);

CREATE TABLE bullmq.job_dependency (
    parent_queue text NOT NULL,
    parent_id text NOT NULL,
    child_queue text NOT NULL,
    child_id text NOT NULL,
    child_key text NOT NULL,
    status bullmq.dep_status DEFAULT 'pending'::bullmq.dep_status NOT NULL,
    value jsonb
);

CREATE TABLE bullmq.job_log (
    queue text NOT NULL,
    job_id text NOT NULL,
    idx bigint NOT NULL,
    "row" text NOT NULL
);

CREATE SEQUENCE bullmq.job_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE bullmq.meta (
    queue text NOT NULL,
    field text NOT NULL,
    value text
);

CREATE TABLE bullmq.metrics (
    queue text NOT NULL,
    kind text NOT NULL,
    count bigint DEFAULT 0 NOT NULL,
    prev_ts bigint,
    prev_count bigint DEFAULT 0 NOT NULL,
    data bigint[] DEFAULT '{}'::bigint[] NOT NULL
);

CREATE TABLE bullmq.migration (
    version integer NOT NULL,
    name text NOT NULL,
    min_client_version integer NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE bullmq.rate_limit (
    queue text NOT NULL,
    points bigint DEFAULT 0 NOT NULL,
    expire_at_ms bigint NOT NULL
);

CREATE SEQUENCE bullmq.relay_inbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE bullmq.relay_inbox_id_seq OWNED BY bullmq.relay_inbox.id;

CREATE SEQUENCE bullmq.relay_mid_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE bullmq.relay_node (
    ns text NOT NULL,
    node_id text NOT NULL,
    lease_until timestamp with time zone NOT NULL,
    registered_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    last_heartbeat timestamp with time zone,
    info jsonb DEFAULT '{}'::jsonb NOT NULL,
    backlog integer DEFAULT 0 NOT NULL,
    dropped bigint DEFAULT 0 NOT NULL,
    in_flight bigint[] DEFAULT '{}'::bigint[] NOT NULL
);

CREATE TABLE bullmq.relay_retained (
    ns text NOT NULL,
    topic text NOT NULL,
    mid bigint NOT NULL,
    ts bigint NOT NULL,
    data text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE bullmq.relay_subscription (
    ns text NOT NULL,
    node_id text NOT NULL,
    endpoint_id text NOT NULL,
    pattern text NOT NULL,
    root text
);

CREATE TABLE bullmq.scheduler (
    queue text NOT NULL,
    scheduler_id text NOT NULL,
    name text,
    next_run_ms bigint,
    pattern text,
    every_ms bigint,
    tz text,
    start_date_ms bigint,
    end_date_ms bigint,
    limit_count integer,
    iteration_count integer DEFAULT 0 NOT NULL,
    template_data jsonb,
    template_opts jsonb,
    producer_id text,
    offset_ms bigint
);

CREATE TABLE public.account (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    invoice_count integer DEFAULT 0 NOT NULL,
    credit_note_count integer DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    erased_at timestamp(3) with time zone,
    sends_traceparent boolean DEFAULT false NOT NULL
);

CREATE TABLE public.audit_entry (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    action text NOT NULL COLLATE pg_catalog."C",
    resource_id text COLLATE pg_catalog."C",
    actor_kind text NOT NULL COLLATE pg_catalog."C",
    credential_id text COLLATE pg_catalog."C",
    member_id text COLLATE pg_catalog."C",
    member_email text,
    address text,
    user_agent text,
    changes jsonb NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.checkout (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    success_url text NOT NULL,
    cancel_url text NOT NULL,
    embed_origin text,
    external_reference text NOT NULL,
    buyer_email text,
    buyer_email_locked boolean NOT NULL,
    metadata json NOT NULL,
    affiliate text,
    line_items json NOT NULL,
    offer_id text COLLATE pg_catalog."C",
    order_id text COLLATE pg_catalog."C",
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    visited_at timestamp(3) with time zone,
    expired_at timestamp(3) with time zone,
    currency text NOT NULL,
    subtotal_minor_units bigint NOT NULL,
    discount_minor_units bigint NOT NULL,
    shipping_minor_units bigint NOT NULL,
    tax_minor_units bigint NOT NULL,
    total_minor_units bigint NOT NULL,
    CONSTRAINT checkout_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT checkout_discount_minor_units_check CHECK ((discount_minor_units >= 0)),
    CONSTRAINT checkout_shipping_minor_units_check CHECK ((shipping_minor_units >= 0)),
    CONSTRAINT checkout_subtotal_minor_units_check CHECK ((subtotal_minor_units >= 0)),
    CONSTRAINT checkout_success_url_check CHECK ((char_length(success_url) <= 1800)),
    CONSTRAINT checkout_tax_minor_units_check CHECK ((tax_minor_units >= 0)),
    CONSTRAINT checkout_total_minor_units_check CHECK ((total_minor_units >= 0)),
    CONSTRAINT checkout_totals_check CHECK ((total_minor_units = (((subtotal_minor_units - discount_minor_units) + shipping_minor_units) + tax_minor_units)))
);

CREATE TABLE public.credential (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    member_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    level text NOT NULL,
    webhooks_level text,
    orders_level text,
    token_sha256 bytea NOT NULL,
    last4 text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone,
    last_used_at timestamp(3) with time zone,
    CONSTRAINT credential_areas_check CHECK ((((level = 'restricted'::text) = (webhooks_level IS NOT NULL)) AND ((level = 'restricted'::text) = (orders_level IS NOT NULL)) AND (webhooks_level = ANY (ARRAY['none'::text, 'read'::text, 'write'::text])) AND (orders_level = ANY (ARRAY['none'::text, 'read'::text, 'write'::text])))),
    CONSTRAINT credential_kind_check CHECK ((kind = ANY (ARRAY['live'::text, 'legacy'::text, 'dashboard'::text, 'internal'::text]))),
    CONSTRAINT credential_level_check CHECK ((level = ANY (ARRAY['full'::text, 'read'::text, 'restricted'::text])))
);

CREATE TABLE public.delivery (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    endpoint_id text NOT NULL COLLATE pg_catalog."C",
    pending_delivery_id text NOT NULL COLLATE pg_catalog."C",
    event_id text NOT NULL COLLATE pg_catalog."C",
    event_type text NOT NULL,
    event_version text NOT NULL,
    attempt integer NOT NULL,
    max_attempts integer NOT NULL,
    status text NOT NULL,
    test boolean NOT NULL,
    replayed_from text COLLATE pg_catalog."C",
    response_status integer,
    failure_reason text,
    duration_ms integer,
    created_at timestamp(3) with time zone NOT NULL,
    delivered_at timestamp(3) with time zone,
    xid xid8 DEFAULT pg_current_xact_id(),
    written_at timestamp with time zone DEFAULT clock_timestamp(),
    CONSTRAINT delivery_status_check CHECK ((status = ANY (ARRAY['success'::text, 'failed'::text, 'abandoned'::text])))
)
PARTITION BY RANGE (id);

CREATE TABLE public.delivery_20261112 (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    endpoint_id text NOT NULL COLLATE pg_catalog."C",
    pending_delivery_id text NOT NULL COLLATE pg_catalog."C",
    event_id text NOT NULL COLLATE pg_catalog."C",
    event_type text NOT NULL,
    event_version text NOT NULL,
    attempt integer NOT NULL,
    max_attempts integer NOT NULL,
    status text NOT NULL,
    test boolean NOT NULL,
    replayed_from text COLLATE pg_catalog."C",
    response_status integer,
    failure_reason text,
    duration_ms integer,
    created_at timestamp(3) with time zone NOT NULL,
    delivered_at timestamp(3) with time zone,
    xid xid8 DEFAULT pg_current_xact_id(),
    written_at timestamp with time zone DEFAULT clock_timestamp(),
    CONSTRAINT delivery_status_check CHECK ((status = ANY (ARRAY['success'::text, 'failed'::text, 'abandoned'::text])))
);

CREATE TABLE public.delivery_20261119 (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    endpoint_id text NOT NULL COLLATE pg_catalog."C",
    pending_delivery_id text NOT NULL COLLATE pg_catalog."C",
    event_id text NOT NULL COLLATE pg_catalog."C",
    event_type text NOT NULL,
    event_version text NOT NULL,
    attempt integer NOT NULL,
    max_attempts integer NOT NULL,
    status text NOT NULL,
    test boolean NOT NULL,
    replayed_from text COLLATE pg_catalog."C",
    response_status integer,
    failure_reason text,
    duration_ms integer,
    created_at timestamp(3) with time zone NOT NULL,
    delivered_at timestamp(3) with time zone,
    xid xid8 DEFAULT pg_current_xact_id(),
    written_at timestamp with time zone DEFAULT clock_timestamp(),
    CONSTRAINT delivery_status_check CHECK ((status = ANY (ARRAY['success'::text, 'failed'::text, 'abandoned'::text])))
);

CREATE TABLE public.delivery_20261126 (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    endpoint_id text NOT NULL COLLATE pg_catalog."C",
    pending_delivery_id text NOT NULL COLLATE pg_catalog."C",
    event_id text NOT NULL COLLATE pg_catalog."C",
    event_type text NOT NULL,
    event_version text NOT NULL,
    attempt integer NOT NULL,
    max_attempts integer NOT NULL,
    status text NOT NULL,
    test boolean NOT NULL,
    replayed_from text COLLATE pg_catalog."C",
    response_status integer,
    failure_reason text,
    duration_ms integer,
    created_at timestamp(3) with time zone NOT NULL,
    delivered_at timestamp(3) with time zone,
    xid xid8 DEFAULT pg_current_xact_id(),
    written_at timestamp with time zone DEFAULT clock_timestamp(),
    CONSTRAINT delivery_status_check CHECK ((status = ANY (ARRAY['success'::text, 'failed'::text, 'abandoned'::text])))
);

CREATE TABLE public.delivery_evidence (
    delivery_id text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL,
    request_headers json NOT NULL,
    phase text,
    address text,
    tls_version text,
    detail text,
    lookup_ms integer,
    connect_ms integer,
    tls_ms integer,
    first_byte_ms integer,
    total_ms integer,
    response_headers json,
    body bytea,
    body_truncated boolean NOT NULL
)
PARTITION BY RANGE (delivery_id);

CREATE TABLE public.delivery_evidence_20261112 (
    delivery_id text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL,
    request_headers json NOT NULL,
    phase text,
    address text,
    tls_version text,
    detail text,
    lookup_ms integer,
    connect_ms integer,
    tls_ms integer,
    first_byte_ms integer,
    total_ms integer,
    response_headers json,
    body bytea,
    body_truncated boolean NOT NULL
);

CREATE TABLE public.delivery_evidence_20261119 (
    delivery_id text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL,
    request_headers json NOT NULL,
    phase text,
    address text,
    tls_version text,
    detail text,
    lookup_ms integer,
    connect_ms integer,
    tls_ms integer,
    first_byte_ms integer,
    total_ms integer,
    response_headers json,
    body bytea,
    body_truncated boolean NOT NULL
);

CREATE TABLE public.delivery_evidence_20261126 (
    delivery_id text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL,
    request_headers json NOT NULL,
    phase text,
    address text,
    tls_version text,
    detail text,
    lookup_ms integer,
    connect_ms integer,
    tls_ms integer,
    first_byte_ms integer,
    total_ms integer,
    response_headers json,
    body bytea,
    body_truncated boolean NOT NULL
);

CREATE TABLE public.delivery_statistics (
    account_id text NOT NULL COLLATE pg_catalog."C",
    endpoint_id text NOT NULL COLLATE pg_catalog."C",
    span text NOT NULL COLLATE pg_catalog."C",
    starts_at timestamp(3) with time zone NOT NULL,
    success integer NOT NULL,
    failed integer NOT NULL,
    abandoned integer NOT NULL,
    retries integer NOT NULL,
    buckets smallint[] NOT NULL,
    times integer[] NOT NULL,
    CONSTRAINT delivery_statistics_span_check CHECK ((span = ANY (ARRAY['hour'::text, 'day'::text])))
)
WITH (fillfactor='80');

CREATE TABLE public.delivery_statistics_delta (
    hour timestamp(3) with time zone NOT NULL,
    success integer,
    failed integer,
    abandoned integer,
    retries integer,
    endpoint_id text NOT NULL COLLATE pg_catalog."C",
    durations_ms integer[]
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_cost_delay='0', vacuum_truncate=off);

CREATE TABLE public.endpoint (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL,
    active boolean NOT NULL,
    description text,
    notification_email text NOT NULL,
    event_types text[] NOT NULL,
    disabled_reason text,
    failing_since timestamp(3) with time zone,
    failure_count integer DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    deleted_at timestamp(3) with time zone,
    cancelling_since timestamp(3) with time zone,
    cancel_before timestamp(3) with time zone,
    cancel_types jsonb,
    subscribed_since jsonb,
    warnings smallint DEFAULT 0 NOT NULL,
    max_per_second smallint,
    xid xid8 DEFAULT pg_current_xact_id(),
    CONSTRAINT endpoint_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['consecutive_failures'::text, 'receiver_gone'::text]))),
    CONSTRAINT endpoint_event_types_check CHECK ((cardinality(event_types) > 0))
);

CREATE TABLE public.endpoint_rate (
    endpoint_id text NOT NULL COLLATE pg_catalog."C",
    next_at timestamp with time zone NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');

CREATE TABLE public.endpoint_secret (
    id text NOT NULL COLLATE pg_catalog."C",
    endpoint_id text NOT NULL COLLATE pg_catalog."C",
    key_id text NOT NULL,
    sealed bytea NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone
);

CREATE TABLE public.erasure (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    requested_by text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    email text,
    include_invoices boolean NOT NULL,
    stage text NOT NULL COLLATE pg_catalog."C",
    place text[],
    pass_started_at timestamp(3) with time zone NOT NULL,
    found_in_pass bigint NOT NULL,
    counts jsonb NOT NULL,
    next_step_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    completed_at timestamp(3) with time zone,
    CONSTRAINT erasure_completed_check CHECK (((status = 'completed'::text) = (completed_at IS NOT NULL))),
    CONSTRAINT erasure_email_check CHECK (((email IS NOT NULL) = ((kind = 'buyer'::text) AND (status = 'running'::text)))),
    CONSTRAINT erasure_kind_check CHECK ((kind = ANY (ARRAY['account'::text, 'buyer'::text]))),
    CONSTRAINT erasure_status_check CHECK ((status = ANY (ARRAY['running'::text, 'completed'::text])))
);

CREATE TABLE public.erasure_subject (
    erasure_id text NOT NULL COLLATE pg_catalog."C",
    resource_id text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.event (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL,
    version text NOT NULL,
    subject text NOT NULL,
    test boolean NOT NULL,
    body bytea NOT NULL,
    occurred_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    endpoint_id text COLLATE pg_catalog."C",
    xid xid8 DEFAULT pg_current_xact_id(),
    written_at timestamp with time zone DEFAULT clock_timestamp(),
    traceparent text COLLATE pg_catalog."C",
    CONSTRAINT event_body_check CHECK ((convert_from(body, 'UTF8'::name) IS NOT NULL))
)
PARTITION BY RANGE (id);

CREATE TABLE public.event_20261112 (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL,
    version text NOT NULL,
    subject text NOT NULL,
    test boolean NOT NULL,
    body bytea NOT NULL,
    occurred_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    endpoint_id text COLLATE pg_catalog."C",
    xid xid8 DEFAULT pg_current_xact_id(),
    written_at timestamp with time zone DEFAULT clock_timestamp(),
    traceparent text COLLATE pg_catalog."C",
    CONSTRAINT event_body_check CHECK ((convert_from(body, 'UTF8'::name) IS NOT NULL))
);

CREATE TABLE public.event_20261119 (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL,
    version text NOT NULL,
    subject text NOT NULL,
    test boolean NOT NULL,
    body bytea NOT NULL,
    occurred_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    endpoint_id text COLLATE pg_catalog."C",
    xid xid8 DEFAULT pg_current_xact_id(),
    written_at timestamp with time zone DEFAULT clock_timestamp(),
    traceparent text COLLATE pg_catalog."C",
    CONSTRAINT event_body_check CHECK ((convert_from(body, 'UTF8'::name) IS NOT NULL))
);

CREATE TABLE public.event_20261126 (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL,
    version text NOT NULL,
    subject text NOT NULL,
    test boolean NOT NULL,
    body bytea NOT NULL,
    occurred_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    endpoint_id text COLLATE pg_catalog."C",
    xid xid8 DEFAULT pg_current_xact_id(),
    written_at timestamp with time zone DEFAULT clock_timestamp(),
    traceparent text COLLATE pg_catalog."C",
    CONSTRAINT event_body_check CHECK ((convert_from(body, 'UTF8'::name) IS NOT NULL))
);

CREATE TABLE public.event_type (
    id text NOT NULL COLLATE pg_catalog."C",
    category text NOT NULL,
    summary text NOT NULL,
    description text NOT NULL,
    accepts_new_subscriptions boolean NOT NULL,
    sent boolean NOT NULL,
    listed boolean DEFAULT true NOT NULL,
    validation text DEFAULT 'enforce'::text NOT NULL,
    revision text DEFAULT ''::text NOT NULL,
    CONSTRAINT event_type_validation_check CHECK ((validation = ANY (ARRAY['enforce'::text, 'warn'::text])))
);

CREATE TABLE public.event_type_version (
    event_type_id text NOT NULL COLLATE pg_catalog."C",
    version text NOT NULL COLLATE pg_catalog."C",
    schema json NOT NULL,
    example json NOT NULL,
    CONSTRAINT event_type_version_version_check CHECK ((version ~ '^v[1-9][0-9]{0,2}$'::text))
);

CREATE TABLE public.full_account (
    account_id text NOT NULL COLLATE pg_catalog."C",
    pending bigint NOT NULL,
    since timestamp(3) with time zone NOT NULL,
    pending_bytes bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.full_account_count (
    id smallint NOT NULL,
    counted_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT full_account_count_id_check CHECK ((id = 1))
);

CREATE TABLE public.idempotency_record (
    account_id text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    pending_delivery_id text COLLATE pg_catalog."C",
    status integer,
    body text,
    location text,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone,
    CONSTRAINT idempotency_record_expiry_check CHECK (((status IS NULL) = (expires_at IS NULL))),
    CONSTRAINT idempotency_record_pending_check CHECK (((status IS NOT NULL) OR (pending_delivery_id IS NOT NULL)))
);

CREATE TABLE public.invoice (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    "position" integer NOT NULL,
    number text NOT NULL,
    type text NOT NULL,
    order_id text NOT NULL COLLATE pg_catalog."C",
    payment_id text NOT NULL COLLATE pg_catalog."C",
    refund_id text COLLATE pg_catalog."C",
    buyer json NOT NULL,
    issued_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    currency text NOT NULL,
    subtotal_minor_units bigint NOT NULL,
    discount_minor_units bigint NOT NULL,
    shipping_minor_units bigint NOT NULL,
    tax_minor_units bigint NOT NULL,
    total_minor_units bigint NOT NULL,
    CONSTRAINT invoice_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT invoice_discount_minor_units_check CHECK ((discount_minor_units >= 0)),
    CONSTRAINT invoice_position_check CHECK (("position" > 0)),
    CONSTRAINT invoice_refund_check CHECK (((type = 'credit_note'::text) = (refund_id IS NOT NULL))),
    CONSTRAINT invoice_shipping_minor_units_check CHECK ((shipping_minor_units >= 0)),
    CONSTRAINT invoice_subtotal_minor_units_check CHECK ((subtotal_minor_units >= 0)),
    CONSTRAINT invoice_tax_minor_units_check CHECK ((tax_minor_units >= 0)),
    CONSTRAINT invoice_total_minor_units_check CHECK ((total_minor_units >= 0)),
    CONSTRAINT invoice_totals_check CHECK ((total_minor_units = (((subtotal_minor_units - discount_minor_units) + shipping_minor_units) + tax_minor_units))),
    CONSTRAINT invoice_type_check CHECK ((type = ANY (ARRAY['invoice'::text, 'credit_note'::text])))
);

CREATE TABLE public.isolation_lock (
    id smallint NOT NULL,
    holder bigint,
    until timestamp(3) with time zone NOT NULL,
    CONSTRAINT isolation_lock_id_check CHECK ((id = 1))
);

CREATE TABLE public.lease (
    token bigint NOT NULL,
    until timestamp(3) with time zone NOT NULL,
    pending_delivery_ids text[] NOT NULL COLLATE pg_catalog."C"
)
WITH (toast_tuple_target='8160', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY public.lease ALTER COLUMN pending_delivery_ids SET STORAGE EXTERNAL;

CREATE TABLE public.member (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    email text NOT NULL,
    role text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT member_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'accountant'::text, 'viewer'::text])))
);

CREATE TABLE public.member_identity (
    account_id text NOT NULL COLLATE pg_catalog."C",
    member_id text NOT NULL COLLATE pg_catalog."C",
    issuer text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.migration (
    id integer NOT NULL,
    "timestamp" bigint NOT NULL,
    name character varying NOT NULL
);

CREATE SEQUENCE public.migration_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.migration_id_seq OWNED BY public.migration.id;

CREATE TABLE public.notice (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    resource_id text NOT NULL COLLATE pg_catalog."C",
    data jsonb NOT NULL,
    recipient text NOT NULL,
    mail_id text COLLATE pg_catalog."C",
    message_id text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    claimed_at timestamp(3) with time zone,
    lease_token bigint,
    attempts integer DEFAULT 0 NOT NULL,
    last_error text,
    sent_at timestamp(3) with time zone,
    refused_at timestamp(3) with time zone
);

CREATE TABLE public.offer (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    "position" integer NOT NULL,
    recipient_email text NOT NULL,
    title text NOT NULL,
    message text,
    metadata json NOT NULL,
    line_items json NOT NULL,
    send_count integer DEFAULT 0 NOT NULL,
    sent_at timestamp(3) with time zone,
    accepted_at timestamp(3) with time zone,
    cancelled_at timestamp(3) with time zone,
    expires_at timestamp(3) with time zone NOT NULL,
    order_id text COLLATE pg_catalog."C",
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    currency text NOT NULL,
    subtotal_minor_units bigint NOT NULL,
    discount_minor_units bigint NOT NULL,
    shipping_minor_units bigint NOT NULL,
    tax_minor_units bigint NOT NULL,
    total_minor_units bigint NOT NULL,
    CONSTRAINT offer_accepted_check CHECK (((accepted_at IS NULL) = (order_id IS NULL))),
    CONSTRAINT offer_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT offer_discount_minor_units_check CHECK ((discount_minor_units >= 0)),
    CONSTRAINT offer_end_check CHECK (((accepted_at IS NULL) OR ((cancelled_at IS NULL) AND (sent_at IS NOT NULL)))),
    CONSTRAINT offer_message_check CHECK ((char_length(message) <= 2000)),
    CONSTRAINT offer_position_check CHECK (("position" > 0)),
    CONSTRAINT offer_sent_check CHECK ((((send_count > 0) = (sent_at IS NOT NULL)) AND ((send_count >= 0) AND (send_count <= 10)))),
    CONSTRAINT offer_shipping_minor_units_check CHECK ((shipping_minor_units >= 0)),
    CONSTRAINT offer_subtotal_minor_units_check CHECK ((subtotal_minor_units >= 0)),
    CONSTRAINT offer_tax_minor_units_check CHECK ((tax_minor_units >= 0)),
    CONSTRAINT offer_title_check CHECK (((char_length(title) >= 1) AND (char_length(title) <= 250))),
    CONSTRAINT offer_total_minor_units_check CHECK ((total_minor_units >= 0)),
    CONSTRAINT offer_totals_check CHECK ((total_minor_units = (((subtotal_minor_units - discount_minor_units) + shipping_minor_units) + tax_minor_units)))
);

CREATE TABLE public.operator_session (
    id text NOT NULL COLLATE pg_catalog."C",
    credential_id text NOT NULL COLLATE pg_catalog."C",
    token_sha256 bytea NOT NULL,
    user_agent text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    last_used_at timestamp(3) with time zone NOT NULL
)
WITH (fillfactor='80');

CREATE TABLE public."order" (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    "position" integer NOT NULL,
    checkout_id text COLLATE pg_catalog."C",
    external_reference text NOT NULL,
    buyer json NOT NULL,
    metadata json NOT NULL,
    affiliate text,
    line_items json NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    completed_at timestamp(3) with time zone NOT NULL,
    currency text NOT NULL,
    subtotal_minor_units bigint NOT NULL,
    discount_minor_units bigint NOT NULL,
    shipping_minor_units bigint NOT NULL,
    tax_minor_units bigint NOT NULL,
    total_minor_units bigint NOT NULL,
    CONSTRAINT order_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT order_discount_minor_units_check CHECK ((discount_minor_units >= 0)),
    CONSTRAINT order_position_check CHECK (("position" > 0)),
    CONSTRAINT order_shipping_minor_units_check CHECK ((shipping_minor_units >= 0)),
    CONSTRAINT order_subtotal_minor_units_check CHECK ((subtotal_minor_units >= 0)),
    CONSTRAINT order_tax_minor_units_check CHECK ((tax_minor_units >= 0)),
    CONSTRAINT order_total_minor_units_check CHECK ((total_minor_units >= 0)),
    CONSTRAINT order_totals_check CHECK ((total_minor_units = (((subtotal_minor_units - discount_minor_units) + shipping_minor_units) + tax_minor_units)))
);

CREATE TABLE public.payment (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    "position" integer NOT NULL,
    order_id text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL,
    currency text NOT NULL,
    amount_minor_units bigint NOT NULL,
    refunded_minor_units bigint DEFAULT 0 NOT NULL,
    fee_minor_units bigint DEFAULT 0 NOT NULL,
    net_minor_units bigint NOT NULL,
    method text NOT NULL,
    buyer_email text NOT NULL,
    key text,
    fingerprint bytea,
    created_at timestamp(3) with time zone NOT NULL,
    cash_flow_at timestamp(3) with time zone,
    CONSTRAINT payment_amount_minor_units_check CHECK ((amount_minor_units >= 0)),
    CONSTRAINT payment_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT payment_fee_check CHECK (((fee_minor_units >= 0) AND (fee_minor_units <= amount_minor_units))),
    CONSTRAINT payment_key_check CHECK (((key IS NULL) = (fingerprint IS NULL))),
    CONSTRAINT payment_net_check CHECK ((net_minor_units = (amount_minor_units - fee_minor_units))),
    CONSTRAINT payment_position_check CHECK (("position" > 0)),
    CONSTRAINT payment_refunded_check CHECK (((refunded_minor_units >= 0) AND (refunded_minor_units <= amount_minor_units))),
    CONSTRAINT payment_refunded_status_check CHECK (((status = 'charged_back'::text) OR (status =
CASE
    WHEN (refunded_minor_units = 0) THEN 'succeeded'::text
    WHEN (refunded_minor_units < amount_minor_units) THEN 'partially_refunded'::text
    ELSE 'refunded'::text
END))),
    CONSTRAINT payment_status_check CHECK ((status = ANY (ARRAY['succeeded'::text, 'partially_refunded'::text, 'refunded'::text, 'charged_back'::text])))
);

CREATE TABLE public.pending_delivery (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    endpoint_id text NOT NULL COLLATE pg_catalog."C",
    event_id text NOT NULL COLLATE pg_catalog."C",
    event_type text NOT NULL COLLATE pg_catalog."C",
    lane text NOT NULL COLLATE pg_catalog."C",
    ready boolean NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    attempt integer NOT NULL,
    max_attempts integer NOT NULL,
    test boolean NOT NULL,
    replayed_from text COLLATE pg_catalog."C",
    last_delivery_id text COLLATE pg_catalog."C",
    lease_token bigint,
    interruptions integer DEFAULT 0 NOT NULL,
    dead_letter_reason text,
    created_at timestamp(3) with time zone NOT NULL,
    body_bytes integer DEFAULT 0 NOT NULL,
    CONSTRAINT pending_delivery_check CHECK (((attempt >= 1) AND (attempt <= max_attempts)))
)
WITH (fillfactor='45', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.portal_link (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    member_id text COLLATE pg_catalog."C",
    role text,
    token_sha256 bytea NOT NULL,
    theme jsonb,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    used_at timestamp(3) with time zone,
    CONSTRAINT portal_link_holder_check CHECK (((member_id IS NULL) <> (role IS NULL)))
);

CREATE TABLE public.portal_session (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    link_id text NOT NULL COLLATE pg_catalog."C",
    member_id text COLLATE pg_catalog."C",
    role text,
    token_sha256 bytea NOT NULL,
    page_token_sha256 bytea,
    theme jsonb,
    user_agent text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    last_used_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT portal_session_holder_check CHECK (((member_id IS NULL) <> (role IS NULL)))
)
WITH (fillfactor='80');

CREATE TABLE public.portal_settings (
    account_id text NOT NULL COLLATE pg_catalog."C",
    origins jsonb NOT NULL,
    theme jsonb NOT NULL,
    logo text,
    updated_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.publish_key (
    account_id text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    event_id text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.recovery (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    endpoint_id text NOT NULL COLLATE pg_catalog."C",
    what text NOT NULL COLLATE pg_catalog."C",
    since timestamp(3) with time zone NOT NULL,
    until timestamp(3) with time zone NOT NULL,
    event_types text[],
    include_before boolean NOT NULL,
    rate_per_second integer NOT NULL,
    idempotency_key text NOT NULL,
    fingerprint bytea NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    reason text COLLATE pg_catalog."C",
    waits_for text COLLATE pg_catalog."C",
    "position" text NOT NULL COLLATE pg_catalog."C",
    failed bigint DEFAULT 0 NOT NULL,
    missed bigint DEFAULT 0 NOT NULL,
    credited_at timestamp(3) with time zone NOT NULL,
    next_step_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    ended_at timestamp(3) with time zone,
    CONSTRAINT recovery_rate_per_second_check CHECK (((rate_per_second >= 1) AND (rate_per_second <= 500))),
    CONSTRAINT recovery_status_check CHECK ((status = ANY (ARRAY['running'::text, 'paused'::text, 'completed'::text, 'cancelled'::text]))),
    CONSTRAINT recovery_what_check CHECK ((what = ANY (ARRAY['failed'::text, 'missed'::text, 'both'::text])))
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');

CREATE TABLE public.refund (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    "position" integer NOT NULL,
    payment_id text NOT NULL COLLATE pg_catalog."C",
    order_id text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL,
    currency text NOT NULL,
    amount_minor_units bigint NOT NULL,
    reason text,
    note text,
    created_at timestamp(3) with time zone NOT NULL,
    cash_flow_at timestamp(3) with time zone,
    CONSTRAINT refund_amount_minor_units_check CHECK ((amount_minor_units > 0)),
    CONSTRAINT refund_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT refund_note_check CHECK ((char_length(note) <= 500)),
    CONSTRAINT refund_position_check CHECK (("position" > 0)),
    CONSTRAINT refund_reason_check CHECK ((reason = ANY (ARRAY['requested_by_customer'::text, 'duplicate'::text, 'fraudulent'::text, 'other'::text]))),
    CONSTRAINT refund_status_check CHECK ((status = ANY (ARRAY['succeeded'::text, 'pending'::text, 'failed'::text])))
);

CREATE TABLE public.schema_compatibility (
    id boolean DEFAULT true NOT NULL,
    oldest text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT schema_compatibility_id_check CHECK (id)
);

CREATE TABLE public.session (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    member_id text NOT NULL COLLATE pg_catalog."C",
    token_sha256 bytea NOT NULL,
    user_agent text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    last_used_at timestamp(3) with time zone NOT NULL
)
WITH (fillfactor='80');

CREATE TABLE public.sign_in_link (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text COLLATE pg_catalog."C",
    member_id text COLLATE pg_catalog."C",
    token_sha256 bytea NOT NULL,
    code_sha256 bytea,
    browser_sha256 bytea,
    address_sha256 bytea,
    tries smallint DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    used_at timestamp(3) with time zone,
    CONSTRAINT sign_in_link_code_check CHECK ((((code_sha256 IS NULL) = (address_sha256 IS NULL)) AND ((code_sha256 IS NULL) OR (browser_sha256 IS NOT NULL)))),
    CONSTRAINT sign_in_link_member_check CHECK (((account_id IS NULL) = (member_id IS NULL)))
);

CREATE TABLE public.stream_process (
    id text NOT NULL COLLATE pg_catalog."C",
    seen_at timestamp(3) with time zone NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE public.stream_slot (
    account_id text NOT NULL COLLATE pg_catalog."C",
    process_id text NOT NULL COLLATE pg_catalog."C",
    id integer NOT NULL
);

CREATE TABLE public.worker_heartbeat (
    id text NOT NULL COLLATE pg_catalog."C",
    roles text[] NOT NULL COLLATE pg_catalog."C",
    started_at timestamp(3) with time zone NOT NULL,
    seen_at timestamp(3) with time zone NOT NULL,
    version text
)
WITH (fillfactor='50');

ALTER TABLE ONLY public.delivery ATTACH PARTITION public.delivery_20261112 FOR VALUES FROM ('whd_0VaiE55c') TO ('whd_0VbN9lCK');

ALTER TABLE ONLY public.delivery ATTACH PARTITION public.delivery_20261119 FOR VALUES FROM ('whd_0VbN9lCK') TO ('whd_0Vc25RJ2');

ALTER TABLE ONLY public.delivery ATTACH PARTITION public.delivery_20261126 FOR VALUES FROM ('whd_0Vc25RJ2') TO ('whd_0Vch17Pk');

ALTER TABLE ONLY public.delivery_evidence ATTACH PARTITION public.delivery_evidence_20261112 FOR VALUES FROM ('whd_0VaiE55c') TO ('whd_0VbN9lCK');

ALTER TABLE ONLY public.delivery_evidence ATTACH PARTITION public.delivery_evidence_20261119 FOR VALUES FROM ('whd_0VbN9lCK') TO ('whd_0Vc25RJ2');

ALTER TABLE ONLY public.delivery_evidence ATTACH PARTITION public.delivery_evidence_20261126 FOR VALUES FROM ('whd_0Vc25RJ2') TO ('whd_0Vch17Pk');

ALTER TABLE ONLY public.event ATTACH PARTITION public.event_20261112 FOR VALUES FROM ('evt_0VaiE55c') TO ('evt_0VbN9lCK');

ALTER TABLE ONLY public.event ATTACH PARTITION public.event_20261119 FOR VALUES FROM ('evt_0VbN9lCK') TO ('evt_0Vc25RJ2');

ALTER TABLE ONLY public.event ATTACH PARTITION public.event_20261126 FOR VALUES FROM ('evt_0Vc25RJ2') TO ('evt_0Vch17Pk');

ALTER TABLE ONLY bullmq.relay_inbox ALTER COLUMN id SET DEFAULT nextval('bullmq.relay_inbox_id_seq'::regclass);

ALTER TABLE ONLY public.migration ALTER COLUMN id SET DEFAULT nextval('public.migration_id_seq'::regclass);

INSERT INTO bullmq.event VALUES
	('signalpost-due', 1, 'added', '{"name": "scheduled", "jobId": "due-1795632835"}', 1795632834426),
	('signalpost-due', 2, 'delayed', '{"delay": 1795632835000, "jobId": "due-1795632835"}', 1795632834427),
	('signalpost-due', 3, 'added', '{"name": "scheduled", "jobId": "due-1795632840"}', 1795632834508),
	('signalpost-due', 4, 'delayed', '{"delay": 1795632840000, "jobId": "due-1795632840"}', 1795632834508),
	('signalpost-expire', 5, 'added', '{"name": "scheduled", "jobId": "expire-1795634635"}', 1795632834691),
	('signalpost-expire', 6, 'delayed', '{"delay": 1795634635000, "jobId": "expire-1795634635"}', 1795632834691);

INSERT INTO bullmq.job VALUES
	('signalpost-due', 'due-1795632835', 1, 'scheduled', 'delayed', '{}', '{"delay": 591, "jobId": "due-1795632835", "attempts": 0, "removeOnFail": true, "removeOnComplete": true}', 0, 591, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, 1795632834409, 1795632835000, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0, false),
	('signalpost-due', 'due-1795632840', 2, 'scheduled', 'delayed', '{}', '{"delay": 5505, "jobId": "due-1795632840", "attempts": 0, "removeOnFail": true, "removeOnComplete": true}', 0, 5505, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, 1795632834495, 1795632840000, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0, false),
	('signalpost-expire', 'expire-1795634635', 3, 'scheduled', 'delayed', '{}', '{"delay": 1800325, "jobId": "expire-1795634635", "attempts": 0, "removeOnFail": true, "removeOnComplete": true}', 0, 1800325, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, 1795632834675, 1795634635000, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0, false);

INSERT INTO bullmq.meta VALUES
	('signalpost-replay', 'stalled-check', '1795632833618'),
	('signalpost-due', 'stalled-check', '1795632833620'),
	('signalpost-notify', 'stalled-check', '1795632833624'),
	('signalpost-expire', 'stalled-check', '1795632833630'),
	('signalpost-replay', 'opts.maxLenEvents', '1'),
	('signalpost-replay', 'version', 'bullmq:6.7.0'),
	('signalpost-notify', 'opts.maxLenEvents', '1'),
	('signalpost-notify', 'version', 'bullmq:6.7.0'),
	('signalpost-expire', 'opts.maxLenEvents', '1'),
	('signalpost-expire', 'version', 'bullmq:6.7.0'),
	('signalpost-due', 'opts.maxLenEvents', '1'),
	('signalpost-due', 'version', 'bullmq:6.7.0');

INSERT INTO bullmq.migration VALUES
	(1, '0001_schema', 6, '2026-11-25 18:53:52.614465+00'),
	(2, '0002_functions', 6, '2026-11-25 18:53:52.614465+00'),
	(3, '0003_dedup_stale_key', 6, '2026-11-25 18:53:52.614465+00'),
	(4, '0004_relay', 6, '2026-11-25 18:53:52.614465+00'),
	(5, '0005_flow_parent_release', 6, '2026-11-25 18:53:52.614465+00'),
	(6, '0006_dedup_reschedule', 6, '2026-11-25 18:53:52.614465+00'),
	(7, '0007_obliterate_dedup_lock_order', 6, '2026-11-25 18:53:52.614465+00'),
	(8, '0008_bulk_dedup_lock_order', 6, '2026-11-25 18:53:52.614465+00'),
	(9, '0009_obliterate_bounded_dedup_locks', 6, '2026-11-25 18:53:52.614465+00'),
	(10, '0010_obliterate_finalization_lock', 6, '2026-11-25 18:53:52.614465+00'),
	(11, '0011_obliterate_producer_lock', 6, '2026-11-25 18:53:52.614465+00');

INSERT INTO public.account VALUES
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'Test shop', 1, 0, '2026-11-25 18:53:54.211+00', NULL, false);

INSERT INTO public.audit_entry VALUES
	('aud_0Vc0qNXHkomorLnWORDxUMtm', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'endpoint_created', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'api_key', 'crd_0Vc0qNWvdfalNUF7hTVCs6Pq', 'mem_0Vc0qNWvkGQ6dJmOGtJDLw8L', 'owner@acc-0vc0qnwdmhpm8id7nm9wvpu3.invalid', '127.0.0.1', NULL, '[{"to": "https://127.0.0.1:43839", "field": "url"}]', '2026-11-25 18:53:54.251+00'),
	('aud_0Vc0qNXkgK7lNc4ETcYTzGYW', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'endpoint_created', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'api_key', 'crd_0Vc0qNWvdfalNUF7hTVCs6Pq', 'mem_0Vc0qNWvkGQ6dJmOGtJDLw8L', 'owner@acc-0vc0qnwdmhpm8id7nm9wvpu3.invalid', '127.0.0.1', NULL, '[{"to": "https://127.0.0.1:43839", "field": "url"}]', '2026-11-25 18:53:54.28+00'),
	('aud_0Vc0qNdxsPjqNceZK8ofzted', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'checkout_created', 'chk_0Vc0qNdxX30Uwuxm7ldALX8i', 'operator', 'crd_0Vc0qNWinwS1ysNjDveLXvrT', 'mem_0Vc0qNWi9W3vbTXlfHKPwTGF', 'owner@acc-0vc0qnwdmhpm8id7nm9wvpu3.invalid', '127.0.0.1', 'undici', '[]', '2026-11-25 18:53:54.665+00'),
	('aud_0Vc0qNeE16TmtAqJiZ4CGAEG', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'payment_recorded', 'pay_0Vc0qNeE2i1lkYWl1XWYq4Os', 'operator', 'crd_0Vc0qNWinwS1ysNjDveLXvrT', 'mem_0Vc0qNWi9W3vbTXlfHKPwTGF', 'owner@acc-0vc0qnwdmhpm8id7nm9wvpu3.invalid', '127.0.0.1', 'undici', '[]', '2026-11-25 18:53:54.682+00'),
	('aud_0Vc0qNeeHHM9AS1gUtScHFUp', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'endpoint_created', 'whs_0Vc0qNeesnDusbOzznDRKWec', 'api_key', 'crd_0Vc0qNWvdfalNUF7hTVCs6Pq', 'mem_0Vc0qNWvkGQ6dJmOGtJDLw8L', 'owner@acc-0vc0qnwdmhpm8id7nm9wvpu3.invalid', '127.0.0.1', NULL, '[{"to": "https://127.0.0.1:43839", "field": "url"}]', '2026-11-25 18:53:54.708+00');

INSERT INTO public.checkout VALUES
	('chk_0Vc0qNdxX30Uwuxm7ldALX8i', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'https://shop.example.com/thanks', '', NULL, '', NULL, false, '{}', NULL, '[{"product":{"id":"prod_0Vc0qNdxEy1ftCmvvfPdY8VQ","name":"Poster"},"quantity":1,"unitAmountMinorUnits":1900,"discountMinorUnits":0,"taxMinorUnits":0,"taxPercentage":"0.00","totalMinorUnits":1900}]', NULL, 'ord_0Vc0qNeE76NENuHMYwqOu5fS', '2026-11-25 18:53:54.665+00', '2026-11-25 19:23:54.665+00', NULL, NULL, 'EUR', 1900, 0, 0, 0, 1900);

INSERT INTO public.credential VALUES
	('crd_0Vc0qNX0Dpl3xoOEKNVyufU3', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'mem_0Vc0qNX0bFUqGRMx8uBkggSq', 'live', 'full', NULL, NULL, '\x5350959886700ef5a3ebd0ed6052c90fae569a40138f9090cc8e471f22a08215', 'NepC', '2026-11-25 18:53:54.234+00', NULL, NULL, NULL),
	('crd_0Vc0qNX4FJeebUn4kADHtsQa', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'mem_0Vc0qNX4usUbDPc8N3J6jte2', 'internal', 'full', NULL, NULL, '\x1021148e5ff1d3591f070139d52fee2b69d1369b9f36a101ed2e726d4b104d49', 'v8gg', '2026-11-25 18:53:54.238+00', NULL, NULL, NULL),
	('crd_0Vc0qNWvdfalNUF7hTVCs6Pq', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'mem_0Vc0qNWvkGQ6dJmOGtJDLw8L', 'live', 'full', NULL, NULL, '\x5316bec7d7e6833274bb4f32fc4ede8d30dda67289668ca6e80f6520129f2ab6', 'WSXD', '2026-11-25 18:53:54.229+00', NULL, NULL, '2026-11-25 18:53:54.249+00'),
	('crd_0Vc0qNWinwS1ysNjDveLXvrT', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'mem_0Vc0qNWi9W3vbTXlfHKPwTGF', 'internal', 'full', NULL, NULL, '\xaca27cf6be224794533e4b79639d578403105eeeca449f2ae0ba598143bf6ee0', 'yoPX', '2026-11-25 18:53:54.216+00', NULL, NULL, '2026-11-25 18:53:54.29+00');

INSERT INTO public.delivery_20261119 VALUES
	('whd_0Vc0qNZiZxOOjkD8LSj0MATX', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'pdl_0Vc0qNZL8c72b2faa67f4b3b', 'evt_0Vc0qNZLZJa4W2nsj5nlVZjB', 'cart.order.completed', 'v1', 1, 10, 'success', false, NULL, 200, NULL, 30, '2026-11-25 18:53:54.402+00', '2026-11-25 18:53:54.432+00', '921', '2026-11-25 18:53:54.455759+00'),
	('whd_0Vc0qNZlgrFXe7BK0ttt48qy', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'pdl_0Vc0qNZLc4b7f1aa7ef5426f', 'evt_0Vc0qNZLZJa4W2nsj5nlVZjB', 'cart.order.completed', 'v1', 1, 10, 'success', false, NULL, 200, NULL, 29, '2026-11-25 18:53:54.405+00', '2026-11-25 18:53:54.434+00', '921', '2026-11-25 18:53:54.456003+00'),
	('whd_0Vc0qNapU7vxHpKNXtB5NnEZ', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'pdl_0Vc0qNal1c5c50e14c9f4785', 'evt_0Vc0qNalBEdMqBmkW4RQqleA', 'cart.order.completed', 'v1', 1, 10, 'failed', false, NULL, 500, 'status_500', 4, '2026-11-25 18:53:54.471+00', NULL, '924', '2026-11-25 18:53:54.492809+00'),
	('whd_0Vc0qNapzYNyNW4eQ2pGTfB1', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'pdl_0Vc0qNal7607f93eef034d43', 'evt_0Vc0qNalBEdMqBmkW4RQqleA', 'cart.order.completed', 'v1', 1, 10, 'failed', false, NULL, 500, 'status_500', 5, '2026-11-25 18:53:54.471+00', NULL, '924', '2026-11-25 18:53:54.492875+00');

INSERT INTO public.delivery_evidence_20261119 VALUES
	('whd_0Vc0qNapU7vxHpKNXtB5NnEZ', 'https://127.0.0.1:43839/one', '[["content-type","application/json; charset=utf-8"],["user-agent","Service-Webhooks/1.0"],["webhook-id","evt_0Vc0qNalBEdMqBmkW4RQqleA"],["webhook-timestamp","1795632834"],["x-service-timestamp","1795632834"],["x-service-event-id","evt_0Vc0qNalBEdMqBmkW4RQqleA"],["x-service-event-type","cart.order.completed"],["x-service-delivery-id","whd_0Vc0qNapU7vxHpKNXtB5NnEZ"],["x-service-attempt","1"]]', 'end', '127.0.0.1', 'TLSv1.3', NULL, NULL, NULL, NULL, 4, 4, '[["date","Wed, 25 Nov 2026 18:53:54 GMT"],["connection","keep-alive"],["keep-alive","timeout=60"],["transfer-encoding","chunked"]]', '\x', false),
	('whd_0Vc0qNapzYNyNW4eQ2pGTfB1', 'https://127.0.0.1:43839/two', '[["content-type","application/json; charset=utf-8"],["user-agent","Service-Webhooks/1.0"],["webhook-id","evt_0Vc0qNalBEdMqBmkW4RQqleA"],["webhook-timestamp","1795632834"],["x-service-timestamp","1795632834"],["x-service-event-id","evt_0Vc0qNalBEdMqBmkW4RQqleA"],["x-service-event-type","cart.order.completed"],["x-service-delivery-id","whd_0Vc0qNapzYNyNW4eQ2pGTfB1"],["x-service-attempt","1"]]', 'end', '127.0.0.1', 'TLSv1.3', NULL, NULL, NULL, NULL, 5, 5, '[["date","Wed, 25 Nov 2026 18:53:54 GMT"],["connection","keep-alive"],["keep-alive","timeout=60"],["transfer-encoding","chunked"]]', '\x', false);

INSERT INTO public.delivery_statistics_delta VALUES
	('2026-11-25 18:00:00+00', 1, NULL, NULL, NULL, 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', '{29}'),
	('2026-11-25 18:00:00+00', 1, NULL, NULL, NULL, 'whs_0Vc0qNXHyt812644eQ8xTkMc', '{30}'),
	('2026-11-25 18:00:00+00', NULL, 1, NULL, NULL, 'whs_0Vc0qNXHyt812644eQ8xTkMc', '{4}'),
	('2026-11-25 18:00:00+00', NULL, 1, NULL, NULL, 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', '{5}');

INSERT INTO public.endpoint VALUES
	('whs_0Vc0qNXHyt812644eQ8xTkMc', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'https://127.0.0.1:43839/one', true, NULL, 'ops@shop.example.com', '{cart.order.completed}', NULL, '2026-11-25 18:53:54.475+00', 1, '2026-11-25 18:53:54.251+00', '2026-11-25 18:53:54.251+00', NULL, NULL, NULL, NULL, NULL, 0, NULL, '914'),
	('whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'https://127.0.0.1:43839/two', true, NULL, 'ops@shop.example.com', '{cart.order.completed}', NULL, '2026-11-25 18:53:54.476+00', 1, '2026-11-25 18:53:54.28+00', '2026-11-25 18:53:54.28+00', NULL, NULL, NULL, NULL, NULL, 0, NULL, '915'),
	('whs_0Vc0qNeesnDusbOzznDRKWec', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'https://127.0.0.1:43839/three', false, NULL, 'ops@shop.example.com', '{cart.order.completed}', NULL, NULL, 0, '2026-11-25 18:53:54.708+00', '2026-11-25 18:53:54.708+00', NULL, NULL, NULL, NULL, NULL, 0, NULL, '952');

INSERT INTO public.endpoint_secret VALUES
	('sec_0Vc0qNXHFEoxOiqCideecYI9', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 't1', '\xe85f664983eeb12ee1069008793f61a9a403babda1ebe0ebf081ece4c306f64a61f6fbe0ba1c8db1c777a7ea4d8eba5a4ed14eb96f538a7474bd45cff256f32ab86e8e870305a204c4de78a6c9cd', '2026-11-25 18:53:54.251+00', NULL),
	('sec_0Vc0qNXkM3wYrhOdXV06edEz', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 't1', '\x19f289c926c4f5fee6d7404508617598de63a6563d800fc27f87b44df9df4064ca381e358021861457fd6c2a799664e6972aa5d21d7d5b894b79d1a81ce7bda6cc189e58da0cfe9ed7d461179b48', '2026-11-25 18:53:54.28+00', NULL),
	('sec_0Vc0qNeehxRmBM01zar71lmm', 'whs_0Vc0qNeesnDusbOzznDRKWec', 't1', '\x5ada73a21dc73970f597ad3f0ec5687e72e63d8f1545fcd7ccc8529be15850841a4c1624f9ab1ebacf08f7c286bd86ff7d3bd5d15644dce78e94f090a302e4e36da97b42abb626d600003adca84d', '2026-11-25 18:53:54.708+00', NULL);

INSERT INTO public.event_20261119 VALUES
	('evt_0Vc0qNZLZJa4W2nsj5nlVZjB', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'cart.order.completed', 'v1', 'order:ord_1', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e5a4c5a4a613457326e736a356e6c565a6a42222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22636172742e6f726465722e636f6d706c65746564222c227375626a656374223a226f726465723a6f72645f31222c2274696d65223a22323032362d31312d32355431383a35333a35342e3337395a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f636172742e6f726465722e636f6d706c657465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b226f72646572223a7b226964223a226f72645f74657374222c226f626a656374223a226f72646572222c22637265617465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a222c22636f6d706c657465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a227d2c22636865636b6f7574223a7b226964223a2263686b5f7465737430303030222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a2274657374227d2c226d65746164617461223a7b2274657374223a2274727565227d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c22746f74616c5f6d696e6f725f756e697473223a31313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a2254657374204275796572222c22636f756e747279223a224445227d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f74657374222c226e616d65223a22546573742070726f64756374227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c227461785f70657263656e74616765223a2231392e3030222c22746f74616c5f6d696e6f725f756e697473223a31313930307d5d2c227061796d656e74223a7b226964223a227061795f74657374222c226f626a656374223a227061796d656e74222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a31313930307d2c22616666696c69617465223a6e756c6c7d7d', '2026-11-25 18:53:54.379+00', '2026-11-25 18:53:54.392+00', NULL, '917', '2026-11-25 18:53:54.401284+00', NULL),
	('evt_0Vc0qNalBEdMqBmkW4RQqleA', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'cart.order.completed', 'v1', 'order:ord_1', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e616c4245644d71426d6b57345251716c6541222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22636172742e6f726465722e636f6d706c65746564222c227375626a656374223a226f726465723a6f72645f31222c2274696d65223a22323032362d31312d32355431383a35333a35342e3436375a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f636172742e6f726465722e636f6d706c657465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b226f72646572223a7b226964223a226f72645f74657374222c226f626a656374223a226f72646572222c22637265617465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a222c22636f6d706c657465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a227d2c22636865636b6f7574223a7b226964223a2263686b5f7465737430303030222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a2274657374227d2c226d65746164617461223a7b2274657374223a2274727565227d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c22746f74616c5f6d696e6f725f756e697473223a31313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a2254657374204275796572222c22636f756e747279223a224445227d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f74657374222c226e616d65223a22546573742070726f64756374227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c227461785f70657263656e74616765223a2231392e3030222c22746f74616c5f6d696e6f725f756e697473223a31313930307d5d2c227061796d656e74223a7b226964223a227061795f74657374222c226f626a656374223a227061796d656e74222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a31313930307d2c22616666696c69617465223a6e756c6c7d7d', '2026-11-25 18:53:54.467+00', '2026-11-25 18:53:54.468+00', NULL, '922', '2026-11-25 18:53:54.470047+00', NULL),
	('evt_0Vc0qNc81wPB3ZlMCplN76GV', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'cart.order.completed', 'v1', 'order:ord_1', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e633831775042335a6c4d43706c4e37364756222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22636172742e6f726465722e636f6d706c65746564222c227375626a656374223a226f726465723a6f72645f31222c2274696d65223a22323032362d31312d32355431383a35333a35342e3535325a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f636172742e6f726465722e636f6d706c657465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b226f72646572223a7b226964223a226f72645f74657374222c226f626a656374223a226f72646572222c22637265617465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a222c22636f6d706c657465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a227d2c22636865636b6f7574223a7b226964223a2263686b5f7465737430303030222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a2274657374227d2c226d65746164617461223a7b2274657374223a2274727565227d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c22746f74616c5f6d696e6f725f756e697473223a31313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a2254657374204275796572222c22636f756e747279223a224445227d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f74657374222c226e616d65223a22546573742070726f64756374227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c227461785f70657263656e74616765223a2231392e3030222c22746f74616c5f6d696e6f725f756e697473223a31313930307d5d2c227061796d656e74223a7b226964223a227061795f74657374222c226f626a656374223a227061796d656e74222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a31313930307d2c22616666696c69617465223a6e756c6c7d7d', '2026-11-25 18:53:54.552+00', '2026-11-25 18:53:54.553+00', NULL, '927', '2026-11-25 18:53:54.555358+00', NULL),
	('evt_0Vc0qNcHll4HbywQBY355QPK', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'cart.order.completed', 'v1', 'order:ord_1', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e63486c6c344862797751425933353551504b222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22636172742e6f726465722e636f6d706c65746564222c227375626a656374223a226f726465723a6f72645f31222c2274696d65223a22323032362d31312d32355431383a35333a35342e3536315a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f636172742e6f726465722e636f6d706c657465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b226f72646572223a7b226964223a226f72645f74657374222c226f626a656374223a226f72646572222c22637265617465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a222c22636f6d706c657465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a227d2c22636865636b6f7574223a7b226964223a2263686b5f7465737430303030222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a2274657374227d2c226d65746164617461223a7b2274657374223a2274727565227d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c22746f74616c5f6d696e6f725f756e697473223a31313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a2254657374204275796572222c22636f756e747279223a224445227d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f74657374222c226e616d65223a22546573742070726f64756374227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c227461785f70657263656e74616765223a2231392e3030222c22746f74616c5f6d696e6f725f756e697473223a31313930307d5d2c227061796d656e74223a7b226964223a227061795f74657374222c226f626a656374223a227061796d656e74222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a31313930307d2c22616666696c69617465223a6e756c6c7d7d', '2026-11-25 18:53:54.561+00', '2026-11-25 18:53:54.562+00', NULL, '928', '2026-11-25 18:53:54.56345+00', NULL),
	('evt_0Vc0qNcNrxavl0GFB1YBtWlG', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'cart.order.completed', 'v1', 'order:ord_1', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e634e727861766c3047464231594274576c47222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22636172742e6f726465722e636f6d706c65746564222c227375626a656374223a226f726465723a6f72645f31222c2274696d65223a22323032362d31312d32355431383a35333a35342e3536375a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f636172742e6f726465722e636f6d706c657465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b226f72646572223a7b226964223a226f72645f74657374222c226f626a656374223a226f72646572222c22637265617465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a222c22636f6d706c657465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a227d2c22636865636b6f7574223a7b226964223a2263686b5f7465737430303030222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a2274657374227d2c226d65746164617461223a7b2274657374223a2274727565227d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c22746f74616c5f6d696e6f725f756e697473223a31313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a2254657374204275796572222c22636f756e747279223a224445227d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f74657374222c226e616d65223a22546573742070726f64756374227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c227461785f70657263656e74616765223a2231392e3030222c22746f74616c5f6d696e6f725f756e697473223a31313930307d5d2c227061796d656e74223a7b226964223a227061795f74657374222c226f626a656374223a227061796d656e74222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a31313930307d2c22616666696c69617465223a6e756c6c7d7d', '2026-11-25 18:53:54.567+00', '2026-11-25 18:53:54.568+00', NULL, '929', '2026-11-25 18:53:54.569945+00', NULL),
	('evt_0Vc0qNcUH1JZbQRswh1O7u4V', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'cart.order.completed', 'v1', 'order:ord_1', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e635548314a5a625152737768314f37753456222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22636172742e6f726465722e636f6d706c65746564222c227375626a656374223a226f726465723a6f72645f31222c2274696d65223a22323032362d31312d32355431383a35333a35342e3537345a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f636172742e6f726465722e636f6d706c657465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b226f72646572223a7b226964223a226f72645f74657374222c226f626a656374223a226f72646572222c22637265617465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a222c22636f6d706c657465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a227d2c22636865636b6f7574223a7b226964223a2263686b5f7465737430303030222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a2274657374227d2c226d65746164617461223a7b2274657374223a2274727565227d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c22746f74616c5f6d696e6f725f756e697473223a31313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a2254657374204275796572222c22636f756e747279223a224445227d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f74657374222c226e616d65223a22546573742070726f64756374227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c227461785f70657263656e74616765223a2231392e3030222c22746f74616c5f6d696e6f725f756e697473223a31313930307d5d2c227061796d656e74223a7b226964223a227061795f74657374222c226f626a656374223a227061796d656e74222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a31313930307d2c22616666696c69617465223a6e756c6c7d7d', '2026-11-25 18:53:54.574+00', '2026-11-25 18:53:54.574+00', NULL, '930', '2026-11-25 18:53:54.576499+00', NULL),
	('evt_0Vc0qNca6SpOW9wst6Fe6hVV', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'cart.order.completed', 'v1', 'order:ord_1', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e63613653704f573977737436466536685656222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22636172742e6f726465722e636f6d706c65746564222c227375626a656374223a226f726465723a6f72645f31222c2274696d65223a22323032362d31312d32355431383a35333a35342e3538305a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f636172742e6f726465722e636f6d706c657465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b226f72646572223a7b226964223a226f72645f74657374222c226f626a656374223a226f72646572222c22637265617465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a222c22636f6d706c657465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a227d2c22636865636b6f7574223a7b226964223a2263686b5f7465737430303030222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a2274657374227d2c226d65746164617461223a7b2274657374223a2274727565227d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c22746f74616c5f6d696e6f725f756e697473223a31313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a2254657374204275796572222c22636f756e747279223a224445227d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f74657374222c226e616d65223a22546573742070726f64756374227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c227461785f70657263656e74616765223a2231392e3030222c22746f74616c5f6d696e6f725f756e697473223a31313930307d5d2c227061796d656e74223a7b226964223a227061795f74657374222c226f626a656374223a227061796d656e74222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a31313930307d2c22616666696c69617465223a6e756c6c7d7d', '2026-11-25 18:53:54.58+00', '2026-11-25 18:53:54.581+00', NULL, '931', '2026-11-25 18:53:54.582215+00', NULL),
	('evt_0Vc0qNcfK7rzAMOpqZZuh29m', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'cart.order.completed', 'v1', 'order:ord_1', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e63664b37727a414d4f70715a5a756832396d222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22636172742e6f726465722e636f6d706c65746564222c227375626a656374223a226f726465723a6f72645f31222c2274696d65223a22323032362d31312d32355431383a35333a35342e3538355a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f636172742e6f726465722e636f6d706c657465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b226f72646572223a7b226964223a226f72645f74657374222c226f626a656374223a226f72646572222c22637265617465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a222c22636f6d706c657465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a227d2c22636865636b6f7574223a7b226964223a2263686b5f7465737430303030222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a2274657374227d2c226d65746164617461223a7b2274657374223a2274727565227d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c22746f74616c5f6d696e6f725f756e697473223a31313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a2254657374204275796572222c22636f756e747279223a224445227d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f74657374222c226e616d65223a22546573742070726f64756374227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c227461785f70657263656e74616765223a2231392e3030222c22746f74616c5f6d696e6f725f756e697473223a31313930307d5d2c227061796d656e74223a7b226964223a227061795f74657374222c226f626a656374223a227061796d656e74222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a31313930307d2c22616666696c69617465223a6e756c6c7d7d', '2026-11-25 18:53:54.585+00', '2026-11-25 18:53:54.586+00', NULL, '932', '2026-11-25 18:53:54.586564+00', NULL),
	('evt_0Vc0qNcjuGYwC3ceH8WvuOcW', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'cart.order.completed', 'v1', 'order:ord_1', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e636a754759774333636548385776754f6357222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22636172742e6f726465722e636f6d706c65746564222c227375626a656374223a226f726465723a6f72645f31222c2274696d65223a22323032362d31312d32355431383a35333a35342e3538395a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f636172742e6f726465722e636f6d706c657465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b226f72646572223a7b226964223a226f72645f74657374222c226f626a656374223a226f72646572222c22637265617465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a222c22636f6d706c657465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a227d2c22636865636b6f7574223a7b226964223a2263686b5f7465737430303030222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a2274657374227d2c226d65746164617461223a7b2274657374223a2274727565227d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c22746f74616c5f6d696e6f725f756e697473223a31313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a2254657374204275796572222c22636f756e747279223a224445227d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f74657374222c226e616d65223a22546573742070726f64756374227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c227461785f70657263656e74616765223a2231392e3030222c22746f74616c5f6d696e6f725f756e697473223a31313930307d5d2c227061796d656e74223a7b226964223a227061795f74657374222c226f626a656374223a227061796d656e74222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a31313930307d2c22616666696c69617465223a6e756c6c7d7d', '2026-11-25 18:53:54.589+00', '2026-11-25 18:53:54.59+00', NULL, '933', '2026-11-25 18:53:54.591223+00', NULL),
	('evt_0Vc0qNcncLWtN6OwU7WpVqB0', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'cart.order.completed', 'v1', 'order:ord_1', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e636e634c57744e364f775537577056714230222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22636172742e6f726465722e636f6d706c65746564222c227375626a656374223a226f726465723a6f72645f31222c2274696d65223a22323032362d31312d32355431383a35333a35342e3539335a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f636172742e6f726465722e636f6d706c657465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b226f72646572223a7b226964223a226f72645f74657374222c226f626a656374223a226f72646572222c22637265617465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a222c22636f6d706c657465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a227d2c22636865636b6f7574223a7b226964223a2263686b5f7465737430303030222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a2274657374227d2c226d65746164617461223a7b2274657374223a2274727565227d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c22746f74616c5f6d696e6f725f756e697473223a31313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a2254657374204275796572222c22636f756e747279223a224445227d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f74657374222c226e616d65223a22546573742070726f64756374227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c227461785f70657263656e74616765223a2231392e3030222c22746f74616c5f6d696e6f725f756e697473223a31313930307d5d2c227061796d656e74223a7b226964223a227061795f74657374222c226f626a656374223a227061796d656e74222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a31313930307d2c22616666696c69617465223a6e756c6c7d7d', '2026-11-25 18:53:54.593+00', '2026-11-25 18:53:54.594+00', NULL, '934', '2026-11-25 18:53:54.595115+00', NULL),
	('evt_0Vc0qNcy63l8Gz5OEpBLymk3', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'cart.order.completed', 'v1', 'order:ord_1', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e637936336c38477a354f4570424c796d6b33222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22636172742e6f726465722e636f6d706c65746564222c227375626a656374223a226f726465723a6f72645f31222c2274696d65223a22323032362d31312d32355431383a35333a35342e3630345a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f636172742e6f726465722e636f6d706c657465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b226f72646572223a7b226964223a226f72645f74657374222c226f626a656374223a226f72646572222c22637265617465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a222c22636f6d706c657465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a227d2c22636865636b6f7574223a7b226964223a2263686b5f7465737430303030222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a2274657374227d2c226d65746164617461223a7b2274657374223a2274727565227d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c22746f74616c5f6d696e6f725f756e697473223a31313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a2254657374204275796572222c22636f756e747279223a224445227d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f74657374222c226e616d65223a22546573742070726f64756374227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c227461785f70657263656e74616765223a2231392e3030222c22746f74616c5f6d696e6f725f756e697473223a31313930307d5d2c227061796d656e74223a7b226964223a227061795f74657374222c226f626a656374223a227061796d656e74222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a31313930307d2c22616666696c69617465223a6e756c6c7d7d', '2026-11-25 18:53:54.604+00', '2026-11-25 18:53:54.606+00', NULL, '935', '2026-11-25 18:53:54.606986+00', NULL),
	('evt_0Vc0qNd46n2R2k06AdcCgkv7', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'cart.order.completed', 'v1', 'order:ord_1', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e6434366e3252326b303641646343676b7637222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22636172742e6f726465722e636f6d706c65746564222c227375626a656374223a226f726465723a6f72645f31222c2274696d65223a22323032362d31312d32355431383a35333a35342e3631305a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f636172742e6f726465722e636f6d706c657465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b226f72646572223a7b226964223a226f72645f74657374222c226f626a656374223a226f72646572222c22637265617465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a222c22636f6d706c657465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a227d2c22636865636b6f7574223a7b226964223a2263686b5f7465737430303030222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a2274657374227d2c226d65746164617461223a7b2274657374223a2274727565227d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c22746f74616c5f6d696e6f725f756e697473223a31313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a2254657374204275796572222c22636f756e747279223a224445227d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f74657374222c226e616d65223a22546573742070726f64756374227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c227461785f70657263656e74616765223a2231392e3030222c22746f74616c5f6d696e6f725f756e697473223a31313930307d5d2c227061796d656e74223a7b226964223a227061795f74657374222c226f626a656374223a227061796d656e74222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a31313930307d2c22616666696c69617465223a6e756c6c7d7d', '2026-11-25 18:53:54.61+00', '2026-11-25 18:53:54.611+00', NULL, '936', '2026-11-25 18:53:54.611712+00', NULL),
	('evt_0Vc0qNd8tOfPDVCcBdUjwWoG', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'cart.order.completed', 'v1', 'order:ord_1', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e6438744f6650445643634264556a77576f47222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22636172742e6f726465722e636f6d706c65746564222c227375626a656374223a226f726465723a6f72645f31222c2274696d65223a22323032362d31312d32355431383a35333a35342e3631345a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f636172742e6f726465722e636f6d706c657465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b226f72646572223a7b226964223a226f72645f74657374222c226f626a656374223a226f72646572222c22637265617465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a222c22636f6d706c657465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a227d2c22636865636b6f7574223a7b226964223a2263686b5f7465737430303030222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a2274657374227d2c226d65746164617461223a7b2274657374223a2274727565227d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c22746f74616c5f6d696e6f725f756e697473223a31313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a2254657374204275796572222c22636f756e747279223a224445227d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f74657374222c226e616d65223a22546573742070726f64756374227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c227461785f70657263656e74616765223a2231392e3030222c22746f74616c5f6d696e6f725f756e697473223a31313930307d5d2c227061796d656e74223a7b226964223a227061795f74657374222c226f626a656374223a227061796d656e74222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a31313930307d2c22616666696c69617465223a6e756c6c7d7d', '2026-11-25 18:53:54.614+00', '2026-11-25 18:53:54.615+00', NULL, '937', '2026-11-25 18:53:54.615714+00', NULL),
	('evt_0Vc0qNdDnaDju7fxW9lqU295', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'cart.order.completed', 'v1', 'order:ord_1', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e64446e61446a7537667857396c7155323935222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22636172742e6f726465722e636f6d706c65746564222c227375626a656374223a226f726465723a6f72645f31222c2274696d65223a22323032362d31312d32355431383a35333a35342e3631395a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f636172742e6f726465722e636f6d706c657465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b226f72646572223a7b226964223a226f72645f74657374222c226f626a656374223a226f72646572222c22637265617465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a222c22636f6d706c657465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a227d2c22636865636b6f7574223a7b226964223a2263686b5f7465737430303030222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a2274657374227d2c226d65746164617461223a7b2274657374223a2274727565227d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c22746f74616c5f6d696e6f725f756e697473223a31313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a2254657374204275796572222c22636f756e747279223a224445227d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f74657374222c226e616d65223a22546573742070726f64756374227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c227461785f70657263656e74616765223a2231392e3030222c22746f74616c5f6d696e6f725f756e697473223a31313930307d5d2c227061796d656e74223a7b226964223a227061795f74657374222c226f626a656374223a227061796d656e74222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a31313930307d2c22616666696c69617465223a6e756c6c7d7d', '2026-11-25 18:53:54.619+00', '2026-11-25 18:53:54.619+00', NULL, '938', '2026-11-25 18:53:54.62042+00', NULL),
	('evt_0Vc0qNdH2X4WQKNL9OFBRUVw', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'cart.order.completed', 'v1', 'order:ord_1', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e644832583457514b4e4c394f464252555677222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22636172742e6f726465722e636f6d706c65746564222c227375626a656374223a226f726465723a6f72645f31222c2274696d65223a22323032362d31312d32355431383a35333a35342e3632335a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f636172742e6f726465722e636f6d706c657465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b226f72646572223a7b226964223a226f72645f74657374222c226f626a656374223a226f72646572222c22637265617465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a222c22636f6d706c657465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a227d2c22636865636b6f7574223a7b226964223a2263686b5f7465737430303030222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a2274657374227d2c226d65746164617461223a7b2274657374223a2274727565227d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c22746f74616c5f6d696e6f725f756e697473223a31313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a2254657374204275796572222c22636f756e747279223a224445227d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f74657374222c226e616d65223a22546573742070726f64756374227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c227461785f70657263656e74616765223a2231392e3030222c22746f74616c5f6d696e6f725f756e697473223a31313930307d5d2c227061796d656e74223a7b226964223a227061795f74657374222c226f626a656374223a227061796d656e74222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a31313930307d2c22616666696c69617465223a6e756c6c7d7d', '2026-11-25 18:53:54.623+00', '2026-11-25 18:53:54.623+00', NULL, '939', '2026-11-25 18:53:54.623932+00', NULL),
	('evt_0Vc0qNdKVNOQlrLzEpvQyGgW', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'cart.order.completed', 'v1', 'order:ord_1', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e644b564e4f516c724c7a4570765179476757222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22636172742e6f726465722e636f6d706c65746564222c227375626a656374223a226f726465723a6f72645f31222c2274696d65223a22323032362d31312d32355431383a35333a35342e3632365a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f636172742e6f726465722e636f6d706c657465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b226f72646572223a7b226964223a226f72645f74657374222c226f626a656374223a226f72646572222c22637265617465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a222c22636f6d706c657465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a227d2c22636865636b6f7574223a7b226964223a2263686b5f7465737430303030222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a2274657374227d2c226d65746164617461223a7b2274657374223a2274727565227d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c22746f74616c5f6d696e6f725f756e697473223a31313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a2254657374204275796572222c22636f756e747279223a224445227d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f74657374222c226e616d65223a22546573742070726f64756374227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c227461785f70657263656e74616765223a2231392e3030222c22746f74616c5f6d696e6f725f756e697473223a31313930307d5d2c227061796d656e74223a7b226964223a227061795f74657374222c226f626a656374223a227061796d656e74222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a31313930307d2c22616666696c69617465223a6e756c6c7d7d', '2026-11-25 18:53:54.626+00', '2026-11-25 18:53:54.627+00', NULL, '940', '2026-11-25 18:53:54.627802+00', NULL),
	('evt_0Vc0qNdOZgMS5ELacRkDAvQE', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'cart.order.completed', 'v1', 'order:ord_1', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e644f5a674d5335454c6163526b4441765145222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22636172742e6f726465722e636f6d706c65746564222c227375626a656374223a226f726465723a6f72645f31222c2274696d65223a22323032362d31312d32355431383a35333a35342e3633305a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f636172742e6f726465722e636f6d706c657465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b226f72646572223a7b226964223a226f72645f74657374222c226f626a656374223a226f72646572222c22637265617465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a222c22636f6d706c657465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a227d2c22636865636b6f7574223a7b226964223a2263686b5f7465737430303030222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a2274657374227d2c226d65746164617461223a7b2274657374223a2274727565227d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c22746f74616c5f6d696e6f725f756e697473223a31313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a2254657374204275796572222c22636f756e747279223a224445227d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f74657374222c226e616d65223a22546573742070726f64756374227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c227461785f70657263656e74616765223a2231392e3030222c22746f74616c5f6d696e6f725f756e697473223a31313930307d5d2c227061796d656e74223a7b226964223a227061795f74657374222c226f626a656374223a227061796d656e74222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a31313930307d2c22616666696c69617465223a6e756c6c7d7d', '2026-11-25 18:53:54.63+00', '2026-11-25 18:53:54.63+00', NULL, '941', '2026-11-25 18:53:54.631124+00', NULL),
	('evt_0Vc0qNdRyi7sH6cMG6xIMnlR', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'cart.order.completed', 'v1', 'order:ord_1', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e6452796937734836634d473678494d6e6c52222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22636172742e6f726465722e636f6d706c65746564222c227375626a656374223a226f726465723a6f72645f31222c2274696d65223a22323032362d31312d32355431383a35333a35342e3633335a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f636172742e6f726465722e636f6d706c657465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b226f72646572223a7b226964223a226f72645f74657374222c226f626a656374223a226f72646572222c22637265617465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a222c22636f6d706c657465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a227d2c22636865636b6f7574223a7b226964223a2263686b5f7465737430303030222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a2274657374227d2c226d65746164617461223a7b2274657374223a2274727565227d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c22746f74616c5f6d696e6f725f756e697473223a31313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a2254657374204275796572222c22636f756e747279223a224445227d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f74657374222c226e616d65223a22546573742070726f64756374227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c227461785f70657263656e74616765223a2231392e3030222c22746f74616c5f6d696e6f725f756e697473223a31313930307d5d2c227061796d656e74223a7b226964223a227061795f74657374222c226f626a656374223a227061796d656e74222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a31313930307d2c22616666696c69617465223a6e756c6c7d7d', '2026-11-25 18:53:54.633+00', '2026-11-25 18:53:54.633+00', NULL, '942', '2026-11-25 18:53:54.634263+00', NULL),
	('evt_0Vc0qNdUTvVQ8MChBvJkW814', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'cart.order.completed', 'v1', 'order:ord_1', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e645554765651384d436842764a6b57383134222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22636172742e6f726465722e636f6d706c65746564222c227375626a656374223a226f726465723a6f72645f31222c2274696d65223a22323032362d31312d32355431383a35333a35342e3633365a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f636172742e6f726465722e636f6d706c657465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b226f72646572223a7b226964223a226f72645f74657374222c226f626a656374223a226f72646572222c22637265617465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a222c22636f6d706c657465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a227d2c22636865636b6f7574223a7b226964223a2263686b5f7465737430303030222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a2274657374227d2c226d65746164617461223a7b2274657374223a2274727565227d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c22746f74616c5f6d696e6f725f756e697473223a31313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a2254657374204275796572222c22636f756e747279223a224445227d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f74657374222c226e616d65223a22546573742070726f64756374227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c227461785f70657263656e74616765223a2231392e3030222c22746f74616c5f6d696e6f725f756e697473223a31313930307d5d2c227061796d656e74223a7b226964223a227061795f74657374222c226f626a656374223a227061796d656e74222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a31313930307d2c22616666696c69617465223a6e756c6c7d7d', '2026-11-25 18:53:54.636+00', '2026-11-25 18:53:54.639+00', NULL, '943', '2026-11-25 18:53:54.639787+00', NULL),
	('evt_0Vc0qNdabdvCgRg7FqJwLiaZ', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'cart.order.completed', 'v1', 'order:ord_1', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e6461626476436752673746714a774c69615a222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22636172742e6f726465722e636f6d706c65746564222c227375626a656374223a226f726465723a6f72645f31222c2274696d65223a22323032362d31312d32355431383a35333a35342e3634325a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f636172742e6f726465722e636f6d706c657465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b226f72646572223a7b226964223a226f72645f74657374222c226f626a656374223a226f72646572222c22637265617465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a222c22636f6d706c657465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a227d2c22636865636b6f7574223a7b226964223a2263686b5f7465737430303030222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a2274657374227d2c226d65746164617461223a7b2274657374223a2274727565227d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c22746f74616c5f6d696e6f725f756e697473223a31313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a2254657374204275796572222c22636f756e747279223a224445227d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f74657374222c226e616d65223a22546573742070726f64756374227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c227461785f70657263656e74616765223a2231392e3030222c22746f74616c5f6d696e6f725f756e697473223a31313930307d5d2c227061796d656e74223a7b226964223a227061795f74657374222c226f626a656374223a227061796d656e74222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a31313930307d2c22616666696c69617465223a6e756c6c7d7d', '2026-11-25 18:53:54.642+00', '2026-11-25 18:53:54.643+00', NULL, '944', '2026-11-25 18:53:54.643659+00', NULL),
	('evt_0Vc0qNdfJpDmlYB6v0B1gM9f', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'cart.order.completed', 'v1', 'order:ord_1', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e64664a70446d6c59423676304231674d3966222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22636172742e6f726465722e636f6d706c65746564222c227375626a656374223a226f726465723a6f72645f31222c2274696d65223a22323032362d31312d32355431383a35333a35342e3634375a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f636172742e6f726465722e636f6d706c657465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b226f72646572223a7b226964223a226f72645f74657374222c226f626a656374223a226f72646572222c22637265617465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a222c22636f6d706c657465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a227d2c22636865636b6f7574223a7b226964223a2263686b5f7465737430303030222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a2274657374227d2c226d65746164617461223a7b2274657374223a2274727565227d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c22746f74616c5f6d696e6f725f756e697473223a31313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a2254657374204275796572222c22636f756e747279223a224445227d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f74657374222c226e616d65223a22546573742070726f64756374227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c227461785f70657263656e74616765223a2231392e3030222c22746f74616c5f6d696e6f725f756e697473223a31313930307d5d2c227061796d656e74223a7b226964223a227061795f74657374222c226f626a656374223a227061796d656e74222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a31313930307d2c22616666696c69617465223a6e756c6c7d7d', '2026-11-25 18:53:54.647+00', '2026-11-25 18:53:54.648+00', NULL, '945', '2026-11-25 18:53:54.648818+00', NULL),
	('evt_0Vc0qNdkmEpcrDpd1nVXSr9u', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'cart.order.completed', 'v1', 'order:ord_1', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e646b6d45706372447064316e565853723975222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22636172742e6f726465722e636f6d706c65746564222c227375626a656374223a226f726465723a6f72645f31222c2274696d65223a22323032362d31312d32355431383a35333a35342e3635325a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f636172742e6f726465722e636f6d706c657465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b226f72646572223a7b226964223a226f72645f74657374222c226f626a656374223a226f72646572222c22637265617465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a222c22636f6d706c657465645f6174223a22323032362d30312d30315431323a30303a30302e3030305a227d2c22636865636b6f7574223a7b226964223a2263686b5f7465737430303030222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a2274657374227d2c226d65746164617461223a7b2274657374223a2274727565227d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c22746f74616c5f6d696e6f725f756e697473223a31313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a2254657374204275796572222c22636f756e747279223a224445227d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f74657374222c226e616d65223a22546573742070726f64756374227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a31303030302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a313930302c227461785f70657263656e74616765223a2231392e3030222c22746f74616c5f6d696e6f725f756e697473223a31313930307d5d2c227061796d656e74223a7b226964223a227061795f74657374222c226f626a656374223a227061796d656e74222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a31313930307d2c22616666696c69617465223a6e756c6c7d7d', '2026-11-25 18:53:54.652+00', '2026-11-25 18:53:54.652+00', NULL, '946', '2026-11-25 18:53:54.652862+00', NULL),
	('evt_0Vc0qNdx3gYeJ3KoY6g7aDw0', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'cart.checkout.created', 'v1', 'checkout:chk_0Vc0qNdxX30Uwuxm7ldALX8i', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e6478336759654a334b6f5936673761447730222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22636172742e636865636b6f75742e63726561746564222c227375626a656374223a22636865636b6f75743a63686b5f30566330714e6478583330557775786d376c64414c583869222c2274696d65223a22323032362d31312d32355431383a35333a35342e3636355a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f636172742e636865636b6f75742e637265617465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b22636865636b6f7574223a7b226964223a2263686b5f30566330714e6478583330557775786d376c64414c583869222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a22222c22637265617465645f6174223a22323032362d31312d32355431383a35333a35342e3636355a222c22657870697265735f6174223a22323032362d31312d32355431393a32333a35342e3636355a227d2c226d65746164617461223a7b7d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a313930302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a302c22746f74616c5f6d696e6f725f756e697473223a313930307d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f30566330714e64784579316674436d767666506459385651222c226e616d65223a22506f73746572227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a313930302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a302c227461785f70657263656e74616765223a22302e3030222c22746f74616c5f6d696e6f725f756e697473223a313930307d5d7d7d', '2026-11-25 18:53:54.665+00', '2026-11-25 18:53:54.665+00', NULL, '947', '2026-11-25 18:53:54.673037+00', NULL),
	('evt_0Vc0qNeEGZX7DYAyq82gTEjJ', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'cart.order.completed', 'v1', 'order:ord_0Vc0qNeE76NENuHMYwqOu5fS', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e6545475a5837445941797138326754456a4a222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22636172742e6f726465722e636f6d706c65746564222c227375626a656374223a226f726465723a6f72645f30566330714e654537364e454e75484d5977714f75356653222c2274696d65223a22323032362d31312d32355431383a35333a35342e3638325a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f636172742e6f726465722e636f6d706c657465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b226f72646572223a7b226964223a226f72645f30566330714e654537364e454e75484d5977714f75356653222c226f626a656374223a226f72646572222c22637265617465645f6174223a22323032362d31312d32355431383a35333a35342e3638325a222c22636f6d706c657465645f6174223a22323032362d31312d32355431383a35333a35342e3638325a227d2c22636865636b6f7574223a7b226964223a2263686b5f30566330714e6478583330557775786d376c64414c583869222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a22227d2c226d65746164617461223a7b7d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a313930302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a302c22746f74616c5f6d696e6f725f756e697473223a313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a6e756c6c2c22636f756e747279223a6e756c6c7d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f30566330714e64784579316674436d767666506459385651222c226e616d65223a22506f73746572227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a313930302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a302c227461785f70657263656e74616765223a22302e3030222c22746f74616c5f6d696e6f725f756e697473223a313930307d5d2c227061796d656e74223a7b226964223a227061795f30566330714e65453269316c6b59576c3158575971344f73222c226f626a656374223a227061796d656e74222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a313930307d2c22616666696c69617465223a6e756c6c7d7d', '2026-11-25 18:53:54.682+00', '2026-11-25 18:53:54.682+00', NULL, '950', '2026-11-25 18:53:54.699859+00', NULL),
	('evt_0Vc0qNeEEJYkQDdJYCmFuKTf', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'order.completed', 'v1', 'order:ord_0Vc0qNeE76NENuHMYwqOu5fS', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e6545454a596b5144644a59436d46754b5466222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a226f726465722e636f6d706c65746564222c227375626a656374223a226f726465723a6f72645f30566330714e654537364e454e75484d5977714f75356653222c2274696d65223a22323032362d31312d32355431383a35333a35342e3638325a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f6f726465722e636f6d706c657465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b226f726465725f6964223a226f72645f30566330714e654537364e454e75484d5977714f75356653222c226f72646572223a7b226964223a226f72645f30566330714e654537364e454e75484d5977714f75356653222c226f626a656374223a226f72646572222c22637265617465645f6174223a22323032362d31312d32355431383a35333a35342e3638325a222c22636f6d706c657465645f6174223a22323032362d31312d32355431383a35333a35342e3638325a227d2c22636865636b6f7574223a7b226964223a2263686b5f30566330714e6478583330557775786d376c64414c583869222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a22227d2c226d65746164617461223a7b7d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a313930302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a302c22746f74616c5f6d696e6f725f756e697473223a313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a6e756c6c2c22636f756e747279223a6e756c6c7d2c226c696e655f6974656d73223a5b7b2270726f64756374223a7b226964223a2270726f645f30566330714e64784579316674436d767666506459385651222c226e616d65223a22506f73746572227d2c227175616e74697479223a312c22756e69745f616d6f756e745f6d696e6f725f756e697473223a313930302c22646973636f756e745f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a302c227461785f70657263656e74616765223a22302e3030222c22746f74616c5f6d696e6f725f756e697473223a313930307d5d2c227061796d656e74223a7b226964223a227061795f30566330714e65453269316c6b59576c3158575971344f73222c226f626a656374223a227061796d656e74222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a313930307d2c22616666696c69617465223a6e756c6c7d7d', '2026-11-25 18:53:54.682+00', '2026-11-25 18:53:54.682+00', NULL, '950', '2026-11-25 18:53:54.701657+00', NULL),
	('evt_0Vc0qNeEzFzXWXJRPg4LDmle', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'payment.sale.succeeded', 'v1', 'payment:pay_0Vc0qNeE2i1lkYWl1XWYq4Os', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e65457a467a5857584a525067344c446d6c65222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a227061796d656e742e73616c652e737563636565646564222c227375626a656374223a227061796d656e743a7061795f30566330714e65453269316c6b59576c3158575971344f73222c2274696d65223a22323032362d31312d32355431383a35333a35342e3638325a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f7061796d656e742e73616c652e7375636365656465642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b227061796d656e74223a7b226964223a227061795f30566330714e65453269316c6b59576c3158575971344f73222c226f626a656374223a227061796d656e74222c22737461747573223a22737563636565646564222c226d6574686f64223a2263617264222c22616d6f756e745f6d696e6f725f756e697473223a313930302c226665655f6d696e6f725f756e697473223a302c226e65745f6d696e6f725f756e697473223a313930302c22637265617465645f6174223a22323032362d31312d32355431383a35333a35342e3638325a222c22636173685f666c6f775f6174223a22323032362d31312d32355431383a35333a35342e3638325a227d2c226f72646572223a7b226964223a226f72645f30566330714e654537364e454e75484d5977714f75356653222c226f626a656374223a226f72646572227d2c22636865636b6f7574223a7b226964223a2263686b5f30566330714e6478583330557775786d376c64414c583869222c226f626a656374223a22636865636b6f7574222c2265787465726e616c5f7265666572656e6365223a22227d2c2263757272656e6379223a22455552222c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a6e756c6c2c22636f756e747279223a6e756c6c7d7d7d', '2026-11-25 18:53:54.682+00', '2026-11-25 18:53:54.682+00', NULL, '950', '2026-11-25 18:53:54.70284+00', NULL),
	('evt_0Vc0qNeEz0z4ZsRAQkKKgdl8', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'invoice.issued', 'v1', 'invoice:inv_0Vc0qNeET4ErlDuO8kVnZHAV', false, '\x7b227370656376657273696f6e223a22312e30222c226964223a226576745f30566330714e65457a307a345a735241516b4b4b67646c38222c22736f75726365223a22687474703a2f2f3132372e302e302e313a32313135332f76312f636f6d6d65726365222c2274797065223a22696e766f6963652e697373756564222c227375626a656374223a22696e766f6963653a696e765f30566330714e6545543445726c44754f386b566e5a484156222c2274696d65223a22323032362d31312d32355431383a35333a35342e3638325a222c2264617461636f6e74656e7474797065223a226170706c69636174696f6e2f6a736f6e222c2264617461736368656d61223a22687474703a2f2f3132372e302e302e313a32313135332f736368656d61732f6576656e74732f696e766f6963652e6973737565642f7631222c226576656e7476657273696f6e223a227631222c2274657374223a66616c73652c2264617461223a7b22696e766f696365223a7b226964223a22696e765f30566330714e6545543445726c44754f386b566e5a484156222c226f626a656374223a22696e766f696365222c226e756d626572223a22494e562d303030303031222c2274797065223a22696e766f696365222c226973737565645f6174223a22323032362d31312d32355431383a35333a35342e3638325a227d2c226f72646572223a7b226964223a226f72645f30566330714e654537364e454e75484d5977714f75356653222c226f626a656374223a226f72646572227d2c227061796d656e74223a7b226964223a227061795f30566330714e65453269316c6b59576c3158575971344f73222c226f626a656374223a227061796d656e74227d2c2263757272656e6379223a22455552222c22746f74616c73223a7b2263757272656e6379223a22455552222c22737562746f74616c5f6d696e6f725f756e697473223a313930302c22646973636f756e745f6d696e6f725f756e697473223a302c227368697070696e675f6d696e6f725f756e697473223a302c227461785f6d696e6f725f756e697473223a302c22746f74616c5f6d696e6f725f756e697473223a313930307d2c226275796572223a7b22656d61696c223a226275796572406578616d706c652e636f6d222c226e616d65223a6e756c6c2c22636f756e747279223a6e756c6c7d7d7d', '2026-11-25 18:53:54.682+00', '2026-11-25 18:53:54.682+00', NULL, '950', '2026-11-25 18:53:54.703938+00', NULL);

INSERT INTO public.event_type VALUES
	('cart.checkout.created', 'checkouts', 'Checkout created', 'A checkout exists and its buyer can pay.', true, true, true, 'enforce', ''),
	('cart.checkout.expired', 'checkouts', 'Checkout expired', 'A checkout ended without a successful payment.', true, true, true, 'enforce', ''),
	('cart.abandoned', 'checkouts', 'Cart abandoned', 'A cart never became a checkout.', true, false, true, 'enforce', ''),
	('cart.order.completed', 'orders', 'Order completed', 'The payment of a checkout succeeded and its order is complete. Carries the checkout metadata.', true, true, true, 'enforce', ''),
	('order.completed', 'orders', 'Order completed (legacy)', 'What cart.order.completed replaces; only existing subscriptions receive it.', false, true, true, 'enforce', ''),
	('payment.sale.succeeded', 'payments', 'Payment succeeded', 'A buyer’s payment succeeded.', true, true, true, 'enforce', ''),
	('payment.sale.failed', 'payments', 'Payment failed', 'A buyer’s payment failed.', true, false, true, 'enforce', ''),
	('payment.refund.created', 'payments', 'Refund created', 'A payment was refunded, in full or in part.', true, true, true, 'enforce', ''),
	('payment.refund.reversed', 'payments', 'Refund reversed', 'A refund was taken back.', true, false, true, 'enforce', ''),
	('payment.dispute.opened', 'disputes', 'Dispute opened', 'A buyer disputes a payment.', true, false, true, 'enforce', ''),
	('payment.dispute.won', 'disputes', 'Dispute won', 'A dispute ended in the seller’s favour.', true, false, true, 'enforce', ''),
	('payment.dispute.lost', 'disputes', 'Dispute lost', 'A dispute ended in the buyer’s favour.', true, false, true, 'enforce', ''),
	('payment.dispute.counter_fee.created', 'disputes', 'Dispute fee charged', 'Contesting a dispute cost a fee.', true, false, true, 'enforce', ''),
	('payment.chargeback.created', 'chargebacks', 'Chargeback created', 'A payment was charged back.', true, false, true, 'enforce', ''),
	('payment.chargeback.reversed', 'chargebacks', 'Chargeback reversed', 'A chargeback was taken back.', true, false, true, 'enforce', ''),
	('subscription.created', 'subscriptions', 'Subscription created', 'A recurring purchase began.', true, false, true, 'enforce', ''),
	('subscription.renewed', 'subscriptions', 'Subscription renewed', 'A recurring purchase was paid again.', true, false, true, 'enforce', ''),
	('subscription.amount_changed', 'subscriptions', 'Subscription amount changed', 'The amount of a recurring purchase changed.', true, false, true, 'enforce', ''),
	('subscription.cancelled', 'subscriptions', 'Subscription cancelled', 'A recurring purchase ended.', true, false, true, 'enforce', ''),
	('invoice.issued', 'invoices', 'Invoice issued', 'An order was invoiced.', true, true, true, 'enforce', ''),
	('invoice.credit_note.issued', 'invoices', 'Credit note issued', 'A refund was documented by a credit note.', true, true, true, 'enforce', ''),
	('offer.created', 'offers', 'Offer created', 'An offer was drafted.', true, true, true, 'enforce', ''),
	('offer.sent', 'offers', 'Offer sent', 'An offer went out, for the first time or again.', true, true, true, 'enforce', ''),
	('offer.accepted', 'offers', 'Offer accepted', 'An offer was paid.', true, true, true, 'enforce', ''),
	('offer.cancelled', 'offers', 'Offer cancelled', 'An offer was withdrawn.', true, true, true, 'enforce', ''),
	('payouts.transfer.completed', 'payouts', 'Payout completed', 'A payout reached its bank account.', true, false, true, 'enforce', ''),
	('webhook.endpoint.failing', 'webhooks', 'Endpoint failing', 'Every attempt to deliver to an endpoint has failed for a quarter, or three quarters, of the time after which it is disabled.', true, true, true, 'enforce', ''),
	('webhook.endpoint.recovered', 'webhooks', 'Endpoint recovered', 'An endpoint that was reported as failing accepted a delivery.', true, true, true, 'enforce', ''),
	('webhook.endpoint.disabled', 'webhooks', 'Endpoint disabled', 'The service disabled an endpoint and cancelled its pending deliveries.', true, true, true, 'enforce', '');

INSERT INTO public.idempotency_record VALUES
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'test-15528-1', '\x562039ac5aea02fe241e4422c2eead63a7c584da351ad0f696626aa3ba1f1c1c', NULL, 201, '{"data":{"id":"whs_0Vc0qNXHyt812644eQ8xTkMc","url":"https://127.0.0.1:43839/one","active":true,"description":null,"notification_email":"ops@shop.example.com","event_types":["cart.order.completed"],"disabled_reason":null,"created_at":"2026-11-25T18:53:54.251Z","updated_at":"2026-11-25T18:53:54.251Z"}}', '/v1/webhooks/endpoints/whs_0Vc0qNXHyt812644eQ8xTkMc', '2026-11-25 18:53:54.251+00', '2026-11-26 18:53:54.251+00'),
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'test-15528-2', '\x3f1f3cb8587f70713918b6bf6af5873d564a74efc905265949eec1ca62c925fe', NULL, 201, '{"data":{"id":"whs_0Vc0qNXk5wSrmM2CmLrEt3L6","url":"https://127.0.0.1:43839/two","active":true,"description":null,"notification_email":"ops@shop.example.com","event_types":["cart.order.completed"],"disabled_reason":null,"created_at":"2026-11-25T18:53:54.280Z","updated_at":"2026-11-25T18:53:54.280Z"}}', '/v1/webhooks/endpoints/whs_0Vc0qNXk5wSrmM2CmLrEt3L6', '2026-11-25 18:53:54.28+00', '2026-11-26 18:53:54.28+00'),
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'endpoint of the dump', '\x54e6edda77c1a8118d137400cb34f1e00a66b2ff820e4d8959153cff97b31697', NULL, 201, '{"data":{"id":"whs_0Vc0qNeesnDusbOzznDRKWec","url":"https://127.0.0.1:43839/three","active":false,"description":null,"notification_email":"ops@shop.example.com","event_types":["cart.order.completed"],"disabled_reason":null,"created_at":"2026-11-25T18:53:54.708Z","updated_at":"2026-11-25T18:53:54.708Z"}}', '/v1/webhooks/endpoints/whs_0Vc0qNeesnDusbOzznDRKWec', '2026-11-25 18:53:54.709+00', '2026-11-26 18:53:54.709+00');

INSERT INTO public.invoice VALUES
	('inv_0Vc0qNeET4ErlDuO8kVnZHAV', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 1, 'INV-000001', 'invoice', 'ord_0Vc0qNeE76NENuHMYwqOu5fS', 'pay_0Vc0qNeE2i1lkYWl1XWYq4Os', NULL, '{"email":"buyer@example.com","name":null,"country":null}', '2026-11-25 18:53:54.682+00', '2026-11-25 18:53:54.682+00', 'EUR', 1900, 0, 0, 0, 1900);

INSERT INTO public.isolation_lock VALUES
	(1, NULL, '-infinity');

INSERT INTO public.lease VALUES
	(209782714120343, '2026-11-25 18:54:24.403+00', '{pdl_0Vc0qNZL8c72b2faa67f4b3b,pdl_0Vc0qNZLc4b7f1aa7ef5426f}'),
	(214981986048626, '2026-11-25 18:54:24.471+00', '{pdl_0Vc0qNal1c5c50e14c9f4785,pdl_0Vc0qNal7607f93eef034d43}');

INSERT INTO public.member VALUES
	('mem_0Vc0qNWi9W3vbTXlfHKPwTGF', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'owner@acc-0vc0qnwdmhpm8id7nm9wvpu3.invalid', 'owner', '2026-11-25 18:53:54.216+00'),
	('mem_0Vc0qNWvkGQ6dJmOGtJDLw8L', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'owner@acc-0vc0qnwdmhpm8id7nm9wvpu3.invalid', 'owner', '2026-11-25 18:53:54.229+00'),
	('mem_0Vc0qNX0bFUqGRMx8uBkggSq', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'owner@acc-0vc0qnwdmhpm8id7nm9wvpu3.invalid', 'owner', '2026-11-25 18:53:54.234+00'),
	('mem_0Vc0qNX4usUbDPc8N3J6jte2', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'owner@acc-0vc0qnwdmhpm8id7nm9wvpu3.invalid', 'owner', '2026-11-25 18:53:54.238+00');

INSERT INTO public.migration VALUES
	(1, 1795392000000, 'Baseline1795392000000'),
	(2, 1795395600000, 'CredentialNotifications1795395600000'),
	(3, 1795399200000, 'DeliveryEvidence1795399200000'),
	(4, 1795402800000, 'DeliveryStatistics1795402800000'),
	(5, 1795406400000, 'EventTypeVersions1795406400000'),
	(6, 1795410000000, 'Recoveries1795410000000'),
	(7, 1795413600000, 'EndpointWarnings1795413600000'),
	(8, 1795420800000, 'FullAccounts1795420800000'),
	(9, 1795424400000, 'EndpointRates1795424400000'),
	(10, 1795428000000, 'Erasures1795428000000'),
	(11, 1795431600000, 'Stream1795431600000'),
	(12, 1795435200000, 'SearchIndexes1795435200000'),
	(13, 1795438800000, 'Sessions1795438800000'),
	(14, 1795442400000, 'AccountOrder1795442400000'),
	(15, 1795446000000, 'PendingBytes1795446000000'),
	(16, 1795449600000, 'AuditLog1795449600000'),
	(17, 1795453200000, 'WorkerHeartbeats1795453200000'),
	(18, 1795460400000, 'StreamSlots1795460400000'),
	(19, 1795464000000, 'MemberIdentities1795464000000'),
	(20, 1795467600000, 'SchemaCompatibility1795467600000'),
	(21, 1795471200000, 'Traceparent1795471200000'),
	(22, 1795474800000, 'Portal1795474800000'),
	(23, 1795478400000, 'OperatorPages1795478400000'),
	(24, 1795482000000, 'LastUse1795482000000'),
	(25, 1795485600000, 'AccountNames1795485600000');

INSERT INTO public."order" VALUES
	('ord_0Vc0qNeE76NENuHMYwqOu5fS', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 1, 'chk_0Vc0qNdxX30Uwuxm7ldALX8i', '', '{"email":"buyer@example.com","name":null,"country":null}', '{}', NULL, '[{"product":{"id":"prod_0Vc0qNdxEy1ftCmvvfPdY8VQ","name":"Poster"},"quantity":1,"unitAmountMinorUnits":1900,"discountMinorUnits":0,"taxMinorUnits":0,"taxPercentage":"0.00","totalMinorUnits":1900}]', '2026-11-25 18:53:54.682+00', '2026-11-25 18:53:54.682+00', 'EUR', 1900, 0, 0, 0, 1900);

INSERT INTO public.payment VALUES
	('pay_0Vc0qNeE2i1lkYWl1XWYq4Os', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 1, 'ord_0Vc0qNeE76NENuHMYwqOu5fS', 'succeeded', 'EUR', 1900, 0, 0, 1900, 'card', 'buyer@example.com', NULL, NULL, '2026-11-25 18:53:54.682+00', '2026-11-25 18:53:54.682+00');

INSERT INTO public.pending_delivery VALUES
	('pdl_0Vc0qNal1c5c50e14c9f4785', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'evt_0Vc0qNalBEdMqBmkW4RQqleA', 'cart.order.completed', 'live', false, '2026-11-25 18:53:59.222+00', 2, 10, false, NULL, 'whd_0Vc0qNapU7vxHpKNXtB5NnEZ', NULL, 0, NULL, '2026-11-25 18:53:54.468+00', 1145),
	('pdl_0Vc0qNal7607f93eef034d43', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'evt_0Vc0qNalBEdMqBmkW4RQqleA', 'cart.order.completed', 'live', false, '2026-11-25 18:53:59.113+00', 2, 10, false, NULL, 'whd_0Vc0qNapzYNyNW4eQ2pGTfB1', NULL, 0, NULL, '2026-11-25 18:53:54.468+00', 1145),
	('pdl_0Vc0qNc8bc6ea8d3517a4a0e', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'evt_0Vc0qNc81wPB3ZlMCplN76GV', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.553+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.553+00', 1145),
	('pdl_0Vc0qNc875aba0c6710f4be5', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'evt_0Vc0qNc81wPB3ZlMCplN76GV', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.553+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.553+00', 1145),
	('pdl_0Vc0qNcH79a2d1fa6a5f4470', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'evt_0Vc0qNcHll4HbywQBY355QPK', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.562+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.562+00', 1145),
	('pdl_0Vc0qNcH125246847a8543ed', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'evt_0Vc0qNcHll4HbywQBY355QPK', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.562+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.562+00', 1145),
	('pdl_0Vc0qNcNb1cf797eac894dd5', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'evt_0Vc0qNcNrxavl0GFB1YBtWlG', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.568+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.568+00', 1145),
	('pdl_0Vc0qNcNa632d54379ad4e2b', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'evt_0Vc0qNcNrxavl0GFB1YBtWlG', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.568+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.568+00', 1145),
	('pdl_0Vc0qNcU96ce85dc7db94cfc', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'evt_0Vc0qNcUH1JZbQRswh1O7u4V', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.574+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.574+00', 1145),
	('pdl_0Vc0qNcU3b63ba487d03425f', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'evt_0Vc0qNcUH1JZbQRswh1O7u4V', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.574+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.574+00', 1145),
	('pdl_0Vc0qNca206776db7d3040ee', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'evt_0Vc0qNca6SpOW9wst6Fe6hVV', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.581+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.581+00', 1145),
	('pdl_0Vc0qNca9b7af53acc334c1e', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'evt_0Vc0qNca6SpOW9wst6Fe6hVV', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.581+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.581+00', 1145),
	('pdl_0Vc0qNcf31d4198040494252', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'evt_0Vc0qNcfK7rzAMOpqZZuh29m', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.586+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.586+00', 1145),
	('pdl_0Vc0qNcf39f91a61c33d4247', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'evt_0Vc0qNcfK7rzAMOpqZZuh29m', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.586+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.586+00', 1145),
	('pdl_0Vc0qNcj7e2eb14043ed4850', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'evt_0Vc0qNcjuGYwC3ceH8WvuOcW', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.59+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.59+00', 1145),
	('pdl_0Vc0qNcjd69bd37041bd4b59', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'evt_0Vc0qNcjuGYwC3ceH8WvuOcW', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.59+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.59+00', 1145),
	('pdl_0Vc0qNcn0f8642c3a1804a16', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'evt_0Vc0qNcncLWtN6OwU7WpVqB0', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.594+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.594+00', 1145),
	('pdl_0Vc0qNcn764a9f380e824515', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'evt_0Vc0qNcncLWtN6OwU7WpVqB0', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.594+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.594+00', 1145),
	('pdl_0Vc0qNcy7b4a6013ab43414c', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'evt_0Vc0qNcy63l8Gz5OEpBLymk3', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.606+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.606+00', 1145),
	('pdl_0Vc0qNcyc933bb68c6b54469', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'evt_0Vc0qNcy63l8Gz5OEpBLymk3', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.606+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.606+00', 1145),
	('pdl_0Vc0qNd4796a69e0094c4488', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'evt_0Vc0qNd46n2R2k06AdcCgkv7', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.611+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.611+00', 1145),
	('pdl_0Vc0qNd4cbafcf49ce1a4022', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'evt_0Vc0qNd46n2R2k06AdcCgkv7', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.611+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.611+00', 1145),
	('pdl_0Vc0qNd896d6443ac2824dfc', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'evt_0Vc0qNd8tOfPDVCcBdUjwWoG', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.615+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.615+00', 1145),
	('pdl_0Vc0qNd8961fcc96ccaf4ac6', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'evt_0Vc0qNd8tOfPDVCcBdUjwWoG', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.615+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.615+00', 1145),
	('pdl_0Vc0qNdDaf730897da2f4cba', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'evt_0Vc0qNdDnaDju7fxW9lqU295', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.619+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.619+00', 1145),
	('pdl_0Vc0qNdDb63123199f79434f', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'evt_0Vc0qNdDnaDju7fxW9lqU295', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.619+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.619+00', 1145),
	('pdl_0Vc0qNdHb318bd29fba14f45', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'evt_0Vc0qNdH2X4WQKNL9OFBRUVw', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.623+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.623+00', 1145),
	('pdl_0Vc0qNdHf01f566952f44dfd', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'evt_0Vc0qNdH2X4WQKNL9OFBRUVw', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.623+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.623+00', 1145),
	('pdl_0Vc0qNdK67aab1a1ac584711', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'evt_0Vc0qNdKVNOQlrLzEpvQyGgW', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.627+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.627+00', 1145),
	('pdl_0Vc0qNdK1a54ad8a24fd4b01', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'evt_0Vc0qNdKVNOQlrLzEpvQyGgW', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.627+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.627+00', 1145),
	('pdl_0Vc0qNdO986df31627fb45ce', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'evt_0Vc0qNdOZgMS5ELacRkDAvQE', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.63+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.63+00', 1145),
	('pdl_0Vc0qNdO1f71a776afa3470a', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'evt_0Vc0qNdOZgMS5ELacRkDAvQE', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.63+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.63+00', 1145),
	('pdl_0Vc0qNdRc43d40191d604753', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'evt_0Vc0qNdRyi7sH6cMG6xIMnlR', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.633+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.633+00', 1145),
	('pdl_0Vc0qNdR45c31e3d446648f1', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'evt_0Vc0qNdRyi7sH6cMG6xIMnlR', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.633+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.633+00', 1145),
	('pdl_0Vc0qNdUd812c1e7916240ec', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'evt_0Vc0qNdUTvVQ8MChBvJkW814', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.639+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.639+00', 1145),
	('pdl_0Vc0qNdU35e6f6aa5b384be4', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'evt_0Vc0qNdUTvVQ8MChBvJkW814', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.639+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.639+00', 1145),
	('pdl_0Vc0qNda762ed989a3a04ef6', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'evt_0Vc0qNdabdvCgRg7FqJwLiaZ', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.643+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.643+00', 1145),
	('pdl_0Vc0qNda9e4c1e08d29a45dd', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'evt_0Vc0qNdabdvCgRg7FqJwLiaZ', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.643+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.643+00', 1145),
	('pdl_0Vc0qNdf5c4ee475c2534f40', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'evt_0Vc0qNdfJpDmlYB6v0B1gM9f', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.648+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.648+00', 1145),
	('pdl_0Vc0qNdf7720219b527f406d', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'evt_0Vc0qNdfJpDmlYB6v0B1gM9f', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.648+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.648+00', 1145),
	('pdl_0Vc0qNdkcd62183f9b5b442f', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'evt_0Vc0qNdkmEpcrDpd1nVXSr9u', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.652+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.652+00', 1145),
	('pdl_0Vc0qNdke328bde4a825441a', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'evt_0Vc0qNdkmEpcrDpd1nVXSr9u', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.652+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.652+00', 1145),
	('pdl_0Vc0qNeE58ca21d5193b4a82', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXHyt812644eQ8xTkMc', 'evt_0Vc0qNeEGZX7DYAyq82gTEjJ', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.682+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.682+00', 1201),
	('pdl_0Vc0qNeE42cfa40358e44b68', 'acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'whs_0Vc0qNXk5wSrmM2CmLrEt3L6', 'evt_0Vc0qNeEGZX7DYAyq82gTEjJ', 'cart.order.completed', 'live', true, '2026-11-25 18:53:54.682+00', 1, 10, false, NULL, NULL, NULL, 0, NULL, '2026-11-25 18:53:54.682+00', 1201);

INSERT INTO public.publish_key VALUES
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'delivered', '\x74fd5e44be8782330a20f1b546e7e951dedf99d68f1b556655d146de3c1c1d40', 'evt_0Vc0qNZLZJa4W2nsj5nlVZjB', '2026-12-25 18:53:54.393+00'),
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'failed', '\x74fd5e44be8782330a20f1b546e7e951dedf99d68f1b556655d146de3c1c1d40', 'evt_0Vc0qNalBEdMqBmkW4RQqleA', '2026-12-25 18:53:54.468+00'),
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'pending-1', '\x74fd5e44be8782330a20f1b546e7e951dedf99d68f1b556655d146de3c1c1d40', 'evt_0Vc0qNc81wPB3ZlMCplN76GV', '2026-12-25 18:53:54.553+00'),
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'pending-2', '\x74fd5e44be8782330a20f1b546e7e951dedf99d68f1b556655d146de3c1c1d40', 'evt_0Vc0qNcHll4HbywQBY355QPK', '2026-12-25 18:53:54.562+00'),
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'pending-3', '\x74fd5e44be8782330a20f1b546e7e951dedf99d68f1b556655d146de3c1c1d40', 'evt_0Vc0qNcNrxavl0GFB1YBtWlG', '2026-12-25 18:53:54.569+00'),
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'pending-4', '\x74fd5e44be8782330a20f1b546e7e951dedf99d68f1b556655d146de3c1c1d40', 'evt_0Vc0qNcUH1JZbQRswh1O7u4V', '2026-12-25 18:53:54.575+00'),
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'pending-5', '\x74fd5e44be8782330a20f1b546e7e951dedf99d68f1b556655d146de3c1c1d40', 'evt_0Vc0qNca6SpOW9wst6Fe6hVV', '2026-12-25 18:53:54.582+00'),
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'pending-6', '\x74fd5e44be8782330a20f1b546e7e951dedf99d68f1b556655d146de3c1c1d40', 'evt_0Vc0qNcfK7rzAMOpqZZuh29m', '2026-12-25 18:53:54.586+00'),
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'pending-7', '\x74fd5e44be8782330a20f1b546e7e951dedf99d68f1b556655d146de3c1c1d40', 'evt_0Vc0qNcjuGYwC3ceH8WvuOcW', '2026-12-25 18:53:54.591+00'),
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'pending-8', '\x74fd5e44be8782330a20f1b546e7e951dedf99d68f1b556655d146de3c1c1d40', 'evt_0Vc0qNcncLWtN6OwU7WpVqB0', '2026-12-25 18:53:54.595+00'),
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'pending-9', '\x74fd5e44be8782330a20f1b546e7e951dedf99d68f1b556655d146de3c1c1d40', 'evt_0Vc0qNcy63l8Gz5OEpBLymk3', '2026-12-25 18:53:54.606+00'),
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'pending-10', '\x74fd5e44be8782330a20f1b546e7e951dedf99d68f1b556655d146de3c1c1d40', 'evt_0Vc0qNd46n2R2k06AdcCgkv7', '2026-12-25 18:53:54.611+00'),
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'pending-11', '\x74fd5e44be8782330a20f1b546e7e951dedf99d68f1b556655d146de3c1c1d40', 'evt_0Vc0qNd8tOfPDVCcBdUjwWoG', '2026-12-25 18:53:54.615+00'),
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'pending-12', '\x74fd5e44be8782330a20f1b546e7e951dedf99d68f1b556655d146de3c1c1d40', 'evt_0Vc0qNdDnaDju7fxW9lqU295', '2026-12-25 18:53:54.62+00'),
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'pending-13', '\x74fd5e44be8782330a20f1b546e7e951dedf99d68f1b556655d146de3c1c1d40', 'evt_0Vc0qNdH2X4WQKNL9OFBRUVw', '2026-12-25 18:53:54.624+00'),
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'pending-14', '\x74fd5e44be8782330a20f1b546e7e951dedf99d68f1b556655d146de3c1c1d40', 'evt_0Vc0qNdKVNOQlrLzEpvQyGgW', '2026-12-25 18:53:54.627+00'),
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'pending-15', '\x74fd5e44be8782330a20f1b546e7e951dedf99d68f1b556655d146de3c1c1d40', 'evt_0Vc0qNdOZgMS5ELacRkDAvQE', '2026-12-25 18:53:54.631+00'),
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'pending-16', '\x74fd5e44be8782330a20f1b546e7e951dedf99d68f1b556655d146de3c1c1d40', 'evt_0Vc0qNdRyi7sH6cMG6xIMnlR', '2026-12-25 18:53:54.634+00'),
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'pending-17', '\x74fd5e44be8782330a20f1b546e7e951dedf99d68f1b556655d146de3c1c1d40', 'evt_0Vc0qNdUTvVQ8MChBvJkW814', '2026-12-25 18:53:54.639+00'),
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'pending-18', '\x74fd5e44be8782330a20f1b546e7e951dedf99d68f1b556655d146de3c1c1d40', 'evt_0Vc0qNdabdvCgRg7FqJwLiaZ', '2026-12-25 18:53:54.643+00'),
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'pending-19', '\x74fd5e44be8782330a20f1b546e7e951dedf99d68f1b556655d146de3c1c1d40', 'evt_0Vc0qNdfJpDmlYB6v0B1gM9f', '2026-12-25 18:53:54.648+00'),
	('acc_0Vc0qNWdMHPm8id7NM9wVpu3', 'pending-20', '\x74fd5e44be8782330a20f1b546e7e951dedf99d68f1b556655d146de3c1c1d40', 'evt_0Vc0qNdkmEpcrDpd1nVXSr9u', '2026-12-25 18:53:54.652+00');

INSERT INTO public.schema_compatibility VALUES
	(true, 'SchemaCompatibility1795467600000');

SELECT pg_catalog.setval('bullmq.bullmq_jid_4c610ff174a8b2349766cef1ff9d5172', 1, false);

SELECT pg_catalog.setval('bullmq.bullmq_jid_b4df6330db755bb846a1c47fe6eb94aa', 1, false);

SELECT pg_catalog.setval('bullmq.event_seq', 6, true);

SELECT pg_catalog.setval('bullmq.job_seq', 3, true);

SELECT pg_catalog.setval('bullmq.relay_inbox_id_seq', 1, false);

SELECT pg_catalog.setval('bullmq.relay_mid_seq', 1, false);

SELECT pg_catalog.setval('public.migration_id_seq', 25, true);

ALTER TABLE ONLY bullmq.dedup_next
    ADD CONSTRAINT dedup_next_pkey PRIMARY KEY (queue, dedup_id);

ALTER TABLE ONLY bullmq.dedup
    ADD CONSTRAINT dedup_pkey PRIMARY KEY (queue, dedup_id);

ALTER TABLE ONLY bullmq.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (queue, id);

ALTER TABLE ONLY bullmq.job_dependency
    ADD CONSTRAINT job_dependency_pkey PRIMARY KEY (parent_queue, parent_id, child_key);

ALTER TABLE ONLY bullmq.job_log
    ADD CONSTRAINT job_log_pkey PRIMARY KEY (queue, job_id, idx);

ALTER TABLE ONLY bullmq.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (queue, id);

ALTER TABLE ONLY bullmq.meta
    ADD CONSTRAINT meta_pkey PRIMARY KEY (queue, field);

ALTER TABLE ONLY bullmq.metrics
    ADD CONSTRAINT metrics_pkey PRIMARY KEY (queue, kind);

ALTER TABLE ONLY bullmq.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (version);

ALTER TABLE ONLY bullmq.rate_limit
    ADD CONSTRAINT rate_limit_pkey PRIMARY KEY (queue);

ALTER TABLE ONLY bullmq.relay_inbox
    ADD CONSTRAINT relay_inbox_pkey PRIMARY KEY (id);

ALTER TABLE ONLY bullmq.relay_node
    ADD CONSTRAINT relay_node_pkey PRIMARY KEY (ns, node_id);

ALTER TABLE ONLY bullmq.relay_retained
    ADD CONSTRAINT relay_retained_pkey PRIMARY KEY (ns, topic);

ALTER TABLE ONLY bullmq.relay_subscription
    ADD CONSTRAINT relay_subscription_pkey PRIMARY KEY (ns, pattern, node_id, endpoint_id);

ALTER TABLE ONLY bullmq.scheduler
    ADD CONSTRAINT scheduler_pkey PRIMARY KEY (queue, scheduler_id);

ALTER TABLE ONLY public.migration
    ADD CONSTRAINT "PK_3043fc6b8af7c99b8b98830094f" PRIMARY KEY (id);

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);

ALTER TABLE public.audit_entry
    ADD CONSTRAINT audit_entry_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['session'::text, 'dashboard_token'::text, 'api_key'::text, 'operator'::text, 'command'::text, 'portal'::text]))) NOT VALID;

ALTER TABLE ONLY public.audit_entry
    ADD CONSTRAINT audit_entry_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.checkout
    ADD CONSTRAINT checkout_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.credential
    ADD CONSTRAINT credential_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.credential
    ADD CONSTRAINT credential_token_sha256_key UNIQUE (token_sha256);

ALTER TABLE ONLY public.delivery
    ADD CONSTRAINT delivery_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.delivery_20261112
    ADD CONSTRAINT delivery_20261112_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.delivery_20261119
    ADD CONSTRAINT delivery_20261119_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.delivery_20261126
    ADD CONSTRAINT delivery_20261126_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.delivery_evidence
    ADD CONSTRAINT delivery_evidence_pkey PRIMARY KEY (delivery_id);

ALTER TABLE ONLY public.delivery_evidence_20261112
    ADD CONSTRAINT delivery_evidence_20261112_pkey PRIMARY KEY (delivery_id);

ALTER TABLE ONLY public.delivery_evidence_20261119
    ADD CONSTRAINT delivery_evidence_20261119_pkey PRIMARY KEY (delivery_id);

ALTER TABLE ONLY public.delivery_evidence_20261126
    ADD CONSTRAINT delivery_evidence_20261126_pkey PRIMARY KEY (delivery_id);

ALTER TABLE ONLY public.delivery_statistics
    ADD CONSTRAINT delivery_statistics_pkey PRIMARY KEY (account_id, endpoint_id, span, starts_at);

ALTER TABLE public.endpoint
    ADD CONSTRAINT endpoint_max_per_second_check CHECK (((max_per_second >= 1) AND (max_per_second <= 1000))) NOT VALID;

ALTER TABLE ONLY public.endpoint
    ADD CONSTRAINT endpoint_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.endpoint_rate
    ADD CONSTRAINT endpoint_rate_pkey PRIMARY KEY (endpoint_id);

ALTER TABLE ONLY public.endpoint_secret
    ADD CONSTRAINT endpoint_secret_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.erasure
    ADD CONSTRAINT erasure_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.erasure_subject
    ADD CONSTRAINT erasure_subject_pkey PRIMARY KEY (erasure_id, resource_id);

ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.event_20261112
    ADD CONSTRAINT event_20261112_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.event_20261119
    ADD CONSTRAINT event_20261119_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.event_20261126
    ADD CONSTRAINT event_20261126_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.event_type
    ADD CONSTRAINT event_type_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.event_type_version
    ADD CONSTRAINT event_type_version_pkey PRIMARY KEY (event_type_id, version);

ALTER TABLE ONLY public.full_account_count
    ADD CONSTRAINT full_account_count_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.full_account
    ADD CONSTRAINT full_account_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY public.idempotency_record
    ADD CONSTRAINT idempotency_record_pkey PRIMARY KEY (account_id, key);

ALTER TABLE ONLY public.invoice
    ADD CONSTRAINT invoice_number_key UNIQUE (account_id, number);

ALTER TABLE ONLY public.invoice
    ADD CONSTRAINT invoice_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.invoice
    ADD CONSTRAINT invoice_position_key UNIQUE (account_id, "position");

ALTER TABLE ONLY public.invoice
    ADD CONSTRAINT invoice_refund_id_key UNIQUE (refund_id);

ALTER TABLE ONLY public.isolation_lock
    ADD CONSTRAINT isolation_lock_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.lease
    ADD CONSTRAINT lease_pkey PRIMARY KEY (token);

ALTER TABLE ONLY public.member_identity
    ADD CONSTRAINT member_identity_pkey PRIMARY KEY (account_id, member_id, issuer);

ALTER TABLE ONLY public.member
    ADD CONSTRAINT member_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.notice
    ADD CONSTRAINT notice_message_id_key UNIQUE (message_id);

ALTER TABLE ONLY public.notice
    ADD CONSTRAINT notice_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.offer
    ADD CONSTRAINT offer_order_id_key UNIQUE (order_id);

ALTER TABLE ONLY public.offer
    ADD CONSTRAINT offer_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.offer
    ADD CONSTRAINT offer_position_key UNIQUE (account_id, "position");

ALTER TABLE ONLY public.operator_session
    ADD CONSTRAINT operator_session_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.operator_session
    ADD CONSTRAINT operator_session_token_sha256_key UNIQUE (token_sha256);

ALTER TABLE ONLY public."order"
    ADD CONSTRAINT order_checkout_id_key UNIQUE (checkout_id);

ALTER TABLE ONLY public."order"
    ADD CONSTRAINT order_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public."order"
    ADD CONSTRAINT order_position_key UNIQUE (account_id, "position");

ALTER TABLE ONLY public.payment
    ADD CONSTRAINT payment_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.payment
    ADD CONSTRAINT payment_position_key UNIQUE (account_id, "position");

ALTER TABLE public.pending_delivery
    ADD CONSTRAINT pending_delivery_lane_check CHECK ((lane = ANY (ARRAY['live'::text, 'replay'::text, 'recovery'::text, 'isolated'::text]))) NOT VALID;

ALTER TABLE ONLY public.pending_delivery
    ADD CONSTRAINT pending_delivery_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.portal_link
    ADD CONSTRAINT portal_link_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.portal_link
    ADD CONSTRAINT portal_link_token_sha256_key UNIQUE (token_sha256);

ALTER TABLE ONLY public.portal_session
    ADD CONSTRAINT portal_session_page_token_sha256_key UNIQUE (page_token_sha256);

ALTER TABLE ONLY public.portal_session
    ADD CONSTRAINT portal_session_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.portal_session
    ADD CONSTRAINT portal_session_token_sha256_key UNIQUE (token_sha256);

ALTER TABLE ONLY public.portal_settings
    ADD CONSTRAINT portal_settings_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY public.publish_key
    ADD CONSTRAINT publish_key_pkey PRIMARY KEY (account_id, key);

ALTER TABLE ONLY public.recovery
    ADD CONSTRAINT recovery_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.refund
    ADD CONSTRAINT refund_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.refund
    ADD CONSTRAINT refund_position_key UNIQUE (account_id, "position");

ALTER TABLE ONLY public.schema_compatibility
    ADD CONSTRAINT schema_compatibility_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_token_sha256_key UNIQUE (token_sha256);

ALTER TABLE ONLY public.sign_in_link
    ADD CONSTRAINT sign_in_link_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sign_in_link
    ADD CONSTRAINT sign_in_link_token_sha256_key UNIQUE (token_sha256);

ALTER TABLE ONLY public.stream_process
    ADD CONSTRAINT stream_process_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.stream_slot
    ADD CONSTRAINT stream_slot_pkey PRIMARY KEY (account_id, process_id, id);

ALTER TABLE ONLY public.worker_heartbeat
    ADD CONSTRAINT worker_heartbeat_pkey PRIMARY KEY (id);

CREATE INDEX dedup_expire_idx ON bullmq.dedup USING btree (queue, expire_at_ms) WHERE (expire_at_ms IS NOT NULL);

CREATE INDEX dedup_job_idx ON bullmq.dedup USING btree (queue, job_id);

CREATE INDEX dep_child_idx ON bullmq.job_dependency USING btree (child_queue, child_id);

CREATE INDEX dep_parent_status_idx ON bullmq.job_dependency USING btree (parent_queue, parent_id, status);

CREATE INDEX job_active_idx ON bullmq.job USING btree (queue, locked_until_ms) WHERE (state = 'active'::bullmq.job_state);

CREATE INDEX job_delayed_idx ON bullmq.job USING btree (queue, process_at_ms) WHERE (state = 'delayed'::bullmq.job_state);

CREATE INDEX job_finished_idx ON bullmq.job USING btree (queue, state, finished_at_ms) WHERE (state = ANY (ARRAY['completed'::bullmq.job_state, 'failed'::bullmq.job_state]));

CREATE INDEX job_parent_idx ON bullmq.job USING btree (parent_queue, parent_id) WHERE (parent_id IS NOT NULL);

CREATE INDEX job_ready_idx ON bullmq.job USING btree (queue, priority, seq) WHERE (state = 'waiting'::bullmq.job_state);

CREATE INDEX job_scheduler_idx ON bullmq.job USING btree (queue, scheduler_id) WHERE (scheduler_id IS NOT NULL);

CREATE INDEX job_waiting_children_idx ON bullmq.job USING btree (queue, seq) WHERE (state = 'waiting-children'::bullmq.job_state);

CREATE INDEX relay_inbox_node_idx ON bullmq.relay_inbox USING btree (ns, node_id, id);

CREATE INDEX relay_node_lease_idx ON bullmq.relay_node USING btree (lease_until);

CREATE INDEX relay_node_registered_idx ON bullmq.relay_node USING btree (ns, registered_at);

CREATE INDEX relay_retained_expiry_idx ON bullmq.relay_retained USING btree (expires_at);

CREATE INDEX relay_subscription_endpoint_idx ON bullmq.relay_subscription USING btree (ns, node_id, endpoint_id);

CREATE INDEX relay_subscription_root_idx ON bullmq.relay_subscription USING btree (ns, root);

CREATE INDEX scheduler_next_idx ON bullmq.scheduler USING btree (queue, next_run_ms);

CREATE INDEX account_by_name ON public.account USING btree (lower(name) COLLATE "C", id);

CREATE INDEX audit_entry_by_account ON public.audit_entry USING btree (account_id, id);

CREATE INDEX checkout_by_offer ON public.checkout USING btree (offer_id) WHERE (offer_id IS NOT NULL);

CREATE INDEX checkout_expiring ON public.checkout USING btree (expires_at) WHERE ((order_id IS NULL) AND (expired_at IS NULL));

CREATE INDEX checkout_of_account ON public.checkout USING btree (account_id, id);

CREATE INDEX credential_by_account ON public.credential USING btree (account_id, id);

CREATE INDEX credential_by_expiry ON public.credential USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX credential_by_member ON public.credential USING btree (member_id);

CREATE INDEX credential_keys ON public.credential USING btree (account_id, id) WHERE ((kind = ANY (ARRAY['live'::text, 'legacy'::text])) AND (revoked_at IS NULL));

CREATE INDEX delivery_written_late ON ONLY public.delivery USING btree (account_id, xid) WHERE ((written_at - created_at) > '00:00:02'::interval);

CREATE INDEX delivery_20261112_account_id_xid_idx ON public.delivery_20261112 USING btree (account_id, xid) WHERE ((written_at - created_at) > '00:00:02'::interval);

CREATE INDEX delivery_by_event ON ONLY public.delivery USING btree (event_id);

CREATE INDEX delivery_20261112_event_id_idx ON public.delivery_20261112 USING btree (event_id);

CREATE INDEX delivery_by_type_and_status ON ONLY public.delivery USING btree (hashtextextended(((account_id || event_type) || status), (0)::bigint), ((id || ''::text)));

CREATE INDEX delivery_20261112_hashtextextended_expr_idx ON public.delivery_20261112 USING btree (hashtextextended(((account_id || event_type) || status), (0)::bigint), ((id || ''::text)));

CREATE INDEX delivery_by_endpoint_and_type ON ONLY public.delivery USING btree (hashtextextended(((endpoint_id || event_type) || status), (0)::bigint), ((id || ''::text)));

CREATE INDEX delivery_20261112_hashtextextended_expr_idx1 ON public.delivery_20261112 USING btree (hashtextextended(((endpoint_id || event_type) || status), (0)::bigint), ((id || ''::text)));

CREATE INDEX delivery_by_account_and_status ON ONLY public.delivery USING btree (hashtextextended((account_id || status), (0)::bigint), ((id || ''::text)));

CREATE INDEX delivery_20261112_hashtextextended_expr_idx2 ON public.delivery_20261112 USING btree (hashtextextended((account_id || status), (0)::bigint), ((id || ''::text)));

CREATE INDEX delivery_by_endpoint ON ONLY public.delivery USING btree (hashtextextended((endpoint_id || status), (0)::bigint), id);

CREATE INDEX delivery_20261112_hashtextextended_id_idx ON public.delivery_20261112 USING btree (hashtextextended((endpoint_id || status), (0)::bigint), id);

CREATE INDEX delivery_of_replay ON ONLY public.delivery USING btree (pending_delivery_id) WHERE ((replayed_from IS NOT NULL) AND (attempt = 1));

CREATE INDEX delivery_20261112_pending_delivery_id_idx ON public.delivery_20261112 USING btree (pending_delivery_id) WHERE ((replayed_from IS NOT NULL) AND (attempt = 1));

CREATE INDEX delivery_20261119_account_id_xid_idx ON public.delivery_20261119 USING btree (account_id, xid) WHERE ((written_at - created_at) > '00:00:02'::interval);

CREATE INDEX delivery_20261119_event_id_idx ON public.delivery_20261119 USING btree (event_id);

CREATE INDEX delivery_20261119_hashtextextended_expr_idx ON public.delivery_20261119 USING btree (hashtextextended(((account_id || event_type) || status), (0)::bigint), ((id || ''::text)));

CREATE INDEX delivery_20261119_hashtextextended_expr_idx1 ON public.delivery_20261119 USING btree (hashtextextended(((endpoint_id || event_type) || status), (0)::bigint), ((id || ''::text)));

CREATE INDEX delivery_20261119_hashtextextended_expr_idx2 ON public.delivery_20261119 USING btree (hashtextextended((account_id || status), (0)::bigint), ((id || ''::text)));

CREATE INDEX delivery_20261119_hashtextextended_id_idx ON public.delivery_20261119 USING btree (hashtextextended((endpoint_id || status), (0)::bigint), id);

CREATE INDEX delivery_20261119_pending_delivery_id_idx ON public.delivery_20261119 USING btree (pending_delivery_id) WHERE ((replayed_from IS NOT NULL) AND (attempt = 1));

CREATE INDEX delivery_20261126_account_id_xid_idx ON public.delivery_20261126 USING btree (account_id, xid) WHERE ((written_at - created_at) > '00:00:02'::interval);

CREATE INDEX delivery_20261126_event_id_idx ON public.delivery_20261126 USING btree (event_id);

CREATE INDEX delivery_20261126_hashtextextended_expr_idx ON public.delivery_20261126 USING btree (hashtextextended(((account_id || event_type) || status), (0)::bigint), ((id || ''::text)));

CREATE INDEX delivery_20261126_hashtextextended_expr_idx1 ON public.delivery_20261126 USING btree (hashtextextended(((endpoint_id || event_type) || status), (0)::bigint), ((id || ''::text)));

CREATE INDEX delivery_20261126_hashtextextended_expr_idx2 ON public.delivery_20261126 USING btree (hashtextextended((account_id || status), (0)::bigint), ((id || ''::text)));

CREATE INDEX delivery_20261126_hashtextextended_id_idx ON public.delivery_20261126 USING btree (hashtextextended((endpoint_id || status), (0)::bigint), id);

CREATE INDEX delivery_20261126_pending_delivery_id_idx ON public.delivery_20261126 USING btree (pending_delivery_id) WHERE ((replayed_from IS NOT NULL) AND (attempt = 1));

CREATE INDEX delivery_statistics_by_age ON public.delivery_statistics USING btree (span, starts_at);

CREATE INDEX endpoint_by_deletion ON public.endpoint USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE INDEX endpoint_cancelling ON public.endpoint USING btree (id) WHERE (cancelling_since IS NOT NULL);

CREATE INDEX endpoint_changed ON public.endpoint USING btree (hashtextextended(account_id, (0)::bigint), xid);

CREATE INDEX endpoint_deleted_by_account ON public.endpoint USING btree (account_id, id) WHERE (deleted_at IS NOT NULL);

CREATE INDEX endpoint_of_account ON public.endpoint USING btree (account_id, id) WHERE (deleted_at IS NULL);

CREATE INDEX endpoint_secret_by_endpoint ON public.endpoint_secret USING btree (endpoint_id, id DESC);

CREATE INDEX erasure_of_account ON public.erasure USING btree (account_id, id);

CREATE INDEX erasure_running ON public.erasure USING btree (next_step_at) WHERE (status = 'running'::text);

CREATE INDEX event_of_account ON ONLY public.event USING btree (account_id, id, hashtext(type), hashtext(subject));

CREATE INDEX event_20261112_account_id_id_hashtext_hashtext1_idx ON public.event_20261112 USING btree (account_id, id, hashtext(type), hashtext(subject));

CREATE INDEX event_written_late ON ONLY public.event USING btree (account_id, xid) WHERE ((written_at - occurred_at) > '00:00:02'::interval);

CREATE INDEX event_20261112_account_id_xid_idx ON public.event_20261112 USING btree (account_id, xid) WHERE ((written_at - occurred_at) > '00:00:02'::interval);

CREATE INDEX event_20261119_account_id_id_hashtext_hashtext1_idx ON public.event_20261119 USING btree (account_id, id, hashtext(type), hashtext(subject));

CREATE INDEX event_20261119_account_id_xid_idx ON public.event_20261119 USING btree (account_id, xid) WHERE ((written_at - occurred_at) > '00:00:02'::interval);

CREATE INDEX event_20261126_account_id_id_hashtext_hashtext1_idx ON public.event_20261126 USING btree (account_id, id, hashtext(type), hashtext(subject));

CREATE INDEX event_20261126_account_id_xid_idx ON public.event_20261126 USING btree (account_id, xid) WHERE ((written_at - occurred_at) > '00:00:02'::interval);

CREATE INDEX idempotency_record_by_expiry ON public.idempotency_record USING btree (expires_at);

CREATE INDEX idempotency_record_by_pending_delivery ON public.idempotency_record USING btree (pending_delivery_id) WHERE (pending_delivery_id IS NOT NULL);

CREATE INDEX invoice_by_order ON public.invoice USING btree (order_id);

CREATE INDEX invoice_by_payment ON public.invoice USING btree (payment_id);

CREATE INDEX lease_until ON public.lease USING btree (until);

CREATE INDEX member_by_account ON public.member USING btree (account_id, id);

CREATE INDEX member_by_email ON public.member USING btree (lower((email COLLATE "C")));

CREATE INDEX member_identity_by_member ON public.member_identity USING btree (member_id, issuer);

CREATE INDEX member_identity_by_subject ON public.member_identity USING btree (issuer, subject);

CREATE INDEX member_people ON public.member USING btree (account_id, id) WHERE (email !~~ '%@acc-%.invalid'::text);

CREATE INDEX notice_by_mail ON public.notice USING btree (mail_id) WHERE ((sent_at IS NULL) AND (refused_at IS NULL) AND (mail_id IS NOT NULL));

CREATE INDEX notice_by_recipient ON public.notice USING btree (kind, account_id, lower((recipient COLLATE "C")), due_at) WHERE ((sent_at IS NULL) AND (refused_at IS NULL));

CREATE INDEX notice_by_refusal ON public.notice USING btree (refused_at) WHERE (refused_at IS NOT NULL);

CREATE INDEX notice_by_sent ON public.notice USING btree (sent_at) WHERE (sent_at IS NOT NULL);

CREATE INDEX notice_due ON public.notice USING btree (kind, account_id, due_at) WHERE ((sent_at IS NULL) AND (refused_at IS NULL));

CREATE INDEX notice_mails ON public.notice USING btree (lower((recipient COLLATE "C")), claimed_at) WHERE (mail_id = id);

CREATE INDEX notice_of_account ON public.notice USING btree (hashtextextended(account_id, (0)::bigint), ((id || ''::text)));

CREATE INDEX operator_session_by_age ON public.operator_session USING btree (created_at);

CREATE INDEX operator_session_by_credential ON public.operator_session USING btree (credential_id, id);

CREATE INDEX payment_by_buyer ON public.payment USING btree (account_id, lower((buyer_email COLLATE "C")), "position") INCLUDE (cash_flow_at);

CREATE INDEX payment_by_cash_flow ON public.payment USING btree (account_id, cash_flow_at, "position");

CREATE INDEX payment_by_creation ON public.payment USING btree (account_id, created_at, "position");

CREATE UNIQUE INDEX payment_by_key ON public.payment USING btree (account_id, key) WHERE (key IS NOT NULL);

CREATE INDEX payment_by_order ON public.payment USING btree (order_id);

CREATE INDEX pending_delivery_by_endpoint ON public.pending_delivery USING btree (endpoint_id, event_id);

CREATE INDEX pending_delivery_dead_letter ON public.pending_delivery USING btree (id) WHERE (dead_letter_reason IS NOT NULL);

CREATE INDEX pending_delivery_ready ON public.pending_delivery USING btree (lane, account_id, endpoint_id, due_at) WITH (deduplicate_items=off) WHERE ready;

CREATE INDEX pending_delivery_waiting ON public.pending_delivery USING btree (due_at) WHERE ((NOT ready) AND (dead_letter_reason IS NULL));

CREATE INDEX portal_link_by_account ON public.portal_link USING btree (account_id, id);

CREATE INDEX portal_link_by_age ON public.portal_link USING btree (created_at);

CREATE INDEX portal_link_by_member ON public.portal_link USING btree (member_id);

CREATE INDEX portal_session_by_account ON public.portal_session USING btree (account_id, id);

CREATE INDEX portal_session_by_age ON public.portal_session USING btree (created_at);

CREATE INDEX portal_session_by_member ON public.portal_session USING btree (member_id);

CREATE INDEX publish_key_by_expiry ON public.publish_key USING btree (expires_at);

CREATE UNIQUE INDEX recovery_active ON public.recovery USING btree (endpoint_id) WHERE (status = ANY (ARRAY['running'::text, 'paused'::text]));

CREATE INDEX recovery_by_end ON public.recovery USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE UNIQUE INDEX recovery_key ON public.recovery USING btree (account_id, idempotency_key);

CREATE INDEX recovery_of_account ON public.recovery USING btree (account_id, id);

CREATE INDEX refund_by_payment ON public.refund USING btree (payment_id);

CREATE INDEX session_by_account ON public.session USING btree (account_id, id);

CREATE INDEX session_by_age ON public.session USING btree (created_at);

CREATE INDEX session_by_member ON public.session USING btree (member_id, id);

CREATE INDEX sign_in_link_by_account ON public.sign_in_link USING btree (account_id, id);

CREATE INDEX sign_in_link_by_address ON public.sign_in_link USING btree (address_sha256, created_at);

CREATE INDEX sign_in_link_by_age ON public.sign_in_link USING btree (created_at);

CREATE INDEX sign_in_link_by_browser ON public.sign_in_link USING btree (browser_sha256, id);

CREATE INDEX sign_in_link_by_member ON public.sign_in_link USING btree (member_id);

CREATE INDEX stream_slot_by_process ON public.stream_slot USING btree (process_id, id);

ALTER INDEX public.delivery_written_late ATTACH PARTITION public.delivery_20261112_account_id_xid_idx;

ALTER INDEX public.delivery_by_event ATTACH PARTITION public.delivery_20261112_event_id_idx;

ALTER INDEX public.delivery_by_type_and_status ATTACH PARTITION public.delivery_20261112_hashtextextended_expr_idx;

ALTER INDEX public.delivery_by_endpoint_and_type ATTACH PARTITION public.delivery_20261112_hashtextextended_expr_idx1;

ALTER INDEX public.delivery_by_account_and_status ATTACH PARTITION public.delivery_20261112_hashtextextended_expr_idx2;

ALTER INDEX public.delivery_by_endpoint ATTACH PARTITION public.delivery_20261112_hashtextextended_id_idx;

ALTER INDEX public.delivery_of_replay ATTACH PARTITION public.delivery_20261112_pending_delivery_id_idx;

ALTER INDEX public.delivery_pkey ATTACH PARTITION public.delivery_20261112_pkey;

ALTER INDEX public.delivery_written_late ATTACH PARTITION public.delivery_20261119_account_id_xid_idx;

ALTER INDEX public.delivery_by_event ATTACH PARTITION public.delivery_20261119_event_id_idx;

ALTER INDEX public.delivery_by_type_and_status ATTACH PARTITION public.delivery_20261119_hashtextextended_expr_idx;

ALTER INDEX public.delivery_by_endpoint_and_type ATTACH PARTITION public.delivery_20261119_hashtextextended_expr_idx1;

ALTER INDEX public.delivery_by_account_and_status ATTACH PARTITION public.delivery_20261119_hashtextextended_expr_idx2;

ALTER INDEX public.delivery_by_endpoint ATTACH PARTITION public.delivery_20261119_hashtextextended_id_idx;

ALTER INDEX public.delivery_of_replay ATTACH PARTITION public.delivery_20261119_pending_delivery_id_idx;

ALTER INDEX public.delivery_pkey ATTACH PARTITION public.delivery_20261119_pkey;

ALTER INDEX public.delivery_written_late ATTACH PARTITION public.delivery_20261126_account_id_xid_idx;

ALTER INDEX public.delivery_by_event ATTACH PARTITION public.delivery_20261126_event_id_idx;

ALTER INDEX public.delivery_by_type_and_status ATTACH PARTITION public.delivery_20261126_hashtextextended_expr_idx;

ALTER INDEX public.delivery_by_endpoint_and_type ATTACH PARTITION public.delivery_20261126_hashtextextended_expr_idx1;

ALTER INDEX public.delivery_by_account_and_status ATTACH PARTITION public.delivery_20261126_hashtextextended_expr_idx2;

ALTER INDEX public.delivery_by_endpoint ATTACH PARTITION public.delivery_20261126_hashtextextended_id_idx;

ALTER INDEX public.delivery_of_replay ATTACH PARTITION public.delivery_20261126_pending_delivery_id_idx;

ALTER INDEX public.delivery_pkey ATTACH PARTITION public.delivery_20261126_pkey;

ALTER INDEX public.delivery_evidence_pkey ATTACH PARTITION public.delivery_evidence_20261112_pkey;

ALTER INDEX public.delivery_evidence_pkey ATTACH PARTITION public.delivery_evidence_20261119_pkey;

ALTER INDEX public.delivery_evidence_pkey ATTACH PARTITION public.delivery_evidence_20261126_pkey;

ALTER INDEX public.event_of_account ATTACH PARTITION public.event_20261112_account_id_id_hashtext_hashtext1_idx;

ALTER INDEX public.event_written_late ATTACH PARTITION public.event_20261112_account_id_xid_idx;

ALTER INDEX public.event_pkey ATTACH PARTITION public.event_20261112_pkey;

ALTER INDEX public.event_of_account ATTACH PARTITION public.event_20261119_account_id_id_hashtext_hashtext1_idx;

ALTER INDEX public.event_written_late ATTACH PARTITION public.event_20261119_account_id_xid_idx;

ALTER INDEX public.event_pkey ATTACH PARTITION public.event_20261119_pkey;

ALTER INDEX public.event_of_account ATTACH PARTITION public.event_20261126_account_id_id_hashtext_hashtext1_idx;

ALTER INDEX public.event_written_late ATTACH PARTITION public.event_20261126_account_id_xid_idx;

ALTER INDEX public.event_pkey ATTACH PARTITION public.event_20261126_pkey;

CREATE TRIGGER audit_entry_kept BEFORE TRUNCATE ON public.audit_entry FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_audit_change();

CREATE TRIGGER audit_entry_unchanged BEFORE DELETE OR UPDATE ON public.audit_entry FOR EACH ROW EXECUTE FUNCTION public.refuse_audit_change();

CREATE TRIGGER credential_deleted AFTER DELETE ON public.credential FOR EACH ROW EXECUTE FUNCTION public.notify_credential_change();

CREATE TRIGGER credential_updated AFTER UPDATE OF account_id, member_id, kind, level, webhooks_level, orders_level, token_sha256, expires_at, revoked_at ON public.credential FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.notify_credential_change();

CREATE TRIGGER endpoint_changed BEFORE UPDATE ON public.endpoint FOR EACH ROW WHEN ((old.updated_at IS DISTINCT FROM new.updated_at)) EXECUTE FUNCTION public.mark_endpoint_change();

CREATE TRIGGER member_role_ends_sessions AFTER UPDATE ON public.member FOR EACH ROW WHEN ((old.role IS DISTINCT FROM new.role)) EXECUTE FUNCTION public.end_sessions_of_member();

CREATE TRIGGER member_role_updated AFTER UPDATE ON public.member FOR EACH ROW WHEN ((old.role IS DISTINCT FROM new.role)) EXECUTE FUNCTION public.notify_credential_change();

CREATE TRIGGER operator_session_deleted AFTER DELETE ON public.operator_session FOR EACH ROW EXECUTE FUNCTION public.notify_credential_change();

CREATE TRIGGER portal_session_deleted AFTER DELETE ON public.portal_session FOR EACH ROW EXECUTE FUNCTION public.notify_credential_change();

CREATE TRIGGER session_deleted AFTER DELETE ON public.session FOR EACH ROW EXECUTE FUNCTION public.notify_credential_change();

ALTER TABLE ONLY bullmq.job_dependency
    ADD CONSTRAINT job_dependency_parent_queue_parent_id_fkey FOREIGN KEY (parent_queue, parent_id) REFERENCES bullmq.job(queue, id) ON DELETE CASCADE;

ALTER TABLE ONLY bullmq.job_log
    ADD CONSTRAINT job_log_queue_job_id_fkey FOREIGN KEY (queue, job_id) REFERENCES bullmq.job(queue, id) ON DELETE CASCADE;

ALTER TABLE ONLY bullmq.relay_inbox
    ADD CONSTRAINT relay_inbox_ns_node_id_fkey FOREIGN KEY (ns, node_id) REFERENCES bullmq.relay_node(ns, node_id) ON DELETE CASCADE;

ALTER TABLE ONLY bullmq.relay_subscription
    ADD CONSTRAINT relay_subscription_ns_node_id_fkey FOREIGN KEY (ns, node_id) REFERENCES bullmq.relay_node(ns, node_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.checkout
    ADD CONSTRAINT checkout_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id);

ALTER TABLE ONLY public.checkout
    ADD CONSTRAINT checkout_offer_id_fkey FOREIGN KEY (offer_id) REFERENCES public.offer(id);

ALTER TABLE ONLY public.credential
    ADD CONSTRAINT credential_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id);

ALTER TABLE ONLY public.credential
    ADD CONSTRAINT credential_member_id_fkey FOREIGN KEY (member_id) REFERENCES public.member(id);

ALTER TABLE ONLY public.endpoint
    ADD CONSTRAINT endpoint_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id);

ALTER TABLE ONLY public.endpoint_secret
    ADD CONSTRAINT endpoint_secret_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES public.endpoint(id);

ALTER TABLE ONLY public.erasure
    ADD CONSTRAINT erasure_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id);

ALTER TABLE ONLY public.erasure_subject
    ADD CONSTRAINT erasure_subject_erasure_id_fkey FOREIGN KEY (erasure_id) REFERENCES public.erasure(id);

ALTER TABLE ONLY public.invoice
    ADD CONSTRAINT invoice_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id);

ALTER TABLE ONLY public.invoice
    ADD CONSTRAINT invoice_order_id_fkey FOREIGN KEY (order_id) REFERENCES public."order"(id);

ALTER TABLE ONLY public.invoice
    ADD CONSTRAINT invoice_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES public.payment(id);

ALTER TABLE ONLY public.invoice
    ADD CONSTRAINT invoice_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES public.refund(id);

ALTER TABLE ONLY public.member
    ADD CONSTRAINT member_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id);

ALTER TABLE ONLY public.member_identity
    ADD CONSTRAINT member_identity_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id);

ALTER TABLE ONLY public.member_identity
    ADD CONSTRAINT member_identity_member_id_fkey FOREIGN KEY (member_id) REFERENCES public.member(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.offer
    ADD CONSTRAINT offer_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id);

ALTER TABLE ONLY public.offer
    ADD CONSTRAINT offer_order_id_fkey FOREIGN KEY (order_id) REFERENCES public."order"(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.operator_session
    ADD CONSTRAINT operator_session_credential_id_fkey FOREIGN KEY (credential_id) REFERENCES public.credential(id) ON DELETE CASCADE;

ALTER TABLE ONLY public."order"
    ADD CONSTRAINT order_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id);

ALTER TABLE ONLY public."order"
    ADD CONSTRAINT order_checkout_id_fkey FOREIGN KEY (checkout_id) REFERENCES public.checkout(id);

ALTER TABLE ONLY public.payment
    ADD CONSTRAINT payment_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id);

ALTER TABLE ONLY public.payment
    ADD CONSTRAINT payment_order_id_fkey FOREIGN KEY (order_id) REFERENCES public."order"(id);

ALTER TABLE ONLY public.portal_link
    ADD CONSTRAINT portal_link_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id);

ALTER TABLE ONLY public.portal_link
    ADD CONSTRAINT portal_link_member_id_fkey FOREIGN KEY (member_id) REFERENCES public.member(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.portal_session
    ADD CONSTRAINT portal_session_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id);

ALTER TABLE ONLY public.portal_session
    ADD CONSTRAINT portal_session_member_id_fkey FOREIGN KEY (member_id) REFERENCES public.member(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.portal_settings
    ADD CONSTRAINT portal_settings_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id);

ALTER TABLE ONLY public.recovery
    ADD CONSTRAINT recovery_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id);

ALTER TABLE ONLY public.refund
    ADD CONSTRAINT refund_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id);

ALTER TABLE ONLY public.refund
    ADD CONSTRAINT refund_order_id_fkey FOREIGN KEY (order_id) REFERENCES public."order"(id);

ALTER TABLE ONLY public.refund
    ADD CONSTRAINT refund_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES public.payment(id);

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id);

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_member_id_fkey FOREIGN KEY (member_id) REFERENCES public.member(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sign_in_link
    ADD CONSTRAINT sign_in_link_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id);

ALTER TABLE ONLY public.sign_in_link
    ADD CONSTRAINT sign_in_link_member_id_fkey FOREIGN KEY (member_id) REFERENCES public.member(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.stream_slot
    ADD CONSTRAINT stream_slot_process_id_fkey FOREIGN KEY (process_id) REFERENCES public.stream_process(id) ON DELETE CASCADE;

