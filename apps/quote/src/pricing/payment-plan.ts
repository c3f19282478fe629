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
  minAfterSlippage,
  slippageStepsIn,
  type QuotedBridge,
  type QuotedLeg,
  type QuotedRoute,
} from '../routes/quoted-route.js';

export interface PlanTerms {
  /** Tolerated shortfall of each onramp, conversion and bridge. */
  slippageBps: number;
  /** Tolerated shortfall of an onramp's delivery, at most `slippageBps`: fees fall with what arrives. */
  deliverySlippageBps: number;
  /** Surplus of an onramp or a bridge that the next leg still takes. */
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

const fees = ({ networkFee, businessFees }: QuotedLeg, receiver: string): PlannedFee[] =>
  [
    { kind: 'network' as const, receiver, units: networkFee },
    ...businessFees.map((fee) => ({ kind: 'business' as const, ...fee })),
  ].flatMap(({ units, ...fee }) => (units === 0n ? [] : [{ ...fee, amount: units.toString() }]));

/** Minimum of a bridge: derived from its quote for the leg's minimum, since its fee may be flat. */
const plannedBridge = (
  { name, adapter, delivered, minDelivered }: QuotedBridge,
  { slippageBps }: PlanTerms,
): PlannedBridge => ({
  name,
  adapter,
  delivered_amount: delivered.units.toString(),
  min_bridged: minAfterSlippage(
    minAmount(delivered.units, minDelivered),
    1,
    slippageBps,
  ).toString(),
});

interface LegTerms extends PlanTerms {
  /** Number of earlier steps that may deliver less than quoted. */
  slippageSteps: number;
  /** Minimum that the request fixes; undefined on every leg but the last. */
  fixedOutput: bigint | undefined;
}

function plannedLeg(
  leg: QuotedLeg,
  { slippageSteps, fixedOutput, ...terms }: LegTerms,
): PlannedLeg {
  const { chain, input, output, bridge } = leg;
  const surplus = slippageSteps > 0 ? basisPoints(input.units, terms.surplusBps, 'down') : 0n;
  const steps = slippageSteps + Number(leg.venue !== null);
  return {
    chain,
    input_token: input.asset,
    input_amount: input.units.toString(),
    max_input: (input.units + surplus).toString(),
    fees: fees(leg, terms.feeReceiver),
    output_token: output.asset,
    output_amount: output.units.toString(),
    min_output: (
      fixedOutput ?? minAfterSlippage(output.units, steps, terms.slippageBps)
    ).toString(),
    ...(bridge && { bridge: plannedBridge(bridge, terms) }),
    gas_limit: leg.gasLimit.toString(),
    gas: leg.gas.toString(),
    gas_cost: leg.gasCost.toString(),
  };
}

/** Plan that becomes the declaration at confirmation: outcomes and bounds, without venue, path or calls. */
export function paymentPlan(quoted: QuotedRoute, terms: PlanTerms): PaymentPlan {
  const { onramp, legs } = quoted;
  const deposit = depositOf(quoted);
  const ofOnramp = Number(onramp !== null);
  return {
    funding: funding(quoted),
    deposit: {
      token: deposit.asset,
      required_amount: minAfterSlippage(
        deposit.units,
        ofOnramp,
        terms.deliverySlippageBps,
      ).toString(),
    },
    legs: legs.map((leg, index) => {
      const before = legs.slice(0, index).map(slippageStepsIn);
      const slippageSteps = before.reduce((sum, each) => sum + each, ofOnramp);
      const fixedOutput = index === legs.length - 1 ? quoted.fixedOutput : undefined;
      return plannedLeg(leg, { ...terms, slippageSteps, fixedOutput });
    }),
  };
}
