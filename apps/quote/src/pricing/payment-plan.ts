import { basisPoints, formatAmount, minAmount } from '@bascule/amounts';
import type {
  PaymentPlan,
  PlannedBridge,
  PlannedFee,
  PlannedFunding,
  PlannedLeg,
} from '@bascule/contracts';
import {
  depositOf,
  uncertaintiesIn,
  type QuotedBridge,
  type QuotedLeg,
  type QuotedRoute,
} from '../routes/quoted-route.js';
import { atLeast } from '../routes/slippage.js';

export interface PlanTerms {
  /** How much less than quoted each onramp, conversion and bridge may bring. */
  slippageBps: number;
  /** How much more than quoted an onramp or a bridge may deliver for the leg to take it. */
  surplusBps: number;
  feeReceiver: string;
}

function funding(quoted: QuotedRoute): PlannedFunding {
  const { input, onramp } = quoted;
  if (!onramp) return { kind: 'token' };
  return {
    kind: 'onramp',
    provider: onramp.provider,
    method: onramp.method,
    fiat: input.asset,
    fiat_amount: formatAmount(input.units, input.decimals),
    provider_quote_id: onramp.providerQuoteId,
    delivery_amount: depositOf(quoted).units.toString(),
  };
}

const fees = ({ networkFee }: QuotedLeg, receiver: string): PlannedFee[] =>
  networkFee === 0n ? [] : [{ kind: 'network', receiver, amount: networkFee.toString() }];

/** A bridge may take a fee that does not shrink with the amount: its minimum follows from the leg's. */
const plannedBridge = (
  { name, adapter, delivered, leastDelivered }: QuotedBridge,
  { slippageBps }: PlanTerms,
): PlannedBridge => ({
  name,
  adapter,
  delivered_amount: delivered.units.toString(),
  min_bridged: atLeast(minAmount(delivered.units, leastDelivered), 1, slippageBps).toString(),
});

/** @param uncertainties how often others have decided before this leg how much arrives */
function plannedLeg(leg: QuotedLeg, uncertainties: number, terms: PlanTerms): PlannedLeg {
  const { chain, input, output, bridge } = leg;
  const surplus = uncertainties > 0 ? basisPoints(input.units, terms.surplusBps, 'down') : 0n;
  const converted = uncertainties + Number(leg.venue !== null);
  return {
    chain,
    input_token: input.asset,
    input_amount: input.units.toString(),
    max_input: (input.units + surplus).toString(),
    fees: fees(leg, terms.feeReceiver),
    output_token: output.asset,
    output_amount: output.units.toString(),
    min_output: atLeast(output.units, converted, terms.slippageBps).toString(),
    ...(bridge && { bridge: plannedBridge(bridge, terms) }),
  };
}

/** What confirming turns into a declaration: outcomes and bounds, no venue, path or calls. */
export function paymentPlan(quoted: QuotedRoute, terms: PlanTerms): PaymentPlan {
  const { onramp, legs } = quoted;
  const deposit = depositOf(quoted);
  const ofOnramp = Number(onramp !== null);
  return {
    funding: funding(quoted),
    deposit: {
      token: deposit.asset,
      required_amount: atLeast(deposit.units, ofOnramp, terms.slippageBps).toString(),
    },
    legs: legs.map((leg, index) => {
      const before = legs.slice(0, index).map(uncertaintiesIn);
      return plannedLeg(
        leg,
        before.reduce((sum, each) => sum + each, ofOnramp),
        terms,
      );
    }),
  };
}
