import type { NamedAddress } from '@bascule/chain';
import { ordinaryAddressProblem } from '@bascule/chain';

export interface RecipientCheck {
  /** Contracts of the chain that would keep the money. */
  refused: readonly NamedAddress[];
  wallet: string;
  /** Addresses of the withdrawn tokens. */
  tokens: readonly string[];
}

/** Reports a recipient that would lose the money; another payment's wallet is allowed as a retry. */
export function recipientProblem(recipient: string, check: RecipientCheck): string | null {
  const is = (address: string) => address.toLowerCase() === recipient.toLowerCase();
  const problem = ordinaryAddressProblem(recipient);
  if (problem !== null) return problem;
  if (is(check.wallet)) return 'The recipient is the wallet itself.';
  if (check.tokens.some(is)) return 'The recipient is the token itself.';
  const match = check.refused.find(({ address }) => is(address));
  return match === undefined ? null : `The recipient is the ${match.name}.`;
}
