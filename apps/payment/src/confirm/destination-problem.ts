import type { PaymentPlan, QuoteRequest } from '@bascule/contracts';
import { isSame } from './addresses.js';
import { planProblem } from './plan-problem.js';

/** What is wrong with a destination given the quote that is confirmed; undefined when nothing is. */
export function destinationProblem(
  destination: string,
  plan: PaymentPlan,
  { request }: QuoteRequest,
): string | undefined {
  const { custom_actions, dest_address } = request;
  const isBound = (custom_actions?.actions.length ?? 0) > 0 && dest_address !== undefined;
  return isBound && !isSame(dest_address, destination)
    ? 'The custom actions were quoted for another destination.'
    : planProblem(destination, plan);
}
