import kafkajs, { type PartitionAssigner } from 'kafkajs';

/**
 * Returns an assigner that delays each join until `preJoin` resolves. kafkajs looks up the coordinator before every
 * join and does nothing else meanwhile: the only moment at which a member can finish its work before a rebalance.
 * Assigners receive the cluster of the client, so the lookup can be delayed there.
 */
export const assignerWithPreJoin =
  (preJoin: () => Promise<void>): PartitionAssigner =>
  (options) => {
    const { cluster } = options;
    const findGroupCoordinator = cluster.findGroupCoordinator.bind(cluster);
    cluster.findGroupCoordinator = async (group) => {
      await preJoin();
      return findGroupCoordinator(group);
    };
    return kafkajs.PartitionAssigners.roundRobin(options);
  };
