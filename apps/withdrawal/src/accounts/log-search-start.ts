import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';

/** Covers reorgs since the withdrawal was requested. */
const REORG_MARGIN = 100n;

/** First block of every search for a withdrawal's logs. */
export const logSearchStart = ({ fromBlock }: Pick<WithdrawalRecord, 'fromBlock'>): bigint =>
  fromBlock > REORG_MARGIN ? fromBlock - REORG_MARGIN : 0n;
