import type { TimelineEntryType, TimelineFacts } from '@bascule/contracts';

/** A fact to append to a payment's timeline. */
export interface NewEntry {
  readonly type: TimelineEntryType;
  readonly facts: TimelineFacts;
  /** Anybody can cause it at little cost. */
  readonly isDust?: boolean;
}

const MAX_MESSAGE_LENGTH = 200;

/** A message that others may have written, bounded. */
export const messageFact = (message: string | null): Pick<TimelineFacts, 'message'> =>
  message === null ? {} : { message: message.slice(0, MAX_MESSAGE_LENGTH) };

/** A block and its time, which is left out where a node reports one that is no date. */
export const blockFacts = ({
  blockNumber,
  blockTimestamp,
}: {
  blockNumber: bigint;
  blockTimestamp: Date;
}): Pick<TimelineFacts, 'block_number' | 'block_time'> => ({
  block_number: Number(blockNumber),
  ...(Number.isNaN(blockTimestamp.getTime()) ? {} : { block_time: blockTimestamp.toISOString() }),
});

export const transactionFact = (hash: string | null): Pick<TimelineFacts, 'transaction_hash'> =>
  hash === null ? {} : { transaction_hash: hash };
