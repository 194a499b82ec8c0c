import { signal } from '@preact/signals';

interface Toast {
  readonly id: number;
  readonly message: string;
}

const shownMs = 6_000;
const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/** Shows for six seconds what happened. */
export function showToast(message: string): void {
  lastId += 1;
  const toast = { id: lastId, message };
  toasts.value = [...toasts.value, toast].slice(-3);
  setTimeout(() => {
    toasts.value = toasts.value.filter((other) => other !== toast);
  }, shownMs);
}

/** The place where the messages of {@link showToast} appear. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, message }) => (
        <p key={id} class="toast">
          {message}
        </p>
      ))}
    </div>
  );
}
