import type { PaymentPlan, QuoteRequest } from '@bascule/contracts';
import { parseTokenIdentifier } from '@bascule/contracts';
import { tokensOf } from './payment-terms.js';

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** What is wrong with a destination given the quote that is confirmed; undefined when nothing is. */
export function destinationProblem(
  destination: string,
  plan: PaymentPlan,
  { request }: QuoteRequest,
): string | undefined {
  const tokens = tokensOf(plan).map((token) => parseTokenIdentifier(token).address);
  if (tokens.some((address) => isSame(address, destination))) {
    return 'The address is the contract of a token of this payment.';
  }
  const { custom_actions, dest_address } = request;
  const isBound = (custom_actions?.actions.length ?? 0) > 0 && dest_address !== undefined;
  return isBound && !isSame(dest_address, destination)
    ? 'The custom actions were quoted for another destination.'
    : undefined;
}
