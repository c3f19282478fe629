import { integer } from '@bascule/process';
import { signersEnv } from '@bascule/signers';

/** Variables of every service that sends transactions. */
export const transactionsEnv = {
  ...signersEnv,
  TRANSACTION_REPLACE_AFTER_MS: integer({
    min: 1,
    default: 30_000,
    desc: 'age at which a transaction is replaced with higher fees',
  }),
  TRANSACTION_MAX_GAS: integer({
    min: 100_000,
    default: 10_000_000,
    desc: 'largest gas limit of a transaction',
  }),
};
