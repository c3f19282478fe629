import { parseConfig, port } from '@bascule/process';
import {
  distributedPaths,
  type DistributedPaths,
  parseSettings,
  type Settings,
} from '@bascule/composition';
import { planReplicas, type ReplicaPlan } from './replica-plan.js';

const env = {
  KAFKA_PORT: port({ default: 19092 }),
  KAFKA_CONTROLLER_PORT: port({ default: 19093 }),
  REDIS_PORT: port({ default: 16379 }),
  REPLICA_PORTS_FROM: port({
    default: 18080,
    desc: 'first port of the replicas behind the balancers, which have the ports of the services',
  }),
};

/** Settings of the embedded stack, plus those of services that run as separate processes. */
export interface DistributedSettings extends Settings {
  paths: DistributedPaths;
  kafka: { port: number; controllerPort: number };
  redis: { port: number };
  replicas: readonly ReplicaPlan[];
}

/** @throws ConfigurationError with every problem of the environment */
export function parseDistributedSettings(environment: NodeJS.ProcessEnv): DistributedSettings {
  // Logs go to files, where requests and what they led to can be looked up.
  const settings = parseSettings({ ...environment, LOG_LEVEL: environment['LOG_LEVEL'] ?? 'info' });
  const parsed = parseConfig(environment, env);
  return {
    ...settings,
    paths: distributedPaths(settings.paths),
    kafka: { port: parsed.KAFKA_PORT, controllerPort: parsed.KAFKA_CONTROLLER_PORT },
    redis: { port: parsed.REDIS_PORT },
    replicas: planReplicas(
      settings.servicePorts,
      parsed.REPLICA_PORTS_FROM,
      settings.operationsPorts,
    ),
  };
}
