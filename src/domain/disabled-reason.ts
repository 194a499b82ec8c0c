/** Why the service disabled an endpoint. */
export type DisabledReason = (typeof disabledReasons)[number];
export const disabledReasons = ['consecutive_failures', 'receiver_gone'] as const;
