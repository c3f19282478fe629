import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';

/** The chain may have been reorganised since the withdrawal was asked for. */
const REORGANISATION_MARGIN = 100n;

/** The block from which logs of a withdrawal are searched. */
export const logSearchStart = ({ fromBlock }: Pick<WithdrawalRecord, 'fromBlock'>): bigint =>
  fromBlock > REORGANISATION_MARGIN ? fromBlock - REORGANISATION_MARGIN : 0n;
