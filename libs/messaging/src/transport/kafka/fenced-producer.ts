import type { Kafka, Producer, ProducerConfig } from 'kafkajs';

/** Parts of kafkajs that its types leave out. */
interface Broker {
  initProducerId(options: { transactionalId?: string; transactionTimeout: number }): unknown;
}

interface Cluster {
  findControllerBroker(): Promise<Pick<Broker, 'initProducerId'>>;
  findGroupCoordinator(options: { groupId: string; coordinatorType: number }): Promise<Broker>;
}

const TRANSACTION_COORDINATOR = 1;
const CREATE_CLUSTER = 'private:Kafka:createCluster';

/**
 * Creates an idempotent producer that shares one producer id with all others of its transactional id, with an epoch
 * above theirs. A partition refuses the batches of lower epochs once it has one of the highest. kafkajs sends the
 * transactional id within transactions only, so the request for the producer id is redirected.
 */
export function createFencedProducer(
  kafka: Kafka,
  transactionalId: string,
  config: Omit<ProducerConfig, 'idempotent' | 'transactionalId'>,
): Producer {
  const key = Object.getOwnPropertySymbols(kafka).find(
    ({ description }) => description === CREATE_CLUSTER,
  );
  if (key === undefined) throw new Error(`kafkajs has no ${CREATE_CLUSTER}; use version 2.2.4`);
  const createCluster = Reflect.get(kafka, key) as (options: unknown) => Cluster;
  const redirected = Object.create(kafka, {
    [key]: {
      value: (options: unknown): Cluster => {
        const cluster = createCluster(options);
        cluster.findControllerBroker = async () => {
          const coordinator = await cluster.findGroupCoordinator({
            groupId: transactionalId,
            coordinatorType: TRANSACTION_COORDINATOR,
          });
          return {
            initProducerId: (request) =>
              coordinator.initProducerId({ ...request, transactionalId }),
          };
        };
        return cluster;
      },
    },
  }) as Kafka;
  return redirected.producer({ ...config, idempotent: true });
}
