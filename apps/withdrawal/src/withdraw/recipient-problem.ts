import type { NamedAddress } from '@bascule/chain';
import { ordinaryAddressProblem } from '@bascule/chain';

export interface RecipientCheck {
  /** Contracts of the chain from which nothing comes back. */
  refused: readonly NamedAddress[];
  wallet: string;
  /** Addresses of the tokens that are withdrawn. */
  tokens: readonly string[];
}

/** Why nothing may be sent there, or null. Another payment's wallet is fine: that is a retry. */
export function recipientProblem(recipient: string, check: RecipientCheck): string | null {
  const is = (address: string) => address.toLowerCase() === recipient.toLowerCase();
  const problem = ordinaryAddressProblem(recipient);
  if (problem !== null) return problem;
  if (is(check.wallet)) return 'The recipient is the wallet itself.';
  if (check.tokens.some(is)) return 'The recipient is the token itself.';
  const match = check.refused.find(({ address }) => is(address));
  return match === undefined ? null : `The recipient is the ${match.name}.`;
}
