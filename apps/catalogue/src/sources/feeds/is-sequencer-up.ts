/** Round of a rollup's sequencer uptime feed. */
export interface SequencerRound {
  /** 0: up, 1: down. */
  answer: bigint;
  /** Start of the status in unix seconds; 0 before the first update. */
  startedAt: bigint;
}

/** Grace period after an outage, as Chainlink advises, for feeds to be updated. */
const GRACE_SECONDS = 3_600;

/** Whether a rollup's prices are usable: they do not change while its sequencer is down. */
export function isSequencerUp({ answer, startedAt }: SequencerRound, now: Date): boolean {
  if (answer !== 0n || startedAt === 0n) return false;
  return now.getTime() / 1000 - Number(startedAt) > GRACE_SECONDS;
}
