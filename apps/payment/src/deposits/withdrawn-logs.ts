import type { Chain, ReportedLog } from '@bascule/chain';
import type { Address, Hash } from 'viem';

/** Withdrawal as a node's log tells it. */
export interface FoundLog {
  wallet: Address;
  nonce: bigint;
  acceptBlame: boolean;
  transactionHash: Hash;
  blockNumber: bigint;
  reported: ReportedLog;
}

/** Log whose block is the scanner's, with its time. */
export type DatedLog = FoundLog & { blockTimestamp: Date };

/** Names what a node tells of a withdrawal, to count what two nodes tell alike once. */
const logKey = ({ wallet, nonce, acceptBlame, reported }: DatedLog): string =>
  [
    reported.blockHash,
    reported.transactionHash,
    reported.logIndex,
    wallet,
    nonce,
    acceptBlame,
  ].join('/');

/** Adds to a node's withdrawals those that another one tells alone. */
export function withOthers(logs: readonly DatedLog[], others: readonly DatedLog[]): DatedLog[] {
  const known = new Set(logs.map(logKey));
  return [...logs, ...others.filter((it) => !known.has(logKey(it)))];
}

/** Error of a log that a node tells in a block that is not the scanner's. */
export const misplaced = (
  { name }: Chain,
  { blockNumber, reported, transactionHash }: FoundLog,
): Error =>
  new Error(
    `a node of ${name} has the withdrawal ${transactionHash} in block ${blockNumber}, ` +
      `which is not ${reported.blockHash}`,
  );
