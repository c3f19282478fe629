import { formatAmount } from '@bascule/amounts';
import type { RouteAccount, RouteChange, RouteStep } from '@bascule/contracts';
import type { Amount } from '../fees/fee-breakdown.js';
import type { QuotedRoute } from './quoted-route.js';

const change = (account: RouteAccount, { asset, decimals, units }: Amount): RouteChange => ({
  account,
  resource: { asset, property: 'BALANCE' },
  amount: formatAmount(units, decimals),
});

function fundingStep({ input, onramp, deposit }: QuotedRoute): RouteStep {
  const net_effect = { consume: [change('USER', input)], produce: [change('SPW', deposit)] };
  if (!onramp) {
    return { type: 'USER_FUND', net_effect, pieces_info: [{ type: 'user_fund' }], step_index: 0 };
  }
  const { provider, method } = onramp;
  return {
    type: 'ONRAMP',
    net_effect,
    pieces_info: [{ type: 'onramp', provider, method }],
    step_index: 0,
  };
}

/** A conversion's pool takes what is left after fees, and gives the output: every asset is conserved. */
function onchainStep({ leg, deposit, networkFee, venue, output }: QuotedRoute): RouteStep {
  const fee = networkFee === 0n ? [] : [change('SERVICE', { ...deposit, units: networkFee })];
  const consume = [change('SPW', deposit)];
  const produce = [change('DEST', output), ...fee];
  if (venue === null) {
    return {
      type: 'ONCHAIN_STEP',
      net_effect: { consume, produce },
      pieces_info: [{ type: 'transfer_out', chain: leg.chain }],
      step_index: 1,
    };
  }
  const converted = { ...deposit, units: deposit.units - networkFee };
  return {
    type: 'ONCHAIN_STEP',
    net_effect: {
      consume: [...consume, change('POOL', output)],
      produce: [...produce, change('POOL', converted)],
    },
    pieces_info: [
      { type: 'convert', chain: leg.chain, venue, from: leg.inputToken, to: leg.outputToken },
      { type: 'transfer_out', chain: leg.chain },
    ],
    step_index: 1,
  };
}

export const routeSteps = (quoted: QuotedRoute): RouteStep[] => [
  fundingStep(quoted),
  onchainStep(quoted),
];
