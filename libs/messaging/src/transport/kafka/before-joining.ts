import kafkajs, { type PartitionAssigner } from 'kafkajs';

/**
 * The client asks for the group's coordinator before it joins, whatever made it join, and does nothing else meanwhile: the
 * one moment at which a member can finish what it has before the group gives it to others. Assigners are given the
 * client's cluster, so the question can be held up there.
 */
export const assignerThatWaits =
  (beforeJoining: () => Promise<void>): PartitionAssigner =>
  (options) => {
    const { cluster } = options;
    const findGroupCoordinator = cluster.findGroupCoordinator.bind(cluster);
    cluster.findGroupCoordinator = async (group) => {
      await beforeJoining();
      return findGroupCoordinator(group);
    };
    return kafkajs.PartitionAssigners.roundRobin(options);
  };
