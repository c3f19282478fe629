import type { PlannedLeg, Quote, RouteStep, TokenIdentifier } from '@bascule/contracts';
import type { RunningService } from '@bascule/service-host';
import type { Address } from 'viem';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { aBridgedQuote, ESCROW } from './a-bridged-payment.fixture.js';
import { USDC } from './a-quote.fixture.js';
import { BETA_USDC, network, SECOND_FEE } from './crossing.fixture.js';
import { onChain, type PaymentStack } from './payment-stack.fixture.js';
import { SOLVER_FEE } from './simulated-solver.fixture.js';

/** Chains in the order of the route. */
export const THREE_CHAINS = ['alphanet', 'betanet', 'deltanet'];
export const DELTA_USDC = onChain('deltanet', USDC);

export interface TwoCrossings {
  /** On alphanet. */
  input: TokenIdentifier;
  /** On deltanet. */
  output: TokenIdentifier;
  amount: bigint;
  fee: bigint;
  owner: Address;
}

const less = (amount: bigint) => ((amount * 990n) / 1000n).toString();
const more = (amount: bigint) => ((amount * 105n) / 100n).toString();

const bridge = (delivered: bigint) => ({
  name: 'intent_escrow',
  adapter: ESCROW,
  delivered_amount: delivered.toString(),
  min_bridged: less(delivered),
});

const step = (step_index: number): RouteStep => ({
  type: 'ONCHAIN_STEP',
  net_effect: { consume: [], produce: [] },
  pieces_info: [],
  step_index,
});

/** Quote with one step for the deposit and one for each leg. */
function aQuoteOfThreeLegs(output: TokenIdentifier): Quote {
  const quote = aBridgedQuote();
  return {
    ...quote,
    output_amount: { ...quote.output_amount, asset: output },
    route: [...quote.route.slice(0, 1), step(1), step(2), step(3)],
  };
}

/** A confirmed payment from alphanet over betanet to deltanet, by USDC through two orders of the escrow. */
export async function confirmTwoCrossings(
  stack: PaymentStack,
  service: RunningService,
  wish: TwoCrossings,
): Promise<PaymentRecord> {
  const { input, output, amount, fee } = wish;
  const sent = await stack.quote(input, USDC, amount - fee);
  const onBetanet = sent - SOLVER_FEE;
  const resent = onBetanet - SECOND_FEE;
  const onDeltanet = resent - SOLVER_FEE;
  const paid = await stack.quote(DELTA_USDC, output, onDeltanet - SECOND_FEE);
  const legs: PlannedLeg[] = [
    {
      chain: 'alphanet',
      input_token: input,
      input_amount: amount.toString(),
      max_input: amount.toString(),
      fees: [network(fee)],
      output_token: USDC,
      output_amount: sent.toString(),
      min_output: less(sent),
      bridge: bridge(onBetanet),
    },
    {
      chain: 'betanet',
      input_token: BETA_USDC,
      input_amount: onBetanet.toString(),
      max_input: more(onBetanet),
      fees: [network(SECOND_FEE)],
      output_token: BETA_USDC,
      output_amount: resent.toString(),
      min_output: less(resent),
      bridge: bridge(onDeltanet),
    },
    {
      chain: 'deltanet',
      input_token: DELTA_USDC,
      input_amount: onDeltanet.toString(),
      max_input: more(onDeltanet),
      fees: [network(SECOND_FEE)],
      output_token: output,
      output_amount: paid.toString(),
      min_output: less(paid),
    },
  ];
  const terms = { ...wish, expirationSeconds: 3_600 };
  return stack.confirmPlan(service, legs, terms, aQuoteOfThreeLegs(output));
}
