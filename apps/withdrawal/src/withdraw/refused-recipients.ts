import type { ChainContracts } from '@bascule/chain';
import { ZERO_ADDRESS } from '@bascule/chain';

export interface RecipientCheck {
  contracts: ChainContracts;
  wallet: string;
  /** Addresses of the tokens that are withdrawn. */
  tokens: readonly string[];
}

/** Why nothing may be sent there, or null. Another payment's wallet is fine: that is a retry. */
export function recipientProblem(recipient: string, check: RecipientCheck): string | null {
  const is = (address: string | undefined) => address?.toLowerCase() === recipient.toLowerCase();
  const { contracts } = check;
  if (is(ZERO_ADDRESS)) return 'The recipient is the zero address.';
  if (is(check.wallet)) return 'The recipient is the wallet itself.';
  if (check.tokens.some(is)) return 'The recipient is the token itself.';
  const ours = [
    contracts.oneTimeWalletFactory,
    contracts.oneTimeWalletImplementation,
    contracts.converter,
    contracts.executor,
    contracts.multicall3,
    contracts.wrappedNative,
  ];
  return ours.some(is) ? 'The recipient is a contract that cannot give anything back.' : null;
}
