import type { WithdrawAccount } from '@bascule/contracts';

/** Account of a request that names none: the payment's one-time wallet. */
export const DEFAULT_ACCOUNT: WithdrawAccount = 'SPW';
