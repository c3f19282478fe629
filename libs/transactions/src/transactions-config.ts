import { integer } from '@bascule/process';

/** Variables of every service that sends transactions. */
export const transactionsEnv = {
  TRANSACTION_REPLACE_AFTER_MS: integer({
    min: 1,
    default: 30_000,
    desc: 'age at which a transaction is replaced with higher fees',
  }),
};
