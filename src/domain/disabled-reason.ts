/** Why the service disabled an endpoint. */
export type DisabledReason = 'consecutive_failures' | 'receiver_gone';
