import type { Admin } from 'kafkajs';
import { addressOf } from '../offset-commits.js';
import type { PartitionProgress } from '../transport.js';
import type { AdminClient } from './admin-client.js';

const FRESH_MS = 1_000;

/** Committed offsets of a group, cached for a second. */
export class GroupOffsets {
  private asked: { at: number; answer: Promise<PartitionProgress[]> } | null = null;

  constructor(
    private readonly client: AdminClient,
    private readonly group: string,
    private readonly topics: readonly string[],
  ) {}

  /** Returns the cached offsets. */
  recent(): Promise<PartitionProgress[]> {
    if (this.asked === null || Date.now() - this.asked.at > FRESH_MS) {
      const asked = { at: Date.now(), answer: this.current() };
      this.asked = asked;
      asked.answer.catch(() => {
        if (this.asked === asked) this.asked = null;
      });
    }
    return this.asked.answer;
  }

  /** Fetches the offsets. A group without commits starts at the first record. */
  current(): Promise<PartitionProgress[]> {
    return this.client.use(async (admin) => {
      const committed = await committedOffsets(admin, this.group, this.topics);
      const ends = await Promise.all(
        this.topics.map(async (topic) => ({ topic, of: await admin.fetchTopicOffsets(topic) })),
      );
      return ends.flatMap(({ topic, of }) =>
        of.map(({ partition, low, high }) => ({
          topic,
          partition,
          committed: larger(committed.get(addressOf({ topic, partition })), BigInt(low)),
          end: BigInt(high),
        })),
      );
    });
  }
}

/** Raises an offset to the first record that retention left. */
const larger = (committed: bigint | undefined, low: bigint): bigint =>
  committed !== undefined && committed > low ? committed : low;

async function committedOffsets(
  admin: Admin,
  groupId: string,
  topics: readonly string[],
): Promise<Map<string, bigint>> {
  const offsets = await admin.fetchOffsets({ groupId, topics: [...topics] });
  return new Map(
    offsets.flatMap(({ topic, partitions }) =>
      partitions
        .map(({ partition, offset }) => [addressOf({ topic, partition }), BigInt(offset)] as const)
        .filter(([, offset]) => offset >= 0n),
    ),
  );
}
