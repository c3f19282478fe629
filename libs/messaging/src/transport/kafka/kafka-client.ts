import type { Logger } from '@bascule/process';
import kafkajs, { type Kafka, type logCreator, type SASLOptions } from 'kafkajs';
import type { KafkaConfig } from './kafka-config.js';
import { stopIdleChecks } from './stop-idle-checks.js';

/** Timeout of one request; callers retry. */
export const RETRY = {
  initialRetryTime: 100,
  multiplier: 2,
  factor: 0.2,
  maxRetryTime: 1_000,
  retries: 5,
};

export function createClient(config: KafkaConfig, clientId: string, logger: Logger): Kafka {
  stopIdleChecks();
  const { tls, sasl } = config;
  return new kafkajs.Kafka({
    clientId,
    brokers: [...config.brokers],
    ssl: tls === undefined ? false : tls.ca === undefined ? true : { ca: [tls.ca] },
    ...(sasl === undefined ? {} : { sasl: sasl as SASLOptions }),
    connectionTimeout: 3_000,
    authenticationTimeout: 5_000,
    requestTimeout: 10_000,
    retry: RETRY,
    logLevel: kafkajs.logLevel.WARN,
    logCreator: quiet(logger),
  });
}

/** Lowers the client's log level: it reports every attempt as an error. */
const quiet =
  (logger: Logger): logCreator =>
  () =>
  ({ namespace, log: { message, error } }) => {
    logger.debug({ client: namespace, detail: error as unknown }, message);
  };
