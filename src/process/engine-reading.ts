/** What the API shows of the workers, also when none runs. */
export interface EngineReading {
  readonly workersAlive: number;
  /** Pending deliveries that are due and not claimed. */
  readonly ready: number;
  readonly oldestDueSeconds: number;
  readonly oldestBacklogSeconds: number;
}
