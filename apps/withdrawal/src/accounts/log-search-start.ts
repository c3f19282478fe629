import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';

/** Covers reorganisations since the withdrawal was requested. */
const REORGANISATION_MARGIN = 100n;

/** First block of every search for a withdrawal's logs. */
export const logSearchStart = ({ fromBlock }: Pick<WithdrawalRecord, 'fromBlock'>): bigint =>
  fromBlock > REORGANISATION_MARGIN ? fromBlock - REORGANISATION_MARGIN : 0n;
