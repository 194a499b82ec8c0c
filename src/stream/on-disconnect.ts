import type { ServerResponse } from 'node:http';

/** Whether a response ended, or its connection closed. */
export function isDisconnected(response: ServerResponse): boolean {
  return response.destroyed || response.req.socket.destroyed;
}

/**
 * Calls back once when a response ends or its connection closes. Node emits no close on a response that
 * waits behind another on its connection.
 */
export function onDisconnect(response: ServerResponse, callback: () => void): void {
  const { socket } = response.req;
  let called = false;
  // Node closes the response while it calls the listeners of the socket, so both events arrive.
  const disconnected = () => {
    if (called) return;
    called = true;
    response.off('close', disconnected);
    socket.off('close', disconnected);
    callback();
  };
  response.once('close', disconnected);
  socket.once('close', disconnected);
}
