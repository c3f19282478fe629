import type { ReplicaPlan } from './replica-plan.js';

/** Stop timeout: two restarts in a row fit into the stop of a stack. */
const SHUTDOWN_DEADLINE_MS = 15_000;
/** Grace period, longer than the balancer and keep-alive clients need to notice. */
const SHUTDOWN_GRACE_MS = 3_000;

export const STOP_WITHIN_MS = SHUTDOWN_DEADLINE_MS + 2_000;

interface SharedServers {
  brokers: readonly string[];
  redisUrl: string;
}

/** All that differs from the embedded stack, for one replica. */
export function replicaEnvironment(
  { service, port, operationsPort }: ReplicaPlan,
  replicasOfService: number,
  { brokers, redisUrl }: SharedServers,
): Record<string, string> {
  return {
    PORT: String(port),
    OPERATIONS_PORT: String(operationsPort),
    KAFKA_BROKERS: brokers.join(','),
    LOG_REQUESTS: 'true',
    SHUTDOWN_GRACE_MS: String(SHUTDOWN_GRACE_MS),
    SHUTDOWN_DEADLINE_MS: String(SHUTDOWN_DEADLINE_MS),
    // In its own process, a simulated crash may end the process.
    ...(service === 'solver' && { SOLVER_EXIT: 'true' }),
    ...(service === 'gateway' && {
      REDIS_URL: redisUrl,
      RATE_LIMIT_REPLICAS: String(replicasOfService),
    }),
  };
}
