import { integer } from '@bascule/process';

/** Spread into the table of variables of a service that sends transactions. */
export const transactionsEnv = {
  TRANSACTION_REPLACE_AFTER_MS: integer({
    min: 1,
    default: 30_000,
    desc: 'how long a transaction may wait before it is sent again with higher fees',
  }),
};
