/** Settings of a group member; the defaults fit brokers with default settings. */
export interface KafkaTuning {
  /** Session timeout. Brokers refuse less than 6 s by default. */
  sessionTimeoutMs: number;
  /** Heartbeat interval; a member learns of a rebalance with its next heartbeat. */
  heartbeatIntervalMs: number;
  /** Rebalance timeout: wait of the group for members to rejoin. */
  rebalanceTimeoutMs: number;
  /** Longest wait of a rebalance for running handlers. */
  releaseTimeoutMs: number;
  /** Longest wait of an idle fetch at the broker. */
  maxWaitMs: number;
  /** Age at which partition metadata is refreshed. */
  metadataMaxAgeMs: number;
  /** Deadline of a publish request. */
  publishMs: number;
  /** Age at which a producer is replaced; brokers forget transactional ids that are unused for seven days. */
  producerMaxAgeMs: number;
  /** Initial backoff after a failure, doubled up to 5 s. */
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
  producerMaxAgeMs: 24 * 60 * 60 * 1_000,
  backoffMs: 250,
};
