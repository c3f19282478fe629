import type { OperationsPorts, ServiceName } from '@bascule/composition';

export interface ReplicaPlan {
  service: ServiceName;
  /** The first replica is 1. */
  replica: number;
  port: number;
  /** Port of its health and metrics. */
  operationsPort: number;
  /** Whether a balancer stands before it, on the port of the service. */
  isBalanced: boolean;
}

/** Start order: publishers before consumers. */
const REPLICAS: readonly (readonly [ServiceName, number])[] = [
  ['catalogue', 1],
  ['sandbox-provider', 1],
  ['solver', 1],
  ['quote', 1],
  ['payment', 2],
  ['withdrawal', 1],
  ['webhook-dispatch', 2],
  ['gateway', 2],
];

/** A service of one replica has its port for itself; several share it behind a balancer and have ports of their own. */
export function planReplicas(
  servicePorts: Readonly<Record<ServiceName, number>>,
  firstPort: number,
  operations: OperationsPorts,
): ReplicaPlan[] {
  let next = firstPort;
  let nextOperations = operations.next;
  return REPLICAS.flatMap(([service, count]) =>
    Array.from({ length: count }, (_, index) => {
      const isBalanced = count > 1;
      const port = isBalanced ? next++ : servicePorts[service];
      const operationsPort = index === 0 ? operations.services[service] : nextOperations++;
      return { service, replica: index + 1, port, operationsPort, isBalanced };
    }),
  );
}

export const balancedServices = (replicas: readonly ReplicaPlan[]): ServiceName[] => [
  ...new Set(replicas.filter(({ isBalanced }) => isBalanced).map(({ service }) => service)),
];
