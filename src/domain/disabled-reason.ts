/** Why the service disabled an endpoint (H11). */
export type DisabledReason = 'consecutive_failures' | 'receiver_gone';
