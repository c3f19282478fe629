import { basisPoints, formatAmount } from '@bascule/amounts';
import type { PaymentPlan, PlannedFee, PlannedFunding } from '@bascule/contracts';
import type { QuotedRoute } from './quoted-route.js';

export interface PlanTerms {
  /** How much less than quoted each onramp and conversion may bring. */
  slippageBps: number;
  /** How much more than quoted an onramp may deliver for the leg to take it. */
  surplusBps: number;
  feeReceiver: string;
}

/** How often on this route the market decides what comes out. */
const uncertainties = ({ onramp, venue }: QuotedRoute): number =>
  Number(onramp !== null) + Number(venue !== null);

/** The least that the owner's declaration promises, in the output token. */
function minimumOutput(quoted: QuotedRoute, slippageBps: number): bigint {
  const { units } = quoted.output;
  return units - basisPoints(units, slippageBps * uncertainties(quoted), 'down');
}

function funding({ input, onramp, deposit }: QuotedRoute): PlannedFunding {
  if (!onramp) return { kind: 'token' };
  return {
    kind: 'onramp',
    provider: onramp.provider,
    method: onramp.method,
    fiat: input.asset,
    fiat_amount: formatAmount(input.units, input.decimals),
    provider_quote_id: onramp.providerQuoteId,
    delivery_amount: deposit.units.toString(),
  };
}

const fees = ({ networkFee }: QuotedRoute, receiver: string): PlannedFee[] =>
  networkFee === 0n ? [] : [{ kind: 'network', receiver, amount: networkFee.toString() }];

/** What confirming turns into a declaration: outcomes and bounds, no venue, path or calls. */
export function paymentPlan(quoted: QuotedRoute, terms: PlanTerms): PaymentPlan {
  const { leg, onramp, deposit, output } = quoted;
  const shortfall = onramp ? basisPoints(deposit.units, terms.slippageBps, 'down') : 0n;
  const surplus = onramp ? basisPoints(deposit.units, terms.surplusBps, 'down') : 0n;
  return {
    funding: funding(quoted),
    deposit: { token: deposit.asset, required_amount: (deposit.units - shortfall).toString() },
    legs: [
      {
        chain: leg.chain,
        input_token: leg.inputToken,
        input_amount: deposit.units.toString(),
        max_input: (deposit.units + surplus).toString(),
        fees: fees(quoted, terms.feeReceiver),
        output_token: leg.outputToken,
        output_amount: output.units.toString(),
        min_output: minimumOutput(quoted, terms.slippageBps).toString(),
      },
    ],
  };
}
