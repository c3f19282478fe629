/** What the uptime feed of a rollup's sequencer answers. */
export interface SequencerRound {
  /** 0: up, 1: down. */
  answer: bigint;
  /** Since when, in unix seconds; 0 before the feed has ever been updated. */
  startedAt: bigint;
}

/** Those who act only once it is back have had time to, and feeds to be updated, as Chainlink advises. */
const GRACE_SECONDS = 3_600;

/** Whether prices on a rollup can be relied on: while its sequencer is down they stand still, unnoticed. */
export function isSequencerUp({ answer, startedAt }: SequencerRound, now: Date): boolean {
  if (answer !== 0n || startedAt === 0n) return false;
  return now.getTime() / 1000 - Number(startedAt) > GRACE_SECONDS;
}
