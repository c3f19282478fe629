/** How a member behaves in its group. Each of these has a default that fits brokers as they come. */
export interface KafkaTuning {
  /** Without a heartbeat for so long, a member is taken for dead. Brokers refuse less than 6 s by default. */
  sessionTimeoutMs: number;
  /** Also how soon a member hears of a rebalance: most of the gap of a rolling restart. */
  heartbeatIntervalMs: number;
  /** How long the group waits for members to join again. */
  rebalanceTimeoutMs: number;
  /** How long a rebalance is held up by handlers that are still at work. */
  releaseTimeoutMs: number;
  /** An idle fetch waits so long at the broker; records that come meanwhile end it. */
  maxWaitMs: number;
  /** After how long new partitions are noticed. */
  metadataMaxAgeMs: number;
  /** A request to publish is given up after so long, whatever the client still makes of it. */
  publishMs: number;
  /** The first wait after a failure; each next one is twice as long, up to 5 s. */
  backoffMs: number;
}

export const DEFAULT_TUNING: KafkaTuning = {
  sessionTimeoutMs: 10_000,
  heartbeatIntervalMs: 500,
  rebalanceTimeoutMs: 10_000,
  releaseTimeoutMs: 1_500,
  maxWaitMs: 50,
  metadataMaxAgeMs: 60_000,
  publishMs: 30_000,
  backoffMs: 250,
};
